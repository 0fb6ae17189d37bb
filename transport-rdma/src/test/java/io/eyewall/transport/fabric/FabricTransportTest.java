package io.eyewall.transport.fabric;

import static io.eyewall.transport.fabric.ReceivedMessages.patiently;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.eyewall.client.seam.BufferCallback;
import io.eyewall.client.seam.ReconnectingConnection;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.Socket;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.storm.messaging.ConnectionWithStatus;
import org.apache.storm.messaging.ConnectionWithStatus.Status;
import org.apache.storm.messaging.IConnection;
import org.apache.storm.messaging.IContext;
import org.apache.storm.messaging.TaskMessage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

@RequiresLibfabric
class FabricTransportTest {

    /** An address of the interface lo, but not its usual one. */
    private static final String OTHER_LOOPBACK = "127.0.0.2";

    private final Map<String, Object> conf = new HashMap<>();

    @Test
    void shouldNameTheProviderThatIsMissing() {
        conf.put(FabricConfiguration.PROVIDER, "warp");
        String message = refusal();
        assertTrue(message.startsWith("This host has no CONNECTED endpoint of provider 'warp'"), message);
        assertTrue(message.endsWith("fi_info prints what it has"), message);
    }

    @Test
    void shouldNameTheInterfaceThatDoesNotExist() {
        conf.put(FabricConfiguration.INTERFACE, "no such thing");
        assertEquals("storm.messaging.fabric.interface is 'no such thing', but must be the name or the IP address of a network interface of"
            + " this host, or all", refusal());
    }

    @ParameterizedTest
    @ValueSource(strings = {"lo", "127.0.0.1", "localhost"})
    void shouldListenOnTheConfiguredInterface(String given) {
        conf.put(FabricConfiguration.INTERFACE, given);
        FabricTransport transport = new FabricTransport();
        transport.prepare(conf, null);
        assertTrue(transport.bind("topology-1", 0, messages -> { }, null).getPort() > 0);
        transport.term();
    }

    @ParameterizedTest
    @EnumSource(value = Transport.class, names = {"FABRIC_MSG", "FABRIC_RDM"})
    void shouldListenOnNoOtherInterface(Transport transport) {
        IContext context = transport.context(Map.of(FabricConfiguration.INTERFACE, OTHER_LOOPBACK));
        int port = context.bind("topology-1", 0, messages -> { }, null).getPort();
        assertThrows(ConnectException.class, () -> new Socket(InetAddress.getLoopbackAddress(), port).close());
        connect(context, OTHER_LOOPBACK, port);
        context.term();
    }

    @ParameterizedTest
    @EnumSource(value = Transport.class, names = {"FABRIC_MSG", "FABRIC_RDM"})
    void shouldCarryMessagesOverIpv6(Transport transport) throws SocketException {
        assumeTrue(NetworkInterface.getByName("lo").inetAddresses().anyMatch(Inet6Address.class::isInstance), "this host has no IPv6");
        IContext context = transport.context(Map.of(FabricConfiguration.INTERFACE, "::1"));
        ReceivedMessages received = new ReceivedMessages();
        int port = context.bind("topology-1", 0, received, null).getPort();
        ConnectionWithStatus client = connect(context, "::1", port);
        client.send(List.of(new TaskMessage(1, new byte[1])).iterator());
        received.await(1, 1);
        context.term();
    }

    @ParameterizedTest
    @CsvSource({"FABRIC_MSG, spin", "FABRIC_MSG, backoff", "FABRIC_RDM, spin", "FABRIC_RDM, backoff"})
    void shouldCarryMessagesInEachIdleMode(Transport transport, String idle) {
        IContext context = transport.context(Map.of(FabricConfiguration.IDLE, idle));
        assertCarries(context, IntStream.range(0, 1_000).mapToObj(byte[]::new).toArray(byte[][]::new));
    }

    @ParameterizedTest
    @EnumSource(value = Transport.class, names = {"FABRIC_MSG", "FABRIC_RDM"})
    void shouldCarryMessagesWhenItAsksForHugePages(Transport transport) {
        IContext context = transport.context(Map.of(FabricConfiguration.HUGE_PAGES, true, FabricConfiguration.BUFFER_BYTES, 262_144));
        assertCarries(context, new byte[100_000], new byte[1_000_000]);
    }

