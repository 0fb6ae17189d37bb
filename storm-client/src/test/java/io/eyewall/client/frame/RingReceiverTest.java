package io.eyewall.client.frame;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.eyewall.client.engine.TransferLoop;
import io.eyewall.client.ring.RingPlace;
import io.eyewall.client.ring.SharedRing;
import io.eyewall.client.ring.WatchedRings;
import io.eyewall.client.security.BoundedDecoder;
import io.eyewall.client.time.NanoClock;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import org.apache.storm.messaging.TaskMessage;
import org.apache.storm.messaging.netty.BackPressureStatus;
import org.apache.storm.serialization.KryoValuesDeserializer;
import org.apache.storm.shade.io.netty.bootstrap.ServerBootstrap;
import org.apache.storm.shade.io.netty.channel.Channel;
import org.apache.storm.shade.io.netty.channel.ChannelHandler;
import org.apache.storm.shade.io.netty.channel.ChannelHandlerContext;
import org.apache.storm.shade.io.netty.channel.ChannelInboundHandlerAdapter;
import org.apache.storm.shade.io.netty.channel.ChannelInitializer;
import org.apache.storm.shade.io.netty.channel.ChannelOutboundHandlerAdapter;
import org.apache.storm.shade.io.netty.channel.ChannelPromise;
import org.apache.storm.shade.io.netty.channel.IoEventLoop;
import org.apache.storm.shade.io.netty.channel.IoHandlerFactory;
import org.apache.storm.shade.io.netty.channel.MultiThreadIoEventLoopGroup;
import org.apache.storm.shade.io.netty.channel.epoll.Epoll;
import org.apache.storm.shade.io.netty.channel.epoll.EpollIoHandler;
import org.apache.storm.shade.io.netty.channel.epoll.EpollServerDomainSocketChannel;
import org.apache.storm.shade.io.netty.channel.unix.DomainSocketAddress;
import org.apache.storm.shade.io.netty.util.ReferenceCountUtil;
import org.apache.storm.shade.io.netty.util.concurrent.Future;
import org.apache.storm.utils.Utils;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A ring that one process writes and reads, with a connection and a doorbell as between two workers. */
@Timeout(120)
class RingReceiverTest {

    private static final Duration DEADLINE = Duration.ofSeconds(30);
    private static final int CAPACITY_BYTES = 256 * 1024;
    private static final int MESSAGE_BYTES = 32 * 1024;
    /** What the receiver reads before it gives others a turn: a mebibyte, and what the ring holds then. */
    private static final int TURN_BYTES = 1024 * 1024 + CAPACITY_BYTES;
    private static final int FED_BYTES = 64 * TURN_BYTES;
    private static final int MESSAGES = 40_000;
    private static final int WATCHERS = 2;
    private static final int ENDS = 30;

    @TempDir
    private Path folder;
    private final Loops loops = new Loops();
    private final BlockingQueue<Channel> accepted = new LinkedBlockingQueue<>();
    private final CompletableFuture<Void> end = new CompletableFuture<>();
    private final List<SocketChannel> sockets = new ArrayList<>();
    private RingPlace place;
    private SharedRing ring;
    private ServerSocketChannel bells;
    private final WatchedRings watched = new WatchedRings();
    private SocketChannel toRing;
    private Channel fromRing;
    private SocketChannel bell;
    // For the loop, and for the test when the loop has ended.
    private int writtenBytes;
    private int readBytes;
    /** How much had come out of the ring at each turn of the other connection. */
    private final List<Integer> turns = new ArrayList<>();

    @BeforeEach
    void listen() throws Exception {
        assumeTrue(Epoll.isAvailable(), () -> "no native epoll: " + Epoll.unavailabilityCause());
        ServerBootstrap server = new ServerBootstrap().group(loops).channel(EpollServerDomainSocketChannel.class);
        Future<?> unused = server.childHandler(new ChannelInitializer<>() {
            @Override
            protected void initChannel(Channel channel) {
                channel.config().setAutoRead(false);
                accepted.add(channel);
            }
        }).bind(new DomainSocketAddress(folder.resolve("port").toString())).sync();
        makeRing();
    }

