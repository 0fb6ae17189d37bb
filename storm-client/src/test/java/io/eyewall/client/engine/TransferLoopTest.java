package io.eyewall.client.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.eyewall.client.seam.ClientLoops;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import org.apache.storm.Config;
import org.apache.storm.messaging.ConnectionWithStatus;
import org.apache.storm.messaging.IConnection;
import org.apache.storm.messaging.TaskMessage;
import org.apache.storm.messaging.netty.Context;
import org.apache.storm.metrics2.StormMetricRegistry;
import org.apache.storm.shade.com.google.common.util.concurrent.Uninterruptibles;
import org.apache.storm.shade.io.netty.channel.epoll.Epoll;
import org.apache.storm.utils.Utils;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(TransferLoopTest.DEADLINE_SECS)
class TransferLoopTest {

    static final int DEADLINE_SECS = 60;
    private static final long FOR_EVER_NS = TimeUnit.DAYS.toNanos(1);
    /** Netty waits for a second at most. */
    private static final long MISSED_NS = TimeUnit.MILLISECONDS.toNanos(900);
    /** As much as no connection takes unless somebody reads. */
    private static final int MESSAGES = 64;
    private static final int MESSAGE_BYTES = 1 << 20;

    private final Map<String, Object> conf = new HashMap<>(Utils.readDefaultConfig());
    private final Context context = new Context();
    private final CountDownLatch reading = new CountDownLatch(1);
    private TransferLoop loop;

    @BeforeEach
    void prepare() {
        assumeTrue(Epoll.isAvailable(), () -> "no native epoll: " + Epoll.unavailabilityCause());
        conf.put(Config.TOPOLOGY_BACKPRESSURE_WAIT_STRATEGY, FullQueueWaitStrategy.class.getName());
        context.prepare(conf, new StormMetricRegistry());
        loop = TransferLoop.only(((ClientLoops) context).getWorkerEventLoopGroup()).orElseThrow();
    }

    @AfterEach
    void end() {
        reading.countDown();
        context.term();
    }

    @Test
    void shouldCallWorkAgainWhenItsWaitIsOverAndWhenWoken() throws Exception {
        AtomicInteger called = new AtomicInteger();
        Semaphore calls = new Semaphore(0);
        Sender sender = new Sender(() -> {
            calls.release();
            return called.incrementAndGet() < 3 ? TimeUnit.MILLISECONDS.toNanos(1) : FOR_EVER_NS;
        });

        calls.acquire(3);
        loop.wake();
        calls.acquire(1);

        sender.interrupt();
        assertInstanceOf(InterruptedException.class, sender.failure());
        loop.wake();
        awaitRound();
        awaitRound();
        assertEquals(4, called.get());
    }

    @Test
    void shouldNotMissAWakeThatComesWhileItBeginsToWait() throws Exception {
        Semaphore asked = new Semaphore(0);
        Semaphore done = new Semaphore(0);
        Sender sender = new Sender(() -> {
            done.release(asked.drainPermits());
            return FOR_EVER_NS;
        });

        int late = 0;
        for (int i = 0; i < 20_000; i++) {
            long beginNs = System.nanoTime();
            asked.release();
            loop.wake();
            while (!done.tryAcquire()) {
                Thread.onSpinWait();
            }
            late += System.nanoTime() - beginNs > MISSED_NS ? 1 : 0;
        }
        assertTrue(late < 3, late + " were missed until Netty looked by itself");

        sender.interrupt();
        sender.failure();
    }

    @Test
    void shouldReportWhatTheWorkThrewAndNotCallItAgain() throws Exception {
        Semaphore calls = new Semaphore(0);
        IllegalStateException thrown = new IllegalStateException("no such task");
        Sender sender = new Sender(() -> {
            calls.release();
            throw thrown;
        });

        assertSame(thrown, assertInstanceOf(ExecutionException.class, sender.failure()).getCause());
        loop.wake();
        awaitRound();
        awaitRound();
        assertEquals(1, calls.availablePermits());
    }

    @Test
    void shouldDoOtherWorkAfterAnInterrupt() throws Exception {
        Sender first = new Sender(() -> FOR_EVER_NS);
        first.interrupt();
        first.failure();
        CountDownLatch called = new CountDownLatch(1);
        Sender second = new Sender(() -> {
            called.countDown();
            return FOR_EVER_NS;
        });

        called.await();

        second.interrupt();
        second.failure();
    }

