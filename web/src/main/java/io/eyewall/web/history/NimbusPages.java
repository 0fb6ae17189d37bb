package io.eyewall.web.history;

import io.eyewall.client.blob.SmallBlob;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.storm.Config;
import org.apache.storm.DaemonConfig;
import org.apache.storm.generated.TopologyPageInfo;
import org.apache.storm.generated.TopologySummary;
import org.apache.storm.shade.net.minidev.json.JSONValue;
import org.apache.storm.thrift.TException;
import org.apache.storm.utils.NimbusClient;
import org.apache.storm.utils.ObjectReader;

/** What Nimbus says, over one connection that is made when it is needed. For one thread. */
final class NimbusPages implements Pages {

    private static final String ALL_TIME = ":all-time";
    private static final String OWN_SCHEDULERS = "io.eyewall.";
    private static final int TIMEOUT_MS = 10_000;
    private static final int DEFAULT_REPORT_SECS = 60;

    private final Map<String, Object> conf;
    private NimbusClient client;
    /** Null if it is not known. */
    private Boolean ownScheduler;

    NimbusPages(Map<String, Object> conf) {
        this.conf = new HashMap<>(conf);
        this.conf.put(Config.STORM_NIMBUS_RETRY_TIMES, 1);
    }

    /** How often workers report where their topology does not say it. */
    static int reportSecs(Map<String, Object> conf) {
        return ObjectReader.getInt(conf.get(Config.EXECUTOR_METRICS_FREQUENCY_SECS), DEFAULT_REPORT_SECS);
    }

    @Override
    public List<TopologySummary> topologies() throws TException {
        return connected().getClient().getTopologySummaries();
    }

    @Override
    public TopologyPageInfo page(String id) throws TException {
        return connected().getClient().getTopologyPageInfo(id, ALL_TIME, false);
    }

    @Override
    public void disconnect() {
        if (client != null) {
            client.close();
            client = null;
            // Nimbus may come back with another.
            ownScheduler = null;
        }
    }

    @Override
    public Optional<String> blob(String key) throws TException {
        return SmallBlob.text(connected().getClient(), key);
    }

    @Override
    public boolean hasOwnScheduler() throws TException {
        if (ownScheduler == null) {
            ownScheduler = JSONValue.parse(connected().getClient().getNimbusConf()) instanceof Map<?, ?> ofNimbus
                && String.valueOf(ofNimbus.get(DaemonConfig.STORM_SCHEDULER)).startsWith(OWN_SCHEDULERS);
        }
        return ownScheduler;
    }

    private NimbusClient connected() {
        if (client == null) {
            client = NimbusClient.Builder.withConf(conf).withTimeout(TIMEOUT_MS).build();
        }
        return client;
    }
}