    @ParameterizedTest
    @EnumSource(value = Transport.class, names = {"FABRIC_MSG", "FABRIC_RDM"})
    void shouldConnectAgainWithoutBeingGivenAMessage(Transport transport) {
        IContext context = transport.context(Map.of());
        IConnection server = context.bind("topology-1", 0, messages -> { }, null);
        int port = server.getPort();
        ConnectionWithStatus client = connect(context, "localhost", port);
        assertInstanceOf(ReconnectingConnection.class, client);

        server.close();
        patiently().until(() -> client.status() == Status.Connecting);
        patiently().ignoreExceptions().until(() -> context.bind("topology-1", port, messages -> { }, null) != null);

        patiently().until(() -> client.status() == Status.Ready);
        context.term();
    }

    @Test
    void shouldDeliverMessagesWithoutACopyToACallbackThatReadsBuffers() {
        IContext context = Transport.FABRIC_MSG.context(Map.of());
        TakenBuffers taken = new TakenBuffers();
        int port = context.bind("topology-1", 0, taken, null).getPort();
        ConnectionWithStatus client = connect(context, "127.0.0.1", port);
        client.send(List.of(new TaskMessage(1, "short".getBytes(StandardCharsets.US_ASCII)),
            new TaskMessage(2, new byte[100_000]), new TaskMessage(3, new byte[0])).iterator());
        ReceivedMessages.patiently().until(() -> taken.delivered.size() == 3);
        assertEquals(List.of("1: short, in place", "2: 100000 bytes", "3: , in place"), taken.delivered);
        context.term();
    }

    @Test
    void shouldCloseOnlyTheLinkOfAPeerWhoseMessageCannotBeRead() {
        IContext context = Transport.FABRIC_MSG.context(Map.of());
        TakenBuffers taken = new TakenBuffers();
        int port = context.bind("topology-1", 0, taken, null).getPort();
        ConnectionWithStatus wrong = connect(context, "127.0.0.1", port);
        ConnectionWithStatus right = connect(context, "127.0.0.1", port);

        wrong.send(List.of(new TaskMessage(TakenBuffers.UNREADABLE, new byte[1])).iterator());
        ReceivedMessages.patiently().until(() -> wrong.status() != Status.Ready);
        right.send(List.of(new TaskMessage(1, new byte[0])).iterator());

        ReceivedMessages.patiently().until(() -> taken.delivered.equals(List.of("1: , in place")));
        assertEquals(Status.Ready, right.status());
        context.term();
    }

    private static void assertCarries(IContext context, byte[]... messages) {
        ReceivedMessages received = new ReceivedMessages();
        int port = context.bind("topology-1", 0, received, null).getPort();
        ConnectionWithStatus client = connect(context, "127.0.0.1", port);
        client.send(Stream.of(messages).map(message -> new TaskMessage(1, message)).iterator());
        List<byte[]> arrived = received.await(1, messages.length);
        for (int i = 0; i < messages.length; i++) {
            assertEquals(messages[i].length, arrived.get(i).length);
        }
        context.term();
    }

    private static ConnectionWithStatus connect(IContext context, String host, int port) {
        ConnectionWithStatus client = (ConnectionWithStatus) context.connect("topology-1", host, port, new AtomicBoolean[0]);
        ReceivedMessages.patiently().until(() -> client.status() == Status.Ready);
        return client;
    }

    private String refusal() {
        return assertThrows(RuntimeException.class, () -> new FabricTransport().prepare(conf, null)).getMessage();
    }

    /** Records messages when they are delivered. */
    private static final class TakenBuffers implements BufferCallback {

        /** The task whose messages cannot be read. */
        static final int UNREADABLE = 9;

        private final List<String> taken = new ArrayList<>();
        private final List<String> delivered = new CopyOnWriteArrayList<>();

        @Override
        public void take(int task, ByteBuffer message) {
            if (task == UNREADABLE) {
                throw new UncheckedIOException(new IOException("it sent what cannot be read"));
            }
            taken.add(task + ": " + (message.isDirect() ? StandardCharsets.US_ASCII.decode(message) + ", in place"
                : message.remaining() + " bytes"));
        }

        @Override
        public void deliver() {
            delivered.addAll(taken);
            taken.clear();
        }

        @Override
        public void recv(List<TaskMessage> batch) {
            throw new AssertionError("Messages were copied to arrays: " + batch);
        }
    }
}