    @Test
    void shouldSendOnWhileAConnectionIsFull() throws Exception {
        BlockingQueue<Integer> received = new LinkedBlockingQueue<>();
        IConnection client = connect(context.bind("topology", 0, batch -> {
            Uninterruptibles.awaitUninterruptibly(reading);
            batch.forEach(message -> received.add(ByteBuffer.wrap(message.message()).getInt()));
        }, null));
        CountDownLatch sent = new CountDownLatch(1);
        Sender sender = new Sender(() -> {
            client.send(messages().iterator());
            sent.countDown();
            return FOR_EVER_NS;
        });

        awaitWaitingForRoom();
        awaitRound(); // Goes on with what is Netty's.
        assertEquals(1, sent.getCount());
        reading.countDown();

        for (int i = 0; i < MESSAGES; i++) {
            assertEquals(i, received.take());
        }
        sent.await();
        assertNull(received.poll());
        sender.interrupt();
        sender.failure();
    }

    @Test
    void shouldEndAWaitForRoomWhenInterrupted() throws Exception {
        IConnection client = connect(context.bind("topology", 0, batch -> Uninterruptibles.awaitUninterruptibly(reading), null));
        FutureTask<Exception> wait = new FutureTask<>(() -> assertThrows(RuntimeException.class, () -> client.send(messages().iterator())));
        Sender sender = new Sender(() -> {
            wait.run();
            return FOR_EVER_NS;
        });
        awaitWaitingForRoom();

        sender.interrupt();

        assertInstanceOf(InterruptedException.class, wait.get().getCause());
        sender.failure();
    }

    @Test
    void shouldReportWhenTheLoopHasEnded() throws Exception {
        CountDownLatch called = new CountDownLatch(1);
        Sender sender = new Sender(() -> {
            called.countDown();
            return FOR_EVER_NS;
        });
        called.await();

        assertTrue(loop.shutdownGracefully(0, 1, TimeUnit.SECONDS).await(DEADLINE_SECS, TimeUnit.SECONDS));

        assertInstanceOf(ExecutionException.class, sender.failure());
    }

    @Test
    void shouldLeaveConnectionsThatSeveralThreadsShare() {
        conf.put(Config.STORM_MESSAGING_NETTY_CLIENT_WORKER_THREADS, 2);
        Context shared = new Context();
        shared.prepare(conf, new StormMetricRegistry());
        try {
            assertEquals(Optional.empty(), TransferLoop.only(((ClientLoops) shared).getWorkerEventLoopGroup()));
        } finally {
            shared.term();
        }
    }

    /** Returns when the loop has done what was asked of it before. */
    private void awaitRound() throws Exception {
        assertTrue(loop.submit(() -> true).get());
    }

    /** Returns once the loop's thread is in a call that waits for room. */
    private void awaitWaitingForRoom() {
        assertTimeoutPreemptively(Duration.ofSeconds(DEADLINE_SECS), () -> {
            while (!loop.submit(() -> isWithin(FullQueueWaitStrategy.class)).get()) {
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
            }
        });
    }

    private static boolean isWithin(Class<?> type) {
        return StackWalker.getInstance().walk(frames -> frames.anyMatch(frame -> frame.getClassName().equals(type.getName())));
    }

    private IConnection connect(IConnection server) {
        AtomicBoolean[] pressure = {new AtomicBoolean()};
        IConnection client = context.connect("topology", "127.0.0.1", server.getPort(), pressure);
        assertTimeoutPreemptively(Duration.ofSeconds(DEADLINE_SECS), () -> {
            while (((ConnectionWithStatus) client).status() != ConnectionWithStatus.Status.Ready) {
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
            }
        });
        return client;
    }

    private static List<TaskMessage> messages() {
        List<TaskMessage> messages = new ArrayList<>();
        for (int i = 0; i < MESSAGES; i++) {
            messages.add(new TaskMessage(0, ByteBuffer.allocate(MESSAGE_BYTES).putInt(i).array()));
        }
        return messages;
    }

    /** A thread that has the loop do some work. */
    private final class Sender {

        private final FutureTask<Exception> failure;
        private final Thread thread;

        Sender(LongSupplier work) {
            failure = new FutureTask<>(() -> assertThrows(Exception.class, () -> loop.doUntilInterrupted(work)));
            thread = new Thread(failure, "sender");
            thread.start();
        }

        void interrupt() {
            thread.interrupt();
        }

        /** What it ended with. */
        Exception failure() throws Exception {
            return failure.get();
        }
    }
}
