package io.eyewall.client.pool;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.eyewall.client.engine.FullQueueWaitStrategy;
import io.eyewall.client.engine.SharedThread;
import io.eyewall.client.time.NanoClock;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** An executor that finds a queue full, on a pool's only thread, which another executor needs. */
class WaitForSpaceTest {

    private static final Duration SOON = Duration.ofMinutes(1);

    private final AtomicReference<Throwable> death = new AtomicReference<>();
    private final ExecutorPool pool = new ExecutorPool(1, TimeUnit.MICROSECONDS.toNanos(100), TimeUnit.MILLISECONDS.toNanos(10),
        NanoClock.SYSTEM, null, null);
    private final FullQueueWaitStrategy full = new FullQueueWaitStrategy();
    private final AtomicInteger executed = new AtomicInteger();
    private final PooledExecutor other = executor("other", () -> {
        executed.incrementAndGet();
        SharedThread.current().yieldFor(Long.MAX_VALUE);
        return 0L;
    });

    @AfterEach
    void close() {
        pool.close();
        assertNull(death.get());
    }

    /** An executor that waited on the thread would leave the pool soon. */
    @Test
    void shouldNotWaitForSpaceOnTheThreadOfThePool() {
        AtomicInteger tries = new AtomicInteger();
        PooledExecutor sender = executor("sender", () -> {
            tries.incrementAndGet();
            full.idle(0);
            return 0L;
        });
        pool.add(sender, false);
        pool.add(other, false);

        long sinceNs = System.nanoTime();
        await().pollInterval(Duration.ofMillis(1)).atMost(SOON).until(() -> {
            other.run();
            assertFalse(pool.hasOwnThread(sender));
            return tries.get() > 1_000 && executed.get() > 1_000 && System.nanoTime() - sinceNs > TimeUnit.SECONDS.toNanos(2);
        });
    }

    @Test
    void shouldGiveAThreadToAnExecutorThatWaitsForSpaceWithinACall() {
        AtomicBoolean space = new AtomicBoolean();
        PooledExecutor sender = executor("sender", () -> {
            for (int times = 0; !space.get(); times++) {
                full.idle(times);
            }
            SharedThread.current().yieldFor(Long.MAX_VALUE);
            return 0L;
        });
        pool.add(sender, false);
        pool.add(other, false);

        await().pollInterval(Duration.ofMillis(1)).atMost(SOON).until(() -> {
            other.run();
            return pool.hasOwnThread(sender) && executed.get() > 100;
        });
        space.set(true);
        await().atMost(SOON).until(() -> !pool.hasOwnThread(sender));
    }

    private PooledExecutor executor(String name, Callable<Long> body) {
        return new PooledExecutor(pool, name, body, (thread, e) -> death.set(e), null);
    }
}
