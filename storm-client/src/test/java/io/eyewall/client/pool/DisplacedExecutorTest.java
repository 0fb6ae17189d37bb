package io.eyewall.client.pool;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.eyewall.client.CapturedLog;
import io.eyewall.client.engine.SharedThread;
import io.eyewall.client.time.NanoClock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.apache.logging.log4j.Level;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** An executor whose calls block: it keeps the thread, and another thread takes that one's place in the pool. */
class DisplacedExecutorTest {

    private static final Duration SOON = Duration.ofMinutes(3);
    private static final int TIMES = 3;
    private static final int MESSAGES = 2_000;
    private static final String NAME = "Thread-7-price-executor[3, 3]";

    private final AtomicReference<Throwable> death = new AtomicReference<>();
    private final ExecutorPool pool = new ExecutorPool(2, TimeUnit.MICROSECONDS.toNanos(100), TimeUnit.MILLISECONDS.toNanos(10),
        NanoClock.SYSTEM, null, null);
    private final Queue<Runnable> calls = new ConcurrentLinkedQueue<>();
    private final PooledExecutor executor = new PooledExecutor(pool, NAME, this::round, (thread, e) -> death.set(e), null);
    private final CapturedLog log = new CapturedLog(Level.INFO, ExecutorPool.class);

    @BeforeEach
    void start() {
        pool.add(executor, false);
    }

    @AfterEach
    void end() {
        pool.close();
        log.close();
    }

    /** Without the turn that the pool gives each executor once a second, an executor that is not woken waits for ever. */
    @Test
    void shouldBeWokenByEachMessageAsSoonAsItsCallHasReturned() {
        pool.ended(executor);
        for (int time = 0; time < TIMES; time++) {
            CountDownLatch release = new CountDownLatch(1);
            AtomicInteger executed = new AtomicInteger();
            call(() -> awaitUninterrupted(release));
            await().atMost(SOON).until(() -> pool.hasOwnThread(executor));
            call(executed::incrementAndGet);

            release.countDown();

            spinUntilExecuted(executed, 1);
            for (int message = 0; message < MESSAGES; message++) {
                call(executed::incrementAndGet);
                if ((message & 1) == 0) { // The others come while it is about to wait.
                    spinUntilExecuted(executed, message + 2);
                }
            }
            spinUntilExecuted(executed, MESSAGES + 1);
            awaitJoined();
        }
        assertNull(death.get());
    }

    @Test
    void shouldSayOnceWhichExecutorBlocksAndInWhichCall() {
        for (int time = 0; time < 2; time++) {
            CountDownLatch release = new CountDownLatch(1);
            call(() -> askTheSlowDatabase(release));
            await().atMost(SOON).until(() -> pool.hasOwnThread(executor));
            release.countDown();
            awaitJoined();
        }

        assertEquals(1, log.lines().size(), log.lines()::toString);
        String line = log.lines().get(0);
        assertTrue(line.startsWith(NAME + " has its own thread while calls take longer than 10 ms."), line);
        assertTrue(line.contains("This one is in jdk.internal.misc.Unsafe.park(Native Method), called by "), line);
        assertTrue(line.contains(" io.eyewall.client.pool.DisplacedExecutorTest.askTheSlowDatabase(DisplacedExecutorTest.java:"), line);
        assertTrue(line.endsWith(". Only the first such call of this executor is logged."), line);
        assertFalse(line.contains("\n"), line);
    }

    @Test
    void shouldShowNoCallOfAThreadOnWhichNoExecutorHasATurn() {
        CountDownLatch release = new CountDownLatch(1);
        PooledExecutor idle = new PooledExecutor(pool, "idle", () -> {
            SharedThread.current().yieldFor(Long.MAX_VALUE);
            awaitUninterrupted(release);
            return 0L;
        }, (thread, e) -> death.set(e), null);
        PoolThread thread = new PoolThread(pool, null, idle, "idle");
        idle.detach(thread);
        thread.start();
        await().atMost(SOON).until(() -> thread.calls().orElse("").contains("awaitUninterrupted"));

        release.countDown();

        await().atMost(SOON).until(() -> idle.isIdle() && thread.getState() == Thread.State.TIMED_WAITING);
        assertEquals(Optional.of(""), thread.calls(), () -> List.of(thread.getStackTrace()).toString());
        thread.interrupt();
    }

    @Test
    void shouldHaveItsLeavingLoggedOnceMoreWhenTheCallIsKnown() {
        PooledExecutor unknown = new PooledExecutor(pool, NAME, this::round, (thread, e) -> death.set(e), null);
        assertEquals(List.of(true, false, true, false, false),
            Stream.of(false, false, true, true, false).map(unknown::leaves).toList());
    }

    @Test
    void shouldSayOnceWhichExecutorSleepsOften() {
        for (int time = 0; time < 2; time++) {
            await().atMost(SOON).pollInterval(Duration.ofMillis(4)).until(() -> {
                call(() -> LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(4)));
                return pool.hasOwnThread(executor);
            });
            awaitJoined();
        }

        assertEquals(1, log.lines().size(), log.lines()::toString);
        assertTrue(log.lines().get(0).startsWith(NAME + " has its own thread while calls "), log.lines()::toString);
    }

    /** Makes short calls until the executor is in the pool again. */
    private void awaitJoined() {
        await().atMost(SOON).pollInterval(Duration.ofMillis(20)).until(() -> {
            call(() -> { });
            return !pool.hasOwnThread(executor);
        });
    }

    private void call(Runnable call) {
        calls.add(call);
        executor.run();
    }

    private Long round() {
        Runnable call = calls.poll();
        if (call == null) {
            SharedThread.current().yieldFor(Long.MAX_VALUE);
        } else {
            call.run();
        }
        return 0L;
    }

    private static void askTheSlowDatabase(CountDownLatch release) {
        awaitUninterrupted(release);
    }

    private static void awaitUninterrupted(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void spinUntilExecuted(AtomicInteger executed, int number) {
        long sinceNs = System.nanoTime();
        while (executed.get() < number) {
            assertTrue(System.nanoTime() - sinceNs < SOON.toNanos(), () -> "It was not woken: " + executed + " of " + number);
            Thread.onSpinWait();
        }
    }
}
