package io.eyewall.transport.fabric;

import static io.eyewall.transport.fabric.ReceivedMessages.patiently;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.eyewall.client.engine.SpaceSignal;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.apache.storm.messaging.ConnectionWithStatus;
import org.apache.storm.messaging.ConnectionWithStatus.Status;
import org.apache.storm.messaging.IConnection;
import org.apache.storm.messaging.IConnectionCallback;
import org.apache.storm.messaging.IContext;
import org.apache.storm.messaging.TaskMessage;
import org.apache.storm.messaging.netty.BackPressureStatus;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** What a worker relies on, for each transport. */
@RequiresLibfabric
@ParameterizedClass
@EnumSource(Transport.class)
class TransportContractTest {

    private static final String TOPOLOGY = "contract-1";
    private static final String LOCALHOST = "127.0.0.1";
    private static final int CONNECTIONS = 200;
    private static final int TASK = 7;

    private static IContext receiver;
    private static IContext sender;

    private final Transport transport;
    private final ReceivedMessages received = new ReceivedMessages();
    private final AtomicBoolean[] remoteBackPressure =
        IntStream.range(0, 10).mapToObj(i -> new AtomicBoolean()).toArray(AtomicBoolean[]::new);
    private final List<IConnection> connections = new ArrayList<>();

    TransportContractTest(Transport transport) {
        this.transport = transport;
    }

    /** Once for all tests, since those of Netty take seconds to close. */
    @BeforeParameterizedClassInvocation
    static void openContexts(Transport transport) {
        receiver = transport.context(Map.of());
        sender = transport.context(Map.of());
    }

    @AfterParameterizedClassInvocation
    static void closeContexts() {
        sender.term();
        receiver.term();
    }

    @AfterEach
    void close() {
        connections.forEach(IConnection::close);
    }

    @Test
    void shouldDeliverMessagesOfAllSizesInOrder() {
        ConnectionWithStatus client = connect(bind(received));
        Random random = new Random(1);
        List<byte[]> sent = new ArrayList<>();
        for (int sizeBytes = 1; sizeBytes <= 8 << 20; sizeBytes *= 2) {
            for (int more = -1; more <= 1; more++) {
                sent.add(new byte[Math.max(1, sizeBytes + more)]);
            }
        }
        sent.forEach(random::nextBytes);
        send(client, sent);
        List<byte[]> arrived = received.await(TASK, sent.size());
        for (int i = 0; i < sent.size(); i++) {
            assertArrayEquals(sent.get(i), arrived.get(i), "message " + i + " of " + sent.get(i).length + " bytes");
        }
    }

    @Test
    void shouldDeliverManySmallMessagesInOrder() {
        ConnectionWithStatus client = connect(bind(received));
        List<byte[]> sent = numbers(20_000);
        for (int from = 0; from < sent.size(); from += 100) {
            send(client, sent.subList(from, from + 100));
        }
        assertNumbered(received.await(TASK, sent.size()));
    }

    @Test
    void shouldKeepTheOrderOfEachOfManyConnections() {
        int port = bind(received);
        List<ConnectionWithStatus> clients = new ArrayList<>();
        for (int i = 0; i < CONNECTIONS; i++) {
            clients.add(open(port));
        }
        patiently().until(() -> clients.stream().allMatch(client -> client.status() == Status.Ready));
        for (byte[] number : numbers(20)) {
            for (int i = 0; i < CONNECTIONS; i++) {
                clients.get(i).send(List.of(new TaskMessage(i, number)).iterator());
            }
        }
        patiently().until(() -> IntStream.range(0, CONNECTIONS).allMatch(i -> received.of(i).size() >= 20));
        for (int i = 0; i < CONNECTIONS; i++) {
            assertNumbered(received.await(i, 20));
        }
    }

