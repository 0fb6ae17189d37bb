package io.eyewall.client.stream.manager;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.eyewall.client.fuzz.Fuzz;
import io.eyewall.client.seam.NoTransport;
import io.eyewall.client.stream.wire.DomainSockets;
import io.eyewall.client.stream.wire.Hello;
import io.eyewall.client.stream.wire.InstanceStatus;
import io.eyewall.client.stream.wire.Introduction;
import io.eyewall.client.stream.wire.StreamWire;
import io.eyewall.client.time.NanoClock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.storm.messaging.TaskMessage;
import org.apache.storm.shade.io.netty.buffer.ByteBuf;
import org.apache.storm.shade.io.netty.buffer.Unpooled;
import org.apache.storm.shade.io.netty.channel.EventLoopGroup;
import org.apache.storm.shade.io.netty.channel.MultiThreadIoEventLoopGroup;
import org.apache.storm.shade.io.netty.util.concurrent.Future;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Real sockets: instance 3 belongs to another container, to which there is no connection, and the others to this one. */
class InstanceServerTest {

    static final String SECRET = ServedContainer.SECRET;
    private static final int WAIT_SECS = 120;
    static final int SPOUT = ServedContainer.SPOUT;
    static final int STALLED = 2;
    static final int SOURCE = 4;
    static final int SINK = 5;
    private static final long SHARED_BYTES = 4L << 20;
    private static final long MAX_BYTES = 8L << 20;
    private static final int MESSAGE_BYTES = ConnectedInstance.MESSAGE_BYTES;
    private static final long MAX_BYTES_KEPT = 24L << 20;

    private final EventLoopGroup clients = new MultiThreadIoEventLoopGroup(1, DomainSockets.ioHandlerFactory());
    private final Backlog backlog = new Backlog(SHARED_BYTES, MAX_BYTES);
    private ServedContainer container;
    private Containers containers;
    private InstanceServer server;

    @BeforeEach
    void listen(@TempDir Path directory) throws Exception {
        container = new ServedContainer(directory, new NoTransport(), backlog);
        containers = container.containers;
        server = container.server;
    }

    @AfterEach
    void close() throws Exception {
        container.close();
        assertFalse(container.failed, "the log has the exception");
        Future<?> unused = clients.shutdownGracefully(0, 1, TimeUnit.SECONDS).sync();
    }

    @Test
    void shouldPassTuplesFromOneInstanceToAnother() throws Exception {
        Client spout = new Client(1, SECRET);
        Client bolt = new Client(2, SECRET);
        spout.awaitReachable(2);
        byte[] frame = {7, 8, 9};

        spout.send(StreamWire.message(spout.channel.alloc(), 2, new TaskMessage(-700, frame)));

        TaskMessage arrived = StreamWire.tuples(bolt.awaitTuples());
        assertEquals(-700, arrived.task());
        assertArrayEquals(frame, arrived.message());
        server.deliver(List.of(new TaskMessage(2, new byte[] {0, 5, 42})));
        assertArrayEquals(new byte[] {42}, StreamWire.tuples(bolt.awaitTuples()).message(), "from another container");
    }

    @Test
    void shouldHoldTheSpoutWhenABoltCannotKeepUp() throws Exception {
        Client spout = new Client(1, SECRET);
        Client bolt = new Client(2, SECRET);
        spout.awaitReachable(2);

        bolt.send(StreamWire.message(bolt.channel.alloc(), new InstanceStatus(Set.of(), Set.of(2), Map.of())));

        spout.await(status -> status.held().equals(Set.of(1, 2, 3, 4, 5)));
        long nowNs = NanoClock.SYSTEM.nanoTime();
        assertTrue(onLoop(() -> {
            container.held.logChanges(nowNs);
            return container.held.page(nowNs);
        }).startsWith("2\t1\t"), "the instance is named");
    }

    @Test
    void shouldGoOnWithOthersWhileAnInstanceTakesNothing() throws Exception {
        Client stalled = new Client(STALLED, SECRET);
        Client sink = new Client(SINK, SECRET);
        Client spout = new Client(SPOUT, SECRET);
        Client source = new Client(SOURCE, SECRET);
        spout.awaitReachable(STALLED);
        source.awaitReachable(SINK);
        stalled.channel.config().setAutoRead(false);
        int many = 200;

        spout.sendLater(STALLED, many);
        spout.await(status -> status.held().contains(STALLED));
        Awaitility.await().atMost(WAIT_SECS, TimeUnit.SECONDS).until(() -> onLoop(() -> isFull(STALLED)));
        server.deliver(List.of(message(STALLED), message(SINK)));
        source.sendLater(SINK, many);
        sink.awaitTuples(many + 1);

        assertFalse(spout.channel.isWritable(), "whoever sends to it waits");
        assertTrue(onLoop(backlog::usedBytes) < MAX_BYTES);
        stalled.channel.config().setAutoRead(true);
        stalled.awaitTuples(many + 1);
        assertEquals(0, containers.takeDropped() + containers.takeRefused());
    }

