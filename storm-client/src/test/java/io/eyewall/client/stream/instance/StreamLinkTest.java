package io.eyewall.client.stream.instance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.eyewall.client.stream.wire.DomainSockets;
import io.eyewall.client.stream.wire.InstanceStatus;
import io.eyewall.client.stream.wire.Introduction;
import io.eyewall.client.stream.wire.Moves;
import io.eyewall.client.stream.wire.StreamWire;
import io.eyewall.client.time.NanoClock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.apache.storm.messaging.ConnectionWithStatus;
import org.apache.storm.messaging.TaskMessage;
import org.apache.storm.messaging.netty.BackPressureStatus;
import org.apache.storm.shade.io.netty.bootstrap.ServerBootstrap;
import org.apache.storm.shade.io.netty.buffer.ByteBuf;
import org.apache.storm.shade.io.netty.channel.Channel;
import org.apache.storm.shade.io.netty.channel.ChannelHandlerContext;
import org.apache.storm.shade.io.netty.channel.ChannelInitializer;
import org.apache.storm.shade.io.netty.channel.EventLoopGroup;
import org.apache.storm.shade.io.netty.channel.MultiThreadIoEventLoopGroup;
import org.apache.storm.shade.io.netty.channel.SimpleChannelInboundHandler;
import org.apache.storm.shade.io.netty.util.concurrent.Future;
import org.apache.storm.utils.Utils;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The other end is a socket at which the test is the stream manager. */
class StreamLinkTest {

    private static final int OWN = 1;
    private static final int OTHER = 2;
    private static final int ELSEWHERE = 3;
    private static final int STARTING = 4;
    private static final int MESSAGES = 256;
    private static final int MESSAGE_BYTES = 64 << 10;
    private static final int WAIT_SECS = 120;

    @TempDir
    private Path directory;

    private final EventLoopGroup loop = new MultiThreadIoEventLoopGroup(1, DomainSockets.ioHandlerFactory());
    private final EventLoopGroup managersLoop = new MultiThreadIoEventLoopGroup(1, DomainSockets.ioHandlerFactory());
    private final BlockingQueue<InstanceStatus> reports = new LinkedBlockingQueue<>();
    private final BlockingQueue<Channel> accepted = new LinkedBlockingQueue<>();
    private final AtomicInteger received = new AtomicInteger();
    private final AtomicInteger sent = new AtomicInteger();
    private Path socket;
    private Channel listener;
    /** The connection, as the stream manager has it. */
    private Channel manager;
    private StreamLink link;
    private ConnectionWithStatus receiver;
    /** Whether the queue is full when the link connects again. */
    private volatile boolean isFull;

    @BeforeEach
    void begin() throws Exception {
        socket = directory.resolve("manager");
        listen();
        link = link(true);
    }

    private StreamLink link(boolean pausesWhenHeld) {
        return new StreamLink(loop, socket, new Introduction(OWN, Set.of(OWN), "s".repeat(64), Optional.empty()),
            Utils.readDefaultConfig(), pausesWhenHeld, NanoClock.SYSTEM);
    }

    @AfterEach
    void close() throws InterruptedException {
        link.close();
        Future<?> unused = loop.shutdownGracefully(0, WAIT_SECS, TimeUnit.SECONDS).sync();
        unused = managersLoop.shutdownGracefully(0, WAIT_SECS, TimeUnit.SECONDS).sync();
    }

    /** A bolt whose queue is full before it is prepared waits for the tasks to which it sends. */
    @Test
    void shouldLearnThatOthersCanBeReachedWhileAQueueIsFull() throws Exception {
        start(OWN);
        ConnectionWithStatus other = (ConnectionWithStatus) link.connection(OTHER, flags());
        awaitReport(Set.of(OWN));

        reach(Set.of(OWN, OTHER));

        Awaitility.await().atMost(WAIT_SECS, TimeUnit.SECONDS).until(() -> other.status() == ConnectionWithStatus.Status.Ready);
    }

    @Test
    void shouldTakeNothingMoreWhileAQueueIsFullOnceOthersCanBeReached() throws Exception {
        start();
        ConnectionWithStatus other = (ConnectionWithStatus) link.connection(OTHER, flags());
        reach(Set.of(OWN, OTHER));
        Awaitility.await().atMost(WAIT_SECS, TimeUnit.SECONDS).until(() -> other.status() == ConnectionWithStatus.Status.Ready);

        shouldTakeNothingWhileHeld();
    }

