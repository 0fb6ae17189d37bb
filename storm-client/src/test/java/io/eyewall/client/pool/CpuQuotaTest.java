package io.eyewall.client.pool;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.eyewall.client.engine.SharedThread;
import io.eyewall.client.time.NanoClock;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Executors on threads that get a millisecond of CPU time in each tenth of a second, and then none. */
class CpuQuotaTest {

    private static final Duration SOON = Duration.ofMinutes(3);
    private static final long BLOCKED_MS = 10;
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    private final AtomicReference<Throwable> death = new AtomicReference<>();
    private CpuQuota quota;
    private ExecutorPool pool;

    @BeforeEach
    void start() throws IOException {
        quota = CpuQuota.of(1_000, 100_000);
        pool = new ExecutorPool(2, TimeUnit.MICROSECONDS.toNanos(100), TimeUnit.MILLISECONDS.toNanos(BLOCKED_MS),
            NanoClock.SYSTEM, null, null);
    }

    @AfterEach
    void end() throws IOException {
        if (pool != null) {
            pool.close();
            quota.close();
        }
    }

    @Test
    void shouldNotTakeACallThatIsKeptFromTheProcessorForOneThatBlocks() {
        List<Integer> outside = new CopyOnWriteArrayList<>();
        List<Long> tookMs = new CopyOnWriteArrayList<>();
        add(() -> {
            long sinceNs = System.nanoTime();
            compute(4);
            tookMs.add(TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - sinceNs));
            outside.add(pool.outside());
        }, false);

        await().atMost(SOON).until(() -> outside.size() >= 8);

        assertTrue(tookMs.stream().anyMatch(ms -> ms > 10 * BLOCKED_MS), () -> "the quota has no effect: calls took " + tookMs + " ms");
        assertTrue(outside.stream().allMatch(number -> number == 0), () -> "outside after calls of " + tookMs + " ms: " + outside);
        assertNull(death.get());
    }

    @Test
    void shouldFindACallThatSleepsOnAThreadWithAQuota() {
        List<Integer> outside = new CopyOnWriteArrayList<>();
        add(() -> {
            compute(2);
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(200));
            outside.add(pool.outside());
        }, false);

        await().atMost(SOON).until(() -> !outside.isEmpty());

        assertEquals(1, outside.get(0));
    }

    @Test
    void shouldTakeAnExecutorIntoThePoolThatHardlySleepsAndIsKeptFromTheProcessor() {
        PooledExecutor executor = add(() -> {
            compute(2);
            LockSupport.parkNanos(TimeUnit.MICROSECONDS.toNanos(50));
        }, true);
        assertTrue(pool.hasOwnThread(executor));

        await().atMost(SOON).until(() -> !pool.hasOwnThread(executor));

        await().during(Duration.ofSeconds(2)).atMost(SOON).until(() -> !pool.hasOwnThread(executor));
        assertFalse(pool.hasOwnThread(executor));
        assertNull(death.get());
    }

    private PooledExecutor add(Runnable call, boolean outside) {
        PooledExecutor executor = new PooledExecutor(pool, "limited", () -> {
            quota.limitThisThread();
            call.run();
            SharedThread.current().yieldFor(TimeUnit.MILLISECONDS.toNanos(1));
            return 0L;
        }, (thread, e) -> death.set(e), null);
        pool.add(executor, outside);
        return executor;
    }

    /** Takes so much CPU time. */
    private static void compute(long ms) {
        long untilNs = THREADS.getCurrentThreadCpuTime() + TimeUnit.MILLISECONDS.toNanos(ms);
        while (THREADS.getCurrentThreadCpuTime() < untilNs) {
            Thread.onSpinWait();
        }
    }
}