    @Test
    void shouldConnectBeforeThePeerIsUpAndAgainWhenItComesBack() {
        IConnection first = receiver.bind(TOPOLOGY, 0, new ReceivedMessages(), null);
        int port = first.getPort();
        first.close();
        ConnectionWithStatus client = open(port);
        assertEquals(Status.Connecting, client.status());
        IConnection second = patiently().ignoreExceptions()
            .until(() -> receiver.bind(TOPOLOGY, port, received, null), bound -> bound != null);
        awaitReady(client);
        send(client, numbers(10));
        received.await(TASK, 10);
        second.close();
        patiently().until(() -> client.status() == Status.Connecting);
        // This message is dropped. Netty notices only by a send that it has no connection.
        send(client, numbers(1));
        ReceivedMessages later = new ReceivedMessages();
        connections.add(patiently().ignoreExceptions()
            .until(() -> receiver.bind(TOPOLOGY, port, later, null), bound -> bound != null));
        awaitReady(client);
        send(client, numbers(5));
        later.await(TASK, 5);
        assertEquals(10, received.of(TASK).size(), "nothing arrives twice");
    }

    @Test
    void shouldNoticeAKilledPeerAndConnectToItsSuccessor() throws Exception {
        ConnectionWithStatus client;
        int port;
        try (PeerProcess peer = PeerProcess.start(transport, TOPOLOGY, 0)) {
            port = peer.awaitPort();
            client = connect(port);
            send(client, numbers(1));
            assertEquals(1, peer.awaitMessages());
            peer.kill();
        }
        patiently().until(() -> client.status() == Status.Connecting);
        send(client, numbers(3));
        connections.add(patiently().ignoreExceptions()
            .until(() -> receiver.bind(TOPOLOGY, port, received, null), bound -> bound != null));
        awaitReady(client);
        send(client, numbers(1));
        received.await(TASK, 1); // And no more: messages without a receiver are dropped.
    }

    @Test
    void shouldLoseNothingWhenTheReaderIsSlow() {
        CountDownLatch reading = new CountDownLatch(1);
        ConnectionWithStatus client = connect(bind(batch -> {
            awaitUninterruptibly(reading);
            received.recv(batch);
        }));
        Thread sending = new Thread(() -> {
            for (int i = 0; i < 2_000; i++) {
                byte[] message = new byte[4_000];
                ByteBuffer.wrap(message).putInt(i);
                send(client, List.of(message));
            }
        });
        sending.start();
        // Until it waits, or the transport has buffered all messages.
        patiently().until(() -> sending.getState() == Thread.State.WAITING || !sending.isAlive());
        reading.countDown();
        patiently().until(() -> !sending.isAlive());
        assertNumbered(received.await(TASK, 2_000));
    }

    @Test
    void shouldDeliverAllMessagesBeforeItCloses() {
        ConnectionWithStatus client = connect(bind(received));
        send(client, numbers(1_000));
        client.close();
        assertEquals(Status.Closed, client.status());
        assertNumbered(received.await(TASK, 1_000));
        send(client, numbers(1));
        assertEquals(1_000, received.of(TASK).size());
    }

    @Test
    void shouldReportTheLoadOfTasksToSenders() {
        ConnectionWithStatus server = (ConnectionWithStatus) bindConnection(received, null);
        ConnectionWithStatus client = connect(server.getPort());
        assertTrue(client.getLoad(List.of(1, 2)).isEmpty());
        patiently().until(() -> {
            server.sendLoadMetrics(new HashMap<>(Map.of(1, 0.25, 2, 0.75)));
            return client.getLoad(List.of(1, 2, 3)).size() == 2;
        });
        assertEquals(0.25, client.getLoad(List.of(1)).get(1).getBoltLoad());
        assertEquals(0.75, client.getLoad(List.of(2)).get(2).getBoltLoad());
    }

    @Test
    void shouldReportBackPressureToSendersWhenTheyConnectAndWhenItChanges() {
        ConnectionWithStatus server = (ConnectionWithStatus) bindConnection(received,
            () -> backPressure(List.of(3, 4), List.of(5)));
        remoteBackPressure[5].set(true);
        ConnectionWithStatus client = connect(server.getPort());
        patiently().until(() -> remoteBackPressure[3].get() && remoteBackPressure[4].get() && !remoteBackPressure[5].get());
        awaitBroadcasts(server, client);
        server.sendBackPressureStatus(backPressure(List.of(4), List.of(3)));
        patiently().until(() -> !remoteBackPressure[3].get());
        assertTrue(remoteBackPressure[4].get());
    }