    /** No other status need ever come. */
    @Test
    void shouldTakeNothingMoreWhileAQueueIsFullAlthoughOthersCouldBeReachedBefore() throws Exception {
        start();
        link.slotHas(Set.of(OTHER));
        reach(Set.of(OWN, OTHER));
        Awaitility.await().atMost(WAIT_SECS, TimeUnit.SECONDS).until(() -> link.slotTasks().equals(Set.of(OTHER)));
        link.connection(OTHER, flags());

        shouldTakeNothingWhileHeld();
    }

    private void shouldTakeNothingWhileHeld() throws Exception {
        hold(OWN);
        awaitReport(Set.of(OWN));
        receiver.sendLoadMetrics(Map.of()); // The pause begins after the first report.
        awaitReport(Set.of(OWN));
        sendMessages();
        receiver.sendLoadMetrics(Map.of(OWN, 1.0));
        awaitReport(Set.of(OWN));
        assertEquals(0, received.get());

        hold();
        Awaitility.await().atMost(WAIT_SECS, TimeUnit.SECONDS).until(() -> received.get() == MESSAGES);
    }

    /** It must learn when it may send again itself. */
    @Test
    void shouldGoOnReadingWhileAQueueIsFullIfBackPressureStopsSenders() throws Exception {
        link = link(false);
        start();
        AtomicBoolean[] flags = flags();
        ConnectionWithStatus other = (ConnectionWithStatus) link.connection(OTHER, flags);
        reach(Set.of(OWN, OTHER));
        Awaitility.await().atMost(WAIT_SECS, TimeUnit.SECONDS).until(() -> other.status() == ConnectionWithStatus.Status.Ready);
        hold(OWN);
        awaitReport(Set.of(OWN));
        receiver.sendLoadMetrics(Map.of());
        awaitReport(Set.of(OWN));

        sendMessages();
        Awaitility.await().atMost(WAIT_SECS, TimeUnit.SECONDS).until(() -> received.get() == MESSAGES);
        send(new InstanceStatus(Set.of(OWN, OTHER), Set.of(OTHER), Map.of()));
        Awaitility.await().atMost(WAIT_SECS, TimeUnit.SECONDS).until(flags[OTHER]::get);
        send(new InstanceStatus(Set.of(OWN, OTHER), Set.of(), Map.of()));
        Awaitility.await().atMost(WAIT_SECS, TimeUnit.SECONDS).until(() -> !flags[OTHER].get());
    }

    private void sendMessages() {
        for (int i = 0; i < MESSAGES; i++) {
            Future<Void> unused = manager.writeAndFlush(StreamWire.message(manager.alloc(), OWN,
                new TaskMessage(OWN, new byte[MESSAGE_BYTES])));
        }
    }

    /** It holds all tuples back meanwhile, so that the queue stays full. */
    @Test
    void shouldSendAgainWhenTheStreamManagerHasStartedAgainAlthoughAQueueIsFull() throws Exception {
        start();
        AtomicBoolean[] flags = flags();
        ConnectionWithStatus other = (ConnectionWithStatus) link.connection(OTHER, flags);
        reach(Set.of(OWN, OTHER));
        Awaitility.await().atMost(WAIT_SECS, TimeUnit.SECONDS).until(() -> other.status() == ConnectionWithStatus.Status.Ready);
        hold(OWN);
        awaitReport(Set.of(OWN));
        isFull = true;

        Future<Void> unused = listener.close().sync();
        unused = manager.close().sync();
        Awaitility.await().atMost(WAIT_SECS, TimeUnit.SECONDS).until(() -> Stream.of(flags).allMatch(AtomicBoolean::get));
        Files.deleteIfExists(socket);
        listen();
        manager = accepted.poll(WAIT_SECS, TimeUnit.SECONDS);
        awaitReport(Set.of(OWN));
        reach(Set.of(OWN, OTHER));

        Awaitility.await().atMost(WAIT_SECS, TimeUnit.SECONDS).until(() -> Stream.of(flags).noneMatch(AtomicBoolean::get));
    }