    @AfterEach
    void close() throws Exception {
        endLoop();
        for (SocketChannel socket : sockets) {
            socket.close();
        }
        if (bells != null) {
            bells.close();
            ring.close();
            place.remove();
        }
    }

    /** The ring is never empty, since each message that is read brings another one. The second connection has the same loop. */
    @Test
    void shouldGiveOtherConnectionsATurnAfterEachOfItsOwn() throws Exception {
        open(new Feeder());
        SocketChannel toOther = connect();
        Channel other = accepted.take();
        other.pipeline().addLast(new Other(toOther));
        other.config().setAutoRead(true);

        Future<?> unused = fromRing.eventLoop().submit(() -> {
            feed();
            toOther.write(ByteBuffer.allocate(1));
            bell.write(ByteBuffer.allocate(1)); // It is heard while the next turn is due.
            return fromRing.pipeline().fireChannelRead(List.of(new TaskMessage(RingSender.SWITCH_TASK, new byte[0])));
        }).sync();
        end.get();
        endLoop();

        assertTrue(toRing.isOpen());
        turns.add(readBytes);
        int last = 0;
        for (int turn : turns) {
            assertTrue(turn - last <= TURN_BYTES, "the other connection waited while " + (turn - last) + " bytes were read");
            last = turn;
        }
    }

    /**
     * Watchers come and go while a writer writes and rests. Each time that it rests they stay away, so that only the doorbell can have the
     * channel's thread read what is left.
     */
    @Test
    void shouldDeliverEachMessageOnceAndInOrderWhoeverReads() throws Exception {
        Random random = new Random(7);
        Arrivals arrivals = new Arrivals();
        open(arrivals);
        switchToRing();
        try (Watchers watchers = new Watchers(WATCHERS)) {
            for (int written = 0; written < MESSAGES;) {
                for (int more = 1 + random.nextInt(40); more > 0 && written < MESSAGES; more--) {
                    write(written++);
                    if (random.nextInt(4) == 0) {
                        spin(random.nextInt(60_000));
                    }
                }
                watchers.rest();
                int all = written;
                Awaitility.await().atMost(DEADLINE).pollInSameThread().pollInterval(Duration.ofNanos(20_000))
                    .until(() -> arrivals.number == all);
                watchers.goOn();
            }
            assertTrue(watchers.messages.get() > 100, "watchers have read only " + watchers.messages.get());
        }
        assertEquals(List.of(), List.copyOf(arrivals.failures));
        assertEquals(MESSAGES, arrivals.number);
    }

    /** The memory of the ring must not be read after it is unmapped, and nothing that was written before the end may be left in it. */
    @Test
    void shouldReadTheRestWhenTheOtherWorkerEndsWhileTheRingIsWatched() throws Exception {
        Random random = new Random(11);
        for (int round = 0; round < ENDS; round++) {
            if (round > 0) {
                ring.close();
                bells.close();
                makeRing();
            }
            Arrivals arrivals = new Arrivals();
            open(arrivals);
            switchToRing();
            int messages = 1 + random.nextInt(100);
            try (Watchers watchers = new Watchers(WATCHERS)) {
                for (int number = 0; number < messages; number++) {
                    write(number);
                }
                spin(random.nextInt(200_000));
                bell.close();
                toRing.close();
                arrivals.ended.get();
            }
            assertEquals(List.of(), List.copyOf(arrivals.failures));
            assertEquals(messages, arrivals.number, "round " + round);
            assertTrue(watched.isEmpty(), "round " + round);
        }
    }