    @Test
    void shouldWakeAThreadThatWaitsForRoomWhenBackPressureEnds() {
        ConnectionWithStatus server = (ConnectionWithStatus) bindConnection(received, null);
        remoteBackPressure[3].set(true);
        awaitBroadcasts(server, connect(server.getPort()));
        // A thread that only waits: a thread that also sends may park at a lock of Netty's, and so miss the wake-up.
        Thread waiter = new Thread(() -> {
            while (remoteBackPressure[3].get()) {
                SpaceSignal.ofOtherWorkers().register();
                if (remoteBackPressure[3].get()) {
                    LockSupport.parkNanos(TimeUnit.MINUTES.toNanos(2));
                }
            }
        }, "waiter");
        waiter.setDaemon(true);
        waiter.start();
        patiently().until(() -> waiter.getState() == Thread.State.TIMED_WAITING);
        server.sendBackPressureStatus(backPressure(List.of(), List.of(3)));
        assertTimeoutPreemptively(Duration.ofMinutes(1), () -> waiter.join());
    }

    @Test
    void shouldServeSeveralWorkersOfOneHost() {
        ReceivedMessages others = new ReceivedMessages();
        ConnectionWithStatus client = connect(bind(received));
        IConnection other = sender.bind("contract-2", 0, others, null);
        connections.add(other);
        IConnection otherClient = receiver.connect("contract-2", LOCALHOST, other.getPort(), remoteBackPressure);
        connections.add(otherClient);
        awaitReady((ConnectionWithStatus) otherClient);
        send(client, numbers(100));
        send((ConnectionWithStatus) otherClient, numbers(50));
        assertNumbered(received.await(TASK, 100));
        assertNumbered(others.await(TASK, 50));
    }

    private int bind(IConnectionCallback callback) {
        return bindConnection(callback, null).getPort();
    }

    private IConnection bindConnection(IConnectionCallback callback, Supplier<Object> firstStatus) {
        IConnection server = receiver.bind(TOPOLOGY, 0, callback, firstStatus);
        connections.add(server);
        return server;
    }

    private ConnectionWithStatus open(int port) {
        IConnection client = sender.connect(TOPOLOGY, LOCALHOST, port, remoteBackPressure);
        // Closed before the servers, which must outlive their senders.
        connections.add(0, client);
        return (ConnectionWithStatus) client;
    }

    private ConnectionWithStatus connect(int port) {
        ConnectionWithStatus client = open(port);
        awaitReady(client);
        return client;
    }

    /** A status with lists of a type that Netty's encoder supports. */
    private static BackPressureStatus backPressure(List<Integer> tasks, List<Integer> spared) {
        return new BackPressureStatus("worker-1", new ArrayList<>(tasks), new ArrayList<>(spared));
    }

    private static void awaitReady(ConnectionWithStatus connection) {
        patiently().until(() -> connection.status() == Status.Ready);
    }

    /** Waits until what a server sends to all its peers reaches a client. Netty's server has the status Ready before that. */
    private static void awaitBroadcasts(ConnectionWithStatus server, ConnectionWithStatus client) {
        patiently().until(() -> {
            server.sendLoadMetrics(new HashMap<>(Map.of(1, 0.5)));
            return !client.getLoad(List.of(1)).isEmpty();
        });
    }

    private static void send(ConnectionWithStatus client, List<byte[]> messages) {
        client.send(messages.stream().map(bytes -> new TaskMessage(TASK, bytes)).toList().iterator());
    }

    private static List<byte[]> numbers(int count) {
        return IntStream.range(0, count).mapToObj(i -> ByteBuffer.allocate(Integer.BYTES).putInt(i).array()).toList();
    }

    private static void assertNumbered(List<byte[]> messages) {
        for (int i = 0; i < messages.size(); i++) {
            assertEquals(i, ByteBuffer.wrap(messages.get(i)).getInt());
        }
    }

    private static void awaitUninterruptibly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