    @Test
    void shouldKnowTheTasksOfItsSlotThatCanBeReached() throws Exception {
        start();
        link.slotHas(Set.of(OWN, OTHER));
        reach(Set.of(OWN, ELSEWHERE));
        Awaitility.await().atMost(WAIT_SECS, TimeUnit.SECONDS).until(() -> link.slotTasks().equals(Set.of(OWN)));

        reach(Set.of(OWN, OTHER, ELSEWHERE));
        Awaitility.await().atMost(WAIT_SECS, TimeUnit.SECONDS).until(() -> link.slotTasks().equals(Set.of(OWN, OTHER)));

        Set<Integer> before = link.slotTasks();
        link.slotHas(Set.of(OWN, OTHER, STARTING));
        reach(Set.of(OWN, OTHER));
        link.slotHas(Set.of(OTHER));
        Awaitility.await().atMost(WAIT_SECS, TimeUnit.SECONDS).until(() -> link.slotTasks() != before);
        assertEquals(Set.of(OTHER), link.slotTasks(), "it stays the same object while nothing has changed");
    }

    @Test
    void shouldKnowWhoseLastTupleHasCome() throws Exception {
        start();
        assertFalse(link.haveLeft(Set.of(OTHER)), "nothing is known so far");
        reach(Set.of(OWN, OTHER));
        Awaitility.await().atMost(WAIT_SECS, TimeUnit.SECONDS).until(() -> link.haveLeft(Set.of(ELSEWHERE)));
        assertFalse(link.haveLeft(Set.of(OTHER, ELSEWHERE)));

        reach(Set.of(OWN));
        Awaitility.await().atMost(WAIT_SECS, TimeUnit.SECONDS).until(() -> link.haveLeft(Set.of(OTHER, ELSEWHERE)));
    }

    @Test
    void shouldReportThatItRestsWithTheMessagesOfTheConnection() throws Exception {
        start();
        reach(Set.of(OWN));
        sendMessages();
        Awaitility.await().atMost(WAIT_SECS, TimeUnit.SECONDS).until(() -> link.taken() == MESSAGES);
        link.reportRest(OWN, MESSAGES);
        assertEquals(Map.of(OWN, (long) MESSAGES), awaitRest());

        Future<Void> unused = listener.close().sync();
        unused = manager.close().sync();
        Awaitility.await().atMost(WAIT_SECS, TimeUnit.SECONDS).until(() -> receiver.status() != ConnectionWithStatus.Status.Ready);
        Files.deleteIfExists(socket);
        listen();
        manager = accepted.poll(WAIT_SECS, TimeUnit.SECONDS);
        Awaitility.await().atMost(WAIT_SECS, TimeUnit.SECONDS).until(() -> receiver.status() == ConnectionWithStatus.Status.Ready);
        link.reportRest(OWN, MESSAGES - 1);
        sendMessages();
        Awaitility.await().atMost(WAIT_SECS, TimeUnit.SECONDS).until(() -> link.taken() == 2 * MESSAGES);
        link.reportRest(OWN, MESSAGES + 1);
        assertEquals(Map.of(OWN, 1L), awaitRest(), "it has not reported what it had seen before it connected again");
        assertFalse(link.hasLoopEnded(OWN));
        send(new InstanceStatus(Set.of(OWN), Moves.ofRest(OWN, 0), Set.of(), Set.of(), Map.of()));
        Awaitility.await().atMost(WAIT_SECS, TimeUnit.SECONDS).until(() -> link.hasLoopEnded(OWN));
    }

    private Map<Integer, Long> awaitRest() throws InterruptedException {
        InstanceStatus next;
        do {
            next = reports.poll(WAIT_SECS, TimeUnit.SECONDS);
        } while (next != null && next.moves().resting().isEmpty());
        return next == null ? Map.of() : next.moves().resting();
    }

    @Test
    void shouldLeaveAlthoughAQueueIsFull() throws Exception {
        start(OWN);
        ConnectionWithStatus other = (ConnectionWithStatus) link.connection(OTHER, flags());
        reach(Set.of(OWN, OTHER));
        Awaitility.await().atMost(WAIT_SECS, TimeUnit.SECONDS).until(() -> other.status() == ConnectionWithStatus.Status.Ready);

        assertTrue(CompletableFuture.supplyAsync(this::leave).get(WAIT_SECS, TimeUnit.SECONDS));
    }

    @Test
    void shouldLeaveWhenTheStreamManagerHasStartedAgain() throws Exception {
        start();
        Future<Void> unused = listener.close().sync();
        unused = manager.close().sync();
        Awaitility.await().atMost(WAIT_SECS, TimeUnit.SECONDS).until(() -> receiver.status() != ConnectionWithStatus.Status.Ready);
        CompletableFuture<Boolean> left = CompletableFuture.supplyAsync(this::leave);

        Files.deleteIfExists(socket);
        listen();

        assertTrue(left.get(WAIT_SECS, TimeUnit.SECONDS));
    }

