package io.eyewall.core.security;

import static io.eyewall.core.security.TlsServer.with;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.reflect.Proxy;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.apache.storm.generated.Nimbus;
import org.apache.storm.security.auth.ThriftConnectionType;
import org.apache.storm.security.auth.digest.DigestSaslTransportPlugin;
import org.apache.storm.thrift.TException;
import org.apache.storm.thrift.protocol.TBinaryProtocol;
import org.apache.storm.thrift.protocol.TField;
import org.apache.storm.thrift.protocol.TList;
import org.apache.storm.thrift.protocol.TMessage;
import org.apache.storm.thrift.protocol.TMessageType;
import org.apache.storm.thrift.protocol.TProtocolUtil;
import org.apache.storm.thrift.protocol.TType;
import org.apache.storm.thrift.transport.TMemoryBuffer;
import org.apache.storm.thrift.transport.TSSLTransportFactory;
import org.apache.storm.thrift.transport.TSSLTransportFactory.TSSLTransportParameters;
import org.apache.storm.thrift.transport.TSocket;
import org.apache.storm.thrift.transport.TTransport;
import org.apache.storm.thrift.transport.TTransportException;
import org.apache.storm.utils.Utils;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** What a Thrift server makes room for, over TLS, over SASL and in frames. */
class ThriftRequestsTest {

    private static final int MAX_BYTES = 1 << 20;

    @Test
    void shouldMakeNoRoomForWhatARequestOnlyAnnounces() throws Exception {
        assertEquals(List.of("a token of who is not known yet", "a frame over SASL", "a list over SASL", "a list in a frame"),
            Upstream.attackedBy(Announcing.class), "over TLS upstream serves nobody, with Java 15 and later");

        assertEquals(List.of(), new Announcing().call());
    }

    @Test
    void shouldFollowNoStructuresUntilTheStackOverflows() throws Exception {
        assertEquals("java.lang.StackOverflowError", Upstream.attackedBy(Nesting.class));

        assertEquals("org.apache.storm.thrift.TException: Maximum skip depth exceeded", new Nesting().call());
    }

    @Test
    void shouldServeAnyNumberOfRequestsThatAreNotTooLong() throws Exception {
        Server servers = new Server();
        try (TlsServer nimbus = servers.overTls(); TSocket connection = servers.connectTls(nimbus)) {
            assertServesOnlyShortRequests(connection);
        }
        try (TlsServer nimbus = servers.overSasl(); TTransport connection = servers.connectSasl(nimbus)) {
            assertServesOnlyShortRequests(connection);
        }
    }

    private static void assertServesOnlyShortRequests(TTransport connection) throws TException {
        Nimbus.Client client = new Nimbus.Client(new TBinaryProtocol(connection));
        for (int request = 0; request < 5; request++) {
            assertTrue(client.isTopologyNameAllowed("n".repeat(MAX_BYTES - 1_000)));
        }
        assertThrows(TTransportException.class, () -> client.isTopologyNameAllowed("n".repeat(MAX_BYTES)));
    }

    /** Has servers make room for 64 MB with a few bytes; returns which of them do. */
    static final class Announcing implements Callable<List<String>> {

        private static final int ANNOUNCED = 64 << 20;
        private static final int ELEMENTS = ANNOUNCED / 4;
        private static final int POLL_MS = 100;
        private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

        private final Server servers = new Server();
        private final List<String> made = new ArrayList<>();

        Announcing() throws Exception {
        }

        @Override
        public List<String> call() throws Exception {
            try (TlsServer nimbus = servers.overTls()) {
                try (TSocket connection = servers.connectTls(nimbus)) {
                    attack("a string over TLS", connection.getSocket(), ints(0x80010001, ANNOUNCED));
                }
                try (TSocket connection = servers.connectTls(nimbus)) {
                    attack("a list over TLS", connection.getSocket(), list());
                }
            }
            try (TlsServer nimbus = servers.overSasl()) {
                try (Socket stranger = new Socket(TlsServer.HOST, nimbus.port())) {
                    attack("a token of who is not known yet", stranger, ByteBuffer.allocate(5).put((byte) 1).putInt(ANNOUNCED).array());
                }
                try (TSocket socket = new TSocket(TlsServer.HOST, nimbus.port())) {
                    servers.connectSasl(socket);
                    attack("a frame over SASL", socket.getSocket(), ints(ANNOUNCED));
                }
                try (TSocket socket = new TSocket(TlsServer.HOST, nimbus.port())) {
                    servers.connectSasl(socket);
                    attack("a list over SASL", socket.getSocket(), framed(list()));
                }
            }
            try (TlsServer nimbus = Server.inFrames(); Socket stranger = new Socket(TlsServer.HOST, nimbus.port())) {
                attack("a list in a frame", stranger, framed(list()));
            }
            return made;
        }

        /** Sends bytes, and waits until a thread has made room or the server has answered or closed the connection. */
        private void attack(String name, Socket socket, byte[] bytes) throws IOException {
            Map<Long, Long> before = new HashMap<>();
            for (long thread : THREADS.getAllThreadIds()) {
                before.put(thread, THREADS.getThreadAllocatedBytes(thread));
            }
            socket.getOutputStream().write(bytes);
            socket.setSoTimeout(POLL_MS);
            Awaitility.await(name).atMost(Duration.ofMinutes(2)).pollInSameThread().until(() -> hasGrown(before) || !isSilent(socket));
            if (hasGrown(before)) {
                made.add(name);
            }
        }