    @Test
    void shouldDropAndCountWhatOtherContainersSendBeyondTheLimit() throws Exception {
        Client stalled = new Client(STALLED, SECRET);
        Client sink = new Client(SINK, SECRET);
        sink.awaitReachable(STALLED);
        stalled.channel.config().setAutoRead(false);
        int many = 300;

        for (int i = 0; i < many; i++) {
            server.deliver(List.of(message(STALLED)));
        }
        server.deliver(List.of(message(SINK)));
        sink.awaitTuples(1);

        assertTrue(onLoop(backlog::usedBytes) <= MAX_BYTES + SHARED_BYTES / 4);
        long refused = containers.takeRefused();
        assertTrue(refused > 0);
        stalled.channel.config().setAutoRead(true);
        stalled.awaitTuples((int) (many - refused));
        assertEquals(0, containers.takeDropped());
    }

    /** Each of them has come in the same buffer as a large one for an instance that does not wait. */
    @Test
    void shouldTakeLittleMemoryForSmallMessagesThatWait() throws Exception {
        Client stalled = new Client(STALLED, SECRET);
        Client sink = new Client(SINK, SECRET);
        Client source = new Client(SOURCE, SECRET);
        source.await(status -> status.tasks().containsAll(Set.of(STALLED, SINK)));
        stalled.channel.config().setAutoRead(false);
        long before = 0;
        int rounds = 60;
        int each = 40;
        for (int round = 0; round < rounds; round++) {
            if (round == 10) {
                before = Fuzz.usedBytes();
            }
            for (int i = 0; i < each; i++) {
                Future<?> unused = source.channel.write(
                    StreamWire.message(source.channel.alloc(), STALLED, new TaskMessage(5, new byte[9])));
                source.sendLater(SINK, 1);
            }
            sink.awaitTuples(each);
        }

        assertTrue(Fuzz.usedBytes() - before < MAX_BYTES_KEPT, "without copies it would be 128 MB");
        stalled.channel.config().setAutoRead(true);
        stalled.awaitTuples(rounds * each);
    }

    @Test
    void shouldHaveLargeMessagesWaitForRoomBeforeTheyCome() throws Exception {
        int largeBytes = 3 << 20;
        Client sink = new Client(SINK, SECRET);
        List<Client> sources = List.of(new Client(SPOUT, SECRET), new Client(STALLED, SECRET), new Client(SOURCE, SECRET));
        sources.get(2).await(status -> status.tasks().containsAll(Set.of(SPOUT, STALLED, SOURCE, SINK)));
        List<ByteBuf> rests = new ArrayList<>();
        for (Client source : sources) {
            ByteBuf large = StreamWire.message(source.channel.alloc(), SINK, new TaskMessage(5, new byte[largeBytes]));
            source.send(large.readRetainedSlice(100_000));
            rests.add(large);
            Awaitility.await().atMost(WAIT_SECS, TimeUnit.SECONDS).until(() -> onLoop(backlog::usedBytes) >= largeBytes);
        }
        Future<?> second = sources.get(1).channel.writeAndFlush(rests.get(1));
        server.deliver(List.of(message(SINK)));
        sink.awaitTuples(1);
        assertFalse(second.isDone(), "it waits for the first one");
        assertTrue(onLoop(backlog::usedBytes) < 2L * largeBytes);

        sources.get(0).send(rests.get(0));
        sink.awaitTuples(2);
        sources.get(2).send(rests.get(2));
        sink.awaitTuples(1);
        Awaitility.await().atMost(WAIT_SECS, TimeUnit.SECONDS).until(() -> onLoop(backlog::usedBytes) < MESSAGE_BYTES);
        assertEquals(0, containers.takeDropped() + containers.takeRefused());
    }

