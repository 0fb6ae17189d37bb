package io.eyewall.core.security;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.lang.reflect.Proxy;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import org.apache.storm.Config;
import org.apache.storm.generated.DistributedRPC;
import org.apache.storm.security.auth.ThriftConnectionType;
import org.apache.storm.security.auth.ThriftServer;
import org.apache.storm.utils.Utils;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** What a server over Thrift does about a frame that is longer than what it may keep. */
class ThriftFramesTest {

    @Test
    void shouldCloseAConnectionThatAnnouncesTooMuch() throws Exception {
        assertEquals(true, Upstream.attackedBy(LongFrame.class));

        assertEquals(false, new LongFrame().call());
    }

    /** Announces two megabytes to a server that may keep one; returns whether it waits. */
    static final class LongFrame implements Callable<Boolean> {

        private static final int LENGTH = 2 << 20;
        private static final int WAIT_MS = 5_000;

        @Override
        public Boolean call() throws Exception {
            Map<String, Object> conf = new HashMap<>(Utils.readDefaultConfig());
            conf.put(Config.STORM_THRIFT_TRANSPORT_PLUGIN, "org.apache.storm.security.auth.SimpleTransportPlugin");
            conf.put(Config.DRPC_PORT, freePort());
            DistributedRPC.Iface nobody = (DistributedRPC.Iface) Proxy.newProxyInstance(DistributedRPC.Iface.class.getClassLoader(),
                new Class<?>[] {DistributedRPC.Iface.class}, (proxy, method, arguments) -> null);
            ThriftServer server = new ThriftServer(conf, new DistributedRPC.Processor<>(nobody), ThriftConnectionType.DRPC);
            Thread serving = new Thread(server::serve, "drpc");
            serving.setDaemon(true);
            serving.start();
            try {
                Awaitility.await().atMost(Duration.ofSeconds(60)).until(server::isServing);
                return waits(server.getPort());
            } finally {
                server.stop();
            }
        }

        private static boolean waits(int port) throws IOException {
            try (Socket stranger = new Socket(InetAddress.getLoopbackAddress(), port)) {
                stranger.setSoTimeout(WAIT_MS);
                stranger.getOutputStream().write(ByteBuffer.allocate(Integer.BYTES).putInt(LENGTH).array());
                return stranger.getInputStream().read() != -1;
            } catch (SocketTimeoutException e) {
                return true;
            }
        }

        private static int freePort() throws IOException {
            try (ServerSocket socket = new ServerSocket(0)) {
                return socket.getLocalPort();
            }
        }
    }
}
