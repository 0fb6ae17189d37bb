package io.eyewall.client.pool;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.eyewall.client.engine.SharedThread;
import io.eyewall.client.ring.WatchedRings;
import io.eyewall.client.time.NanoClock;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class WatchingPoolTest {

    private static final Duration DEADLINE = Duration.ofMinutes(1);

    private final AtomicReference<Throwable> death = new AtomicReference<>();

    /** An executor writes into a ring, and the answer comes at once. The thread reads it, and nobody else has to wake the pool. */
    @Test
    void shouldWatchRingsForAMomentWhenItHasNothingToDo() {
        AnsweringRing ring = new AnsweringRing();
        WatchedRings rings = new WatchedRings();
        ExecutorPool watching = new ExecutorPool(2, TimeUnit.MICROSECONDS.toNanos(100), TimeUnit.MINUTES.toNanos(1),
            NanoClock.SYSTEM, null, rings);
        ring.reader = new PooledExecutor(watching, "reader", () -> {
            ring.executed.addAndGet(ring.read.getAndSet(0));
            if (ring.executed.get() < 1_000) {
                ring.written.incrementAndGet();
                rings.expect();
            }
            SharedThread.current().yieldFor(Long.MAX_VALUE);
            return 0L;
        }, (thread, e) -> death.set(e), null);
        rings.add(ring);
        watching.add(ring.reader, false);

        await().atMost(DEADLINE).until(() -> ring.executed.get() == 1_000);
        await().atMost(DEADLINE).until(() -> ring.begun.get() == ring.ended.get());
        watching.close();
        assertNull(death.get());
    }

    /** A ring that has an answer to each message that its reader writes. */
    private static final class AnsweringRing implements WatchedRings.Ring {

        final AtomicInteger written = new AtomicInteger();
        final AtomicInteger read = new AtomicInteger();
        final AtomicInteger executed = new AtomicInteger();
        final AtomicInteger begun = new AtomicInteger();
        final AtomicInteger ended = new AtomicInteger();
        private PooledExecutor reader;

        @Override
        public boolean tryBegin() {
            begun.incrementAndGet();
            return true;
        }

        @Override
        public boolean read() {
            int answers = written.getAndSet(0);
            read.addAndGet(answers);
            if (answers > 0) {
                reader.run();
            }
            return answers > 0;
        }

        @Override
        public void end() {
            ended.incrementAndGet();
        }
    }
}