    @Test
    void shouldForgetALargeMessageWhoseInstanceDies() throws Exception {
        int largeBytes = 3 << 20;
        Client sink = new Client(SINK, SECRET);
        Client spout = new Client(SPOUT, SECRET);
        Client source = new Client(SOURCE, SECRET);
        source.await(status -> status.tasks().containsAll(Set.of(SPOUT, SINK)));
        for (Client dying : List.of(spout, source)) {
            dying.send(StreamWire.message(dying.channel.alloc(), SINK, new TaskMessage(5, new byte[largeBytes])).readSlice(100_000));
            Awaitility.await().atMost(WAIT_SECS, TimeUnit.SECONDS).until(() -> onLoop(backlog::usedBytes) >= largeBytes);
        }

        for (Client dying : List.of(source, spout)) {
            Future<?> unused = dying.channel.close().sync();
        }

        Awaitility.await().atMost(WAIT_SECS, TimeUnit.SECONDS).until(() -> onLoop(backlog::usedBytes) == 0);
        server.deliver(List.of(message(SINK)));
        sink.awaitTuples(1);
    }

    @Test
    void shouldCountWhatWaitsForAnInstanceThatDies() throws Exception {
        Client stalled = new Client(STALLED, SECRET);
        Client spout = new Client(SPOUT, SECRET);
        spout.awaitReachable(STALLED);
        stalled.channel.config().setAutoRead(false);
        int many = 200;
        spout.sendLater(STALLED, many);
        Awaitility.await().atMost(WAIT_SECS, TimeUnit.SECONDS).until(() -> onLoop(() -> isFull(STALLED)));

        Future<?> unused = stalled.channel.close().sync();

        Client next = new Client(STALLED, SECRET);
        next.awaitReachable(SPOUT);
        spout.send(StreamWire.message(spout.channel.alloc(), STALLED, new TaskMessage(9, new byte[1])));
        int taken = 0;
        while (StreamWire.tuples(next.awaitTuples()).task() != 9) {
            taken++;
        }
        long dropped = containers.takeDropped();
        assertTrue(dropped > 0, "what the first one was to take");
        assertTrue(taken > 0, "what had to wait before it was read");
        assertTrue(taken + dropped < many, "the socket had taken some");
    }

    @Test
    void shouldKeepOnlyTheNewestStatusForAnInstanceThatTakesNothing() throws Exception {
        Client stalled = new Client(STALLED, SECRET);
        Client source = new Client(SOURCE, SECRET);
        stalled.awaitReachable(SOURCE);
        stalled.channel.config().setAutoRead(false);
        for (int i = 0; i < 30; i++) {
            server.deliver(List.of(message(STALLED)));
        }
        Awaitility.await().atMost(WAIT_SECS, TimeUnit.SECONDS).until(() -> onLoop(backlog::usedBytes) > (1 << 20) + MESSAGE_BYTES);
        long before = onLoop(backlog::usedBytes);

        for (int i = 1; i <= 20_000; i++) {
            InstanceStatus next = new InstanceStatus(Set.of(), Set.of(), Map.of(SOURCE, (double) i));
            container.loop().execute(() -> container.router.reported(SOURCE, next));
            container.loop().execute(server::everySecond);
        }
        source.await(status -> status.loads().getOrDefault(SOURCE, 0.0) == 20_000);
        Future<?> unused = container.loop().submit(() -> server.deliver(List.of(message(STALLED)))).sync();
        assertTrue(onLoop(backlog::usedBytes) < before + 2 * MESSAGE_BYTES);
        stalled.channel.config().setAutoRead(true);
        stalled.await(status -> status.loads().getOrDefault(SOURCE, 0.0) == 20_000);
        stalled.awaitTuples(31);
    }

    @Test
    void shouldDropAndCountWhatGoesNowhere() throws Exception {
        Client spout = new Client(1, SECRET);
        spout.awaitReachable(1);

        spout.send(StreamWire.message(spout.channel.alloc(), 99, new TaskMessage(5, new byte[1])));
        awaitDropped(1, "not in the plan");

        server.deliver(List.of(new TaskMessage(99, new byte[3]), new TaskMessage(2, new byte[1])));
        awaitDropped(2, "not in the plan, no tuples");
        assertTrue(spout.channel.isActive());
    }