    @Test
    void shouldEndTheConnectionWhenAWatcherFindsARingThatIsWrong() throws Exception {
        Arrivals arrivals = new Arrivals();
        open(arrivals);
        switchToRing();
        watched.expect();
        assertTrue(watched.tryBegin(0));
        ring.write(ByteBuffer.allocate(RingSender.HEAD_BYTES).putInt(1).putInt(-1).flip());
        watched.read();
        watched.end(0, true);

        arrivals.ended.get();
        assertEquals(1, arrivals.failures.size());
        assertTrue(arrivals.failures.peek().contains("-1 bytes"), arrivals.failures.peek());
        assertTrue(watched.isEmpty(), "the ring has ended");
    }

    private void endLoop() throws InterruptedException {
        Future<?> unused = loops.shutdownGracefully(0, 0, TimeUnit.SECONDS).sync();
    }

    private void makeRing() throws IOException {
        place = RingPlace.create(RingPlace.SHARED_MEMORY);
        ring = SharedRing.create(place.ring(), CAPACITY_BYTES);
        bells = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        bells.bind(UnixDomainSocketAddress.of(place.bell()));
    }

    /** Makes a connection whose messages go to that handler, and offers it the ring. */
    private void open(ChannelHandler last) throws Exception {
        toRing = connect();
        fromRing = accepted.take();
        fromRing.pipeline().addLast(new Unwritten(), decoder(), new RingReceiver(watched), last);
        BackPressureStatus status = new BackPressureStatus("worker", List.of(), List.of());
        Future<?> unused = fromRing.writeAndFlush(FrameAgreement.announce(status, true)).sync();
        unused = fromRing.eventLoop().submit(() -> fromRing.pipeline().fireChannelRead(
            List.of(new TaskMessage(RingSender.OFFER_TASK, place.name().getBytes(StandardCharsets.US_ASCII))))).sync();
        bell = bells.accept();
        sockets.add(bell);
        Awaitility.await().atMost(DEADLINE).until(ring::isAttached);
    }

    private void switchToRing() throws InterruptedException {
        fromRing.config().setAutoRead(true); // So that it learns of the end.
        Future<?> unused = fromRing.eventLoop().submit(() ->
            fromRing.pipeline().fireChannelRead(List.of(new TaskMessage(RingSender.SWITCH_TASK, new byte[0])))).sync();
    }

    /** Writes a message with that number, and rings if the reader sleeps. */
    private void write(int number) throws IOException {
        ByteBuffer message = ByteBuffer.allocate(RingSender.HEAD_BYTES + Integer.BYTES);
        message.putInt(1).putInt(Integer.BYTES).putInt(number).flip();
        while (message.hasRemaining()) {
            ring.write(message);
            if (ring.mustWake()) {
                bell.write(ByteBuffer.allocate(1));
            }
        }
    }

    private static void spin(long ns) {
        long untilNs = System.nanoTime() + ns;
        while (System.nanoTime() < untilNs) {
            Thread.onSpinWait();
        }
    }

    private SocketChannel connect() throws IOException {
        SocketChannel socket = SocketChannel.open(UnixDomainSocketAddress.of(folder.resolve("port")));
        sockets.add(socket);
        return socket;
    }

    private static BoundedDecoder decoder() {
        Map<String, Object> conf = Utils.readDefaultConfig();
        return new BoundedDecoder(new KryoValuesDeserializer(conf), conf, false);
    }

    /** Fills the ring. */
    private void feed() throws IOException {
        while (writtenBytes - readBytes + MESSAGE_BYTES <= CAPACITY_BYTES && writtenBytes < FED_BYTES) {
            ByteBuffer message = ByteBuffer.allocate(MESSAGE_BYTES);
            message.putInt(1).putInt(MESSAGE_BYTES - RingSender.HEAD_BYTES).rewind();
            ring.write(message);
            writtenBytes += MESSAGE_BYTES;
        }
    }

