package io.eyewall.transport.fabric;

import java.util.HashMap;
import java.util.Map;
import org.apache.storm.Config;
import org.apache.storm.messaging.IContext;
import org.apache.storm.messaging.TransportFactory;
import org.apache.storm.utils.Utils;

/** The transports that must keep the same contract. */
enum Transport {

    NETTY(null),
    FABRIC_MSG("msg"),
    FABRIC_RDM("rdm");

    private final String endpoint;

    Transport(String endpoint) {
        this.endpoint = endpoint;
    }

    /** Creates a context as a worker does. */
    IContext context(Map<String, Object> further) {
        Map<String, Object> conf = new HashMap<>(Utils.readDefaultConfig());
        // Short pauses between attempts to connect, so that no test waits long.
        conf.put(Config.STORM_MESSAGING_NETTY_MAX_SLEEP_MS, 100);
        conf.put(FabricConfiguration.RECONNECT_MAX_MS, 100);
        if (endpoint != null) {
            conf.put(Config.STORM_MESSAGING_TRANSPORT, FabricContext.class.getName());
            conf.put(FabricConfiguration.ENDPOINT, endpoint);
            conf.put(FabricConfiguration.BUFFER_BYTES, 16_384);
        }
        conf.putAll(further);
        return TransportFactory.makeContext(conf, null);
    }
}