    @Test
    void shouldKeepTuplesInOrderUntilTheirInstanceConnects() throws Exception {
        Client spout = new Client(SPOUT, SECRET);
        spout.awaitReachable(SPOUT);
        int many = 100;
        for (byte i = 0; i < many; i++) {
            spout.send(StreamWire.message(spout.channel.alloc(), SINK, new TaskMessage(5, new byte[] {1, i})));
            server.deliver(List.of(new TaskMessage(SINK, new byte[] {0, 5, 2, i})));
        }
        Awaitility.await().atMost(WAIT_SECS, TimeUnit.SECONDS).until(() -> onLoop(backlog::usedBytes) > 2L * many * Integer.BYTES);

        Client sink = new Client(SINK, SECRET);

        byte[] next = new byte[3];
        for (int i = 0; i < 2 * many; i++) {
            byte[] tuple = StreamWire.tuples(sink.awaitTuples()).message();
            assertEquals(next[tuple[0]]++, tuple[1], () -> "source " + tuple[0]);
        }
        assertArrayEquals(new byte[] {0, (byte) many, (byte) many}, next);
        assertEquals(0, containers.takeDropped() + containers.takeRefused());
    }

    @Test
    void shouldHoldWhoSendsToAnInstanceThatIsNotThere() throws Exception {
        Client spout = new Client(SPOUT, SECRET);
        Client source = new Client(SOURCE, SECRET);
        Client stalled = new Client(STALLED, SECRET);
        source.await(status -> status.tasks().containsAll(Set.of(SPOUT, STALLED)));
        int many = 200;

        spout.sendLater(SINK, many);
        spout.await(status -> status.held().contains(SINK));
        Awaitility.await().atMost(WAIT_SECS, TimeUnit.SECONDS).until(() -> onLoop(() -> isFull(SINK)));
        source.sendLater(STALLED, many);
        stalled.awaitTuples(many);
        assertTrue(onLoop(backlog::usedBytes) < MAX_BYTES);
        assertFalse(spout.channel.isWritable(), "whoever sends to it waits");

        new Client(SINK, SECRET).awaitTuples(many);

        Awaitility.await().atMost(WAIT_SECS, TimeUnit.SECONDS).until(() -> !onLoop(() -> isFull(SINK)));
        assertEquals(0, containers.takeDropped() + containers.takeRefused());
    }

    @Test
    void shouldLetAnInstanceLeaveThatHasSentItsLast() throws Exception {
        Client spout = new Client(SPOUT, SECRET);
        Client old = new Client(SINK, SECRET);
        Client stalled = new Client(STALLED, SECRET);
        spout.awaitReachable(STALLED);
        old.send(StreamWire.leave(old.channel.alloc()));
        assertEquals(StreamWire.LEAVE, StreamWire.type(old.awaitTuples()));
        spout.await(status -> !status.tasks().contains(SINK));
        assertTrue(onLoop(() -> container.router.isLeaving(SINK)));
        spout.send(StreamWire.message(spout.channel.alloc(), SINK, new TaskMessage(2, new byte[1])));
        old.send(StreamWire.message(old.channel.alloc(), STALLED, new TaskMessage(3, new byte[1])));
        old.send(StreamWire.leave(old.channel.alloc()));
        old.awaitClosed();

        assertEquals(3, StreamWire.tuples(stalled.awaitTuples()).task());
        Awaitility.await().atMost(WAIT_SECS, TimeUnit.SECONDS).until(() -> !onLoop(() -> container.router.isLeaving(SINK)));
        assertEquals(2, StreamWire.tuples(new Client(SINK, SECRET).awaitTuples()).task(), "it waits for the next one");
    }

    /** Its process may still execute what it has got. */
    @Test
    void shouldKeepTheClaimOfAnInstanceThatDisconnectsBeforeItsLast() throws Exception {
        Client moving = new Client(ServedContainer.REMOTE, SECRET);
        moving.awaitReachable(ServedContainer.REMOTE);
        Future<?> unused = container.loop().submit(() -> container.router.claim(Set.of(ServedContainer.REMOTE))).sync();
        moving.send(StreamWire.leave(moving.channel.alloc()));
        assertEquals(StreamWire.LEAVE, StreamWire.type(moving.awaitTuples()));

        unused = moving.channel.close().sync();

        Awaitility.await().atMost(WAIT_SECS, TimeUnit.SECONDS)
            .until(() -> !onLoop(() -> container.router.isLeaving(ServedContainer.REMOTE)));
        assertTrue(onLoop(container.router::report).moves().claimed().contains(ServedContainer.REMOTE));
    }

    private void awaitDropped(int expected, String why) throws InterruptedException {
        AtomicLong dropped = new AtomicLong();
        Awaitility.await().atMost(WAIT_SECS, TimeUnit.SECONDS).until(() -> dropped.addAndGet(containers.takeDropped()) >= expected);
        assertEquals(expected, dropped.get(), why);
    }

    @Test
    void shouldRefuseWhoeverDoesNotKnowTheSecret() throws Exception {
        new Client(1, "cd".repeat(Hello.SECRET_BYTES / 2)).awaitClosed();
    }

