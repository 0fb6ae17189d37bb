package org.apache.storm.messaging.netty;

import io.eyewall.client.security.BoundedDecoder;
import java.util.Map;
import org.apache.storm.serialization.KryoValuesDeserializer;
import org.apache.storm.shade.io.netty.buffer.ByteBuf;
import org.apache.storm.shade.io.netty.channel.Channel;
import org.apache.storm.shade.io.netty.channel.embedded.EmbeddedChannel;
import org.apache.storm.utils.Utils;

/** A worker that has connected to another and is in the handshake. It is in upstream's package, since its parts are not public. */
public final class ConnectingWorker implements ISaslClient {

    private ConnectingWorker() {
    }

    /** Whether the connection is still open after the other worker sent this. */
    public static boolean takes(ByteBuf... sent) throws Exception {
        Map<String, Object> conf = Utils.readDefaultConfig();
        EmbeddedChannel channel = new EmbeddedChannel(new BoundedDecoder(new KryoValuesDeserializer(conf), conf, true),
            new SaslStormClientHandler(new ConnectingWorker()));
        for (int i = 0; i < sent.length && channel.isOpen(); i++) {
            channel.writeInbound(sent[i]);
        }
        return channel.isOpen();
    }

    @Override
    public void channelReady(Channel channel) {
        throw new IllegalStateException("Nobody ends the handshake.");
    }

    @Override
    public String name() {
        return "topology";
    }

    @Override
    public String secretKey() {
        return "secret";
    }
}