        private static boolean hasGrown(Map<Long, Long> before) {
            return Arrays.stream(THREADS.getAllThreadIds()).anyMatch(
                thread -> THREADS.getThreadAllocatedBytes(thread) - before.getOrDefault(thread, 0L) >= ANNOUNCED);
        }

        /** Whether the server neither answers nor closes the connection. */
        private static boolean isSilent(Socket socket) {
            try {
                socket.getInputStream().read();
                return false;
            } catch (SocketTimeoutException e) {
                return true;
            } catch (IOException e) {
                return false;
            }
        }

        /** Heartbeats of many workers, none of which follows. */
        private static byte[] list() throws TException {
            TMemoryBuffer request = new TMemoryBuffer(100);
            TBinaryProtocol out = new TBinaryProtocol(request);
            out.writeMessageBegin(new TMessage("sendSupervisorWorkerHeartbeats", TMessageType.CALL, 1));
            out.writeFieldBegin(new TField("heartbeats", TType.STRUCT, (short) 1));
            out.writeFieldBegin(new TField("worker_heartbeats", TType.LIST, (short) 2));
            out.writeListBegin(new TList(TType.STRUCT, ELEMENTS));
            return Arrays.copyOf(request.getArray(), request.length());
        }

        private static byte[] framed(byte[] request) {
            return ByteBuffer.allocate(Integer.BYTES + request.length).putInt(request.length).put(request).array();
        }

        private static byte[] ints(int... values) {
            ByteBuffer bytes = ByteBuffer.allocate(values.length * Integer.BYTES);
            Arrays.stream(values).forEach(bytes::putInt);
            return bytes.array();
        }
    }

    /** Sends structures in structures in a field that nobody knows; returns how reading them ends. */
    static final class Nesting implements Callable<String> {

        private static final int DEPTH = 300_000;

        @Override
        public String call() throws Exception {
            try (TlsServer nimbus = Server.inFrames()) {
                assertTrue(nimbus.port() > 0);
            }
            ByteBuffer fields = ByteBuffer.allocate(3 * DEPTH);
            for (int depth = 0; depth < DEPTH; depth++) {
                fields.put(TType.STRUCT).putShort((short) 1);
            }
            TMemoryBuffer request = new TMemoryBuffer(fields.capacity());
            request.write(fields.array());
            try {
                TProtocolUtil.skip(new TBinaryProtocol(request), TType.STRUCT);
                return "read";
            } catch (TException | StackOverflowError e) {
                return e.toString();
            }
        }
    }

    /** Nimbus's servers, which know a certificate and a password, and their clients. */
    private static final class Server {

        private final Stores stores = new Stores(TlsServer.HOST);
        private final Path logins = Files.createTempFile("logins", ".conf");

        Server() throws Exception {
            String module = "org.apache.zookeeper.server.auth.DigestLoginModule required ";
            Files.writeString(logins, "StormServer { " + module + "user_alice=\"secret\"; };\nStormClient { " + module
                + "username=\"alice\" password=\"secret\"; };\n");
        }

        TlsServer overTls() {
            Map<String, Object> conf = with(TlsServer.conf("nimbus", stores), Map.of("nimbus.thrift.tls.port", 0,
                "nimbus.thrift.tls.client.auth.required", true, "nimbus.thrift.tls.transport",
                "org.apache.storm.security.auth.tls.TlsTransportPlugin"));
            return serving(new TlsServer(conf, requests(), ThriftConnectionType.NIMBUS_TLS));
        }

        TlsServer overSasl() {
            return serving(new TlsServer(digest(), requests(), ThriftConnectionType.NIMBUS));
        }

        static TlsServer inFrames() {
            Map<String, Object> conf = with(Utils.readDefaultConfig(), Map.of("nimbus.thrift.port", 0,
                "storm.thrift.transport", "org.apache.storm.security.auth.SimpleTransportPlugin"));
            return serving(new TlsServer(conf, requests(), ThriftConnectionType.NIMBUS));
        }

        TSocket connectTls(TlsServer server) throws TTransportException {
            TSSLTransportParameters parameters = new TSSLTransportParameters();
            parameters.setKeyStore(stores.keys(), Stores.PASSWORD, null, "PKCS12");
            parameters.setTrustStore(stores.trusted(), Stores.PASSWORD, null, "PKCS12");
            return TSSLTransportFactory.getClientSocket(TlsServer.HOST, server.port(), 0, parameters);
        }

        TTransport connectSasl(TlsServer server) throws TTransportException, IOException {
            return connectSasl(new TSocket(TlsServer.HOST, server.port()));
        }

        TTransport connectSasl(TSocket socket) throws TTransportException, IOException {
            DigestSaslTransportPlugin client = new DigestSaslTransportPlugin();
            client.prepare(ThriftConnectionType.NIMBUS, digest());
            return client.connect(socket, TlsServer.HOST, null);
        }

        private Map<String, Object> digest() {
            return with(Utils.readDefaultConfig(), Map.of("nimbus.thrift.port", 0, "java.security.auth.login.config", logins.toString(),
                "storm.thrift.transport", "org.apache.storm.security.auth.digest.DigestSaslTransportPlugin"));
        }

        private static TlsServer serving(TlsServer server) {
            Awaitility.await().atMost(Duration.ofMinutes(2)).until(server::isServing);
            return server;
        }

        private static Nimbus.Processor<Nimbus.Iface> requests() {
            return new Nimbus.Processor<>((Nimbus.Iface) Proxy.newProxyInstance(Nimbus.Iface.class.getClassLoader(),
                new Class<?>[] {Nimbus.Iface.class}, (proxy, method, arguments) -> method.getReturnType() == boolean.class ? true : null));
        }
    }
}