    @Test
    void shouldTakeWhatHasComeWithTheGreeting() throws Exception {
        Client instance = new Client();
        ByteBuf both = StreamWire.message(instance.channel.alloc(), new Hello(SINK, Set.of(SINK), SECRET));
        ByteBuf leave = StreamWire.leave(instance.channel.alloc());
        both.writeBytes(leave);
        leave.release();

        instance.send(both);

        assertEquals(StreamWire.LEAVE, StreamWire.type(instance.awaitTuples()));
    }

    /** The tasks of two instances come to one, and the other way round. */
    @Test
    void shouldSendToWhateverInstanceHasTheTask() throws Exception {
        Client spout = new Client(SPOUT, SECRET);
        Client both = new Client(SINK, Set.of(SINK, SOURCE), SECRET);
        spout.awaitReachable(SOURCE);
        spout.send(StreamWire.message(spout.channel.alloc(), SOURCE, new TaskMessage(1, new byte[1])));
        spout.send(StreamWire.message(spout.channel.alloc(), SINK, new TaskMessage(2, new byte[1])));
        assertEquals(1, StreamWire.tuples(both.awaitTuples()).task());
        assertEquals(2, StreamWire.tuples(both.awaitTuples()).task());
        both.send(StreamWire.leave(both.channel.alloc()));
        assertEquals(StreamWire.LEAVE, StreamWire.type(both.awaitTuples()));
        spout.await(status -> !status.tasks().contains(SOURCE));
        spout.send(StreamWire.message(spout.channel.alloc(), SOURCE, new TaskMessage(3, new byte[1])));
        spout.send(StreamWire.message(spout.channel.alloc(), SINK, new TaskMessage(4, new byte[1])));
        both.send(StreamWire.leave(both.channel.alloc()));
        both.awaitClosed();

        assertEquals(3, StreamWire.tuples(new Client(SOURCE, SECRET).awaitTuples()).task());
        assertEquals(4, StreamWire.tuples(new Client(SINK, SECRET).awaitTuples()).task());
        assertEquals(0, containers.takeDropped());
    }

    @Test
    void shouldTakeAnInstanceThatHasToMoveButHasNotLeft() throws Exception {
        new Client(ServedContainer.REMOTE, SECRET).awaitReachable(ServedContainer.REMOTE);
    }

    @Test
    void shouldCloseTheConnectionThatSendsNoMessages() throws Exception {
        Client stranger = new Client();
        stranger.send(Unpooled.wrappedBuffer("GET / HTTP/1.1\r\n\r\n".getBytes(StandardCharsets.US_ASCII)));
        stranger.awaitClosed();

        Client instance = new Client(1, SECRET);
        instance.awaitReachable(1);
        instance.send(Unpooled.buffer().writeInt(1).writeByte(77));
        instance.awaitClosed();
    }

    @Test
    void shouldLetAnInstanceThatWasStartedAnewTakeThePlaceOfTheOldOne() throws Exception {
        Client old = new Client(2, SECRET);
        old.awaitReachable(2);
        Client next = new Client(2, SECRET);
        next.awaitReachable(2);
        old.awaitClosed();
        Client spout = new Client(1, SECRET);
        spout.awaitReachable(2);

        spout.send(StreamWire.message(spout.channel.alloc(), 2, new TaskMessage(5, new byte[1])));

        assertEquals(5, StreamWire.tuples(next.awaitTuples()).task());
    }

    private static TaskMessage message(int instance) {
        return new TaskMessage(instance, new byte[MESSAGE_BYTES]);
    }

    private boolean isFull(int instance) {
        return container.router.report().full().contains(instance);
    }

    private <T> T onLoop(Callable<T> asked) throws Exception {
        return container.loop().submit(asked).get();
    }

    /** Where instances make rings; empty if everything goes over sockets. */
    Optional<Path> sharedMemory() {
        return Optional.empty();
    }

    ConnectedInstance connect(Introduction introduction) throws Exception {
        return new ConnectedInstance(clients, container.socket, introduction);
    }

    /** The other end of a connection to this test's container. */
    private final class Client extends ConnectedInstance {
        Client(int instance, String secret) throws Exception {
            this(instance, Set.of(instance), secret);
        }

        Client(int instance, Set<Integer> tasks, String secret) throws Exception {
            super(clients, container.socket, new Introduction(instance, tasks, secret, sharedMemory()));
        }

        Client() throws Exception {
            super(clients, container.socket);
        }
    }
}
