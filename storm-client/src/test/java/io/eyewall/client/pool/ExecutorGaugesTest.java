package io.eyewall.client.pool;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.codahale.metrics.Gauge;
import io.eyewall.client.engine.SharedThread;
import io.eyewall.client.time.NanoClock;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.storm.metrics2.StormMetricRegistry;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ExecutorGaugesTest {

    private static final Duration SOON = Duration.ofMinutes(1);
    private static final int TASK = 7;

    private final ExecutorPool pool = new ExecutorPool(1, TimeUnit.MICROSECONDS.toNanos(100), TimeUnit.MILLISECONDS.toNanos(10),
        NanoClock.SYSTEM, null, null);
    private final StormMetricRegistry metrics = new StormMetricRegistry();

    @AfterEach
    void stop() {
        pool.close();
    }

    @Test
    void shouldShowWhatAnExecutorComputesAndWhetherItHasAThreadOfItsOwn() {
        CountDownLatch release = new CountDownLatch(1);
        PooledExecutor executor = new PooledExecutor(pool, "blocking", () -> {
            long sinceNs = System.nanoTime();
            while (System.nanoTime() - sinceNs < TimeUnit.MILLISECONDS.toNanos(5)) {
                Thread.onSpinWait();
            }
            if (gauge(ExecutorGauges.CPU) > 20) {
                release.await();
                SharedThread.current().yieldFor(Long.MAX_VALUE);
            }
            return 0L;
        }, (thread, e) -> { }, null);
        ExecutorGauges.register(metrics, "count", TASK, pool, executor);
        assertEquals(Set.of("executor-cpu-ms", "executor-own-thread"), metrics.getTaskGauges(TASK).keySet());
        assertEquals(0, gauge(ExecutorGauges.CPU));
        assertEquals(0, gauge(ExecutorGauges.OWN_THREAD));

        pool.add(executor, false);

        await().atMost(SOON).until(() -> gauge(ExecutorGauges.OWN_THREAD) == 1);
        assertTrue(gauge(ExecutorGauges.CPU) > 20);
        release.countDown();
        await().atMost(SOON).until(() -> gauge(ExecutorGauges.OWN_THREAD) == 0);
    }

    @Test
    void shouldShowAnExecutorThatHasLeftTheWorkerAndComesBack() {
        PooledExecutor left = new PooledExecutor(pool, "left", () -> 0L, (thread, e) -> { }, null);
        left.spent(TimeUnit.SECONDS.toNanos(1));
        ExecutorGauges.register(metrics, "count", TASK, pool, left);
        assertEquals(1_000, gauge(ExecutorGauges.CPU));

        PooledExecutor back = new PooledExecutor(pool, "back", () -> 0L, (thread, e) -> { }, null);
        back.spent(TimeUnit.MILLISECONDS.toNanos(2));
        ExecutorGauges.register(metrics, "count", TASK, pool, back);

        assertEquals(2, gauge(ExecutorGauges.CPU));
        assertEquals(2, metrics.getTaskGauges(TASK).size());
    }

    private long gauge(String name) {
        Gauge<?> gauge = metrics.getTaskGauges(TASK).get(name);
        return ((Number) gauge.getValue()).longValue();
    }
}