    /** Takes what comes out of the ring, and fills it again. */
    private final class Feeder extends ChannelInboundHandlerAdapter {
        @Override
        public void channelRead(ChannelHandlerContext context, Object received) throws IOException {
            readBytes += ((List<?>) received).size() * MESSAGE_BYTES;
            feed();
            if (readBytes == FED_BYTES) {
                end.complete(null);
            }
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            end.completeExceptionally(cause);
        }
    }

    /** Takes numbered messages, on whatever thread reads. */
    private static final class Arrivals extends ChannelInboundHandlerAdapter {

        final Queue<String> failures = new ConcurrentLinkedQueue<>();
        /** Complete when the channel has ended for the handlers before this one. */
        final CompletableFuture<Void> ended = new CompletableFuture<>();
        /** How many have come. Not atomic: a second thread that reads at the same time is found by its numbers. */
        private volatile int number;

        @Override
        public void channelRead(ChannelHandlerContext context, Object received) {
            for (Object each : (List<?>) received) {
                int got = ByteBuffer.wrap(((TaskMessage) each).message()).getInt();
                if (got != number) {
                    failures.add("got " + got + " after " + number + " messages");
                }
                number = got + 1;
            }
        }

        @Override
        public void channelInactive(ChannelHandlerContext context) {
            ended.complete(null);
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            failures.add(cause.getMessage());
            Future<?> unused = context.close();
        }
    }

    /** Threads that watch the rings again and again, like those of a pool that have nothing to do. */
    private final class Watchers implements AutoCloseable {

        private final List<Thread> threads = new ArrayList<>();
        /** How often messages came while a thread watched. */
        private final AtomicInteger messages = new AtomicInteger();
        /** A watching thread reads it, who has them rest writes it. */
        private final ReadWriteLock resting = new ReentrantReadWriteLock();
        private volatile boolean ended;

        Watchers(int count) {
            for (int i = 0; i < count; i++) {
                Thread thread = new Thread(this::watch, "watcher-" + i);
                threads.add(thread);
                thread.start();
            }
        }

        /** Returns when nobody watches. */
        void rest() {
            resting.writeLock().lock();
        }

        void goOn() {
            resting.writeLock().unlock();
        }

        private void watch() {
            while (!ended) {
                if (resting.readLock().tryLock()) {
                    try {
                        watchOnce();
                    } finally {
                        resting.readLock().unlock();
                    }
                }
                LockSupport.parkNanos(20_000);
            }
        }

        private void watchOnce() {
            watched.expect();
            if (watched.tryBegin(System.nanoTime())) {
                boolean came = false;
                while (!came && !watched.isOver(System.nanoTime())) {
                    came = watched.read();
                }
                watched.end(System.nanoTime(), came);
                if (came) {
                    messages.incrementAndGet();
                }
            }
        }

        @Override
        public void close() throws InterruptedException {
            ended = true;
            for (Thread thread : threads) {
                thread.join();
            }
        }
    }

    /** The other connection, which always has something to read. */
    private final class Other extends ChannelInboundHandlerAdapter {

        private final SocketChannel socket;

        Other(SocketChannel socket) {
            this.socket = socket;
        }

        @Override
        public void channelRead(ChannelHandlerContext context, Object received) throws IOException {
            ReferenceCountUtil.release(received);
            turns.add(readBytes);
            socket.write(ByteBuffer.allocate(1));
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            end.completeExceptionally(cause);
        }
    }

    /** Nobody reads what the receiver's channel writes. */
    private static final class Unwritten extends ChannelOutboundHandlerAdapter {
        @Override
        public void write(ChannelHandlerContext context, Object written, ChannelPromise promise) {
            ChannelPromise unused = promise.setSuccess();
        }
    }

    /** A single loop, as a worker has it. */
    private static final class Loops extends MultiThreadIoEventLoopGroup {

        Loops() {
            super(1, EpollIoHandler.newFactory());
        }

        @Override
        protected IoEventLoop newChild(Executor executor, IoHandlerFactory handlers, Object... arguments) {
            return new TransferLoop(this, executor, handlers, NanoClock.SYSTEM);
        }
    }
}