    /** More than a socket takes, and less than what an instance waits with. */
    @Test
    void shouldWriteEverythingThatWasSentBeforeItCloses() throws Exception {
        start();
        ConnectionWithStatus other = (ConnectionWithStatus) link.connection(OTHER, flags());
        reach(Set.of(OWN, OTHER));
        Awaitility.await().atMost(WAIT_SECS, TimeUnit.SECONDS).until(() -> other.status() == ConnectionWithStatus.Status.Ready);
        manager.config().setAutoRead(false);
        List<TaskMessage> messages = Collections.nCopies(6, new TaskMessage(OTHER, new byte[MESSAGE_BYTES]));
        other.send(messages.iterator());
        Future<?> unused = managersLoop.schedule(() -> manager.config().setAutoRead(true), 50, TimeUnit.MILLISECONDS);

        link.close();

        Awaitility.await().atMost(WAIT_SECS, TimeUnit.SECONDS).until(() -> !manager.isActive());
        assertEquals(messages.size(), sent.get());
    }

    @Test
    void shouldCloseAConnectionThatIsBeingMade() throws Exception {
        start();

        link.close();

        Awaitility.await().atMost(WAIT_SECS, TimeUnit.SECONDS).until(() -> !manager.isActive());
    }

    /** Its container gives it little time. */
    @Test
    void shouldCloseAlthoughTheStreamManagerDoesNotRead() throws Exception {
        start();
        ConnectionWithStatus other = (ConnectionWithStatus) link.connection(OTHER, flags());
        reach(Set.of(OWN, OTHER));
        Awaitility.await().atMost(WAIT_SECS, TimeUnit.SECONDS).until(() -> other.status() == ConnectionWithStatus.Status.Ready);
        manager.config().setAutoRead(false);
        other.send(Collections.nCopies(6, new TaskMessage(OTHER, new byte[MESSAGE_BYTES])).iterator());

        CompletableFuture.runAsync(link::close).get(WAIT_SECS, TimeUnit.SECONDS);

        assertEquals(ConnectionWithStatus.Status.Closed, other.status());
    }

    private void listen() throws Exception {
        listener = new ServerBootstrap().group(managersLoop).channel(DomainSockets.serverType()).childHandler(new ChannelInitializer<>() {
            @Override
            protected void initChannel(Channel made) {
                made.pipeline().addLast(StreamWire.splitter(), new Manager());
                accepted.add(made);
            }
        }).bind(DomainSockets.address(socket)).sync().channel();
    }

    private void start(Integer... held) throws InterruptedException {
        receiver = (ConnectionWithStatus) link.start(messages -> received.addAndGet(messages.size()), 0,
            () -> isFull ? status(OWN) : status(held));
        manager = accepted.poll(WAIT_SECS, TimeUnit.SECONDS);
    }

    private boolean leave() {
        try {
            return link.leave();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private void hold(Integer... tasks) {
        receiver.sendBackPressureStatus(status(tasks));
    }

    private static BackPressureStatus status(Integer... held) {
        return new BackPressureStatus("worker", new ArrayList<>(List.of(held)), new ArrayList<>());
    }

    private static AtomicBoolean[] flags() {
        return Stream.generate(AtomicBoolean::new).limit(OTHER + 1).toArray(AtomicBoolean[]::new);
    }

    private void reach(Set<Integer> tasks) throws Exception {
        send(new InstanceStatus(tasks, Set.of(), Map.of()));
    }

    private void send(InstanceStatus status) throws InterruptedException {
        Future<Void> unused = manager.writeAndFlush(StreamWire.message(manager.alloc(), status)).sync();
    }

    private void awaitReport(Set<Integer> held) throws InterruptedException {
        InstanceStatus next;
        do {
            next = reports.poll(WAIT_SECS, TimeUnit.SECONDS);
        } while (next != null && !next.held().equals(held));
        assertEquals(held, next == null ? Set.of() : next.held());
    }

    private final class Manager extends SimpleChannelInboundHandler<ByteBuf> {
        @Override
        protected void channelRead0(ChannelHandlerContext context, ByteBuf message) throws Exception {
            if (StreamWire.type(message) == StreamWire.STATUS) {
                reports.add(InstanceStatus.read(StreamWire.content(message)));
            } else if (StreamWire.type(message) == StreamWire.DATA) {
                sent.incrementAndGet();
            } else if (StreamWire.type(message) == StreamWire.LEAVE) {
                Future<Void> unused = context.writeAndFlush(StreamWire.leave(context.alloc()));
            }
        }
    }
}
