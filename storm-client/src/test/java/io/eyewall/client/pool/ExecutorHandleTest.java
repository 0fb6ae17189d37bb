package io.eyewall.client.pool;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.eyewall.client.CapturedLog;
import io.eyewall.client.engine.SharedThread;
import io.eyewall.client.time.NanoClock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.apache.logging.log4j.Level;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Upstream starts an executor's thread, and ends it: it interrupts and joins it. The executor must have ended then. */
class ExecutorHandleTest {

    private static final Duration SOON = Duration.ofMinutes(1);
    private static final long CALL_MS = 500;

    private final ExecutorPool pool = new ExecutorPool(2, TimeUnit.MICROSECONDS.toNanos(100), TimeUnit.MILLISECONDS.toNanos(10),
        NanoClock.SYSTEM, null, null);

    @AfterEach
    void close() {
        pool.close();
    }

    @Test
    void shouldWaitForACallThatCannotBeInterrupted() throws InterruptedException {
        CountDownLatch called = new CountDownLatch(1);
        AtomicBoolean returned = new AtomicBoolean();
        ExecutorHandle handle = handle(() -> {
            called.countDown();
            long sinceNs = System.nanoTime();
            while (System.nanoTime() - sinceNs < TimeUnit.MILLISECONDS.toNanos(CALL_MS)) {
                Thread.onSpinWait();
            }
            returned.set(true);
            return 0L;
        });
        handle.start();
        assertTrue(called.await(SOON.toSeconds(), TimeUnit.SECONDS));

        handle.interrupt();

        assertTrue(returned.get(), "The executor would be cleaned up during a call.");
    }

    /** A worker has little time to end. */
    @Test
    void shouldWaitAsBrieflyAsUpstreamAfterAnExecutorThatGoesOn() throws InterruptedException {
        AtomicBoolean release = new AtomicBoolean();
        List<ExecutorHandle> handles = List.of(goingOn(release), goingOn(release));
        try (CapturedLog log = new CapturedLog(Level.INFO, ExecutorHandle.class)) {
            handles.forEach(ExecutorHandle::interrupt);

            assertEquals(2, log.lines().size(), () -> String.join("\n", log.lines()));
            assertTrue(log.lines().get(0).contains(" has not ended within 2000 ms."), () -> log.lines().get(0));
            assertTrue(log.lines().get(1).contains(" has not ended within 100 ms."), () -> log.lines().get(1));
        } finally {
            release.set(true);
        }
    }

    @Test
    void shouldEndAnExecutorThatWasInterruptedWhileItWasMade() throws InterruptedException {
        CountDownLatch making = new CountDownLatch(1);
        CountDownLatch release = new CountDownLatch(1);
        AtomicInteger rounds = new AtomicInteger();
        AtomicReference<PooledExecutor> executor = new AtomicReference<>();
        ExecutorHandle handle = new ExecutorHandle(pool, () -> {
            making.countDown();
            while (release.getCount() > 0) { // Leaves the interrupt to the handle.
                Thread.onSpinWait();
            }
            executor.set(executor(() -> {
                rounds.incrementAndGet();
                return 0L;
            }));
            return executor.get();
        }, false, "executor");
        handle.start();
        assertTrue(making.await(SOON.toSeconds(), TimeUnit.SECONDS));

        handle.interrupt();
        release.countDown();
        handle.join(SOON.toMillis());

        assertFalse(handle.isAlive());
        assertTrue(executor.get().stop(SOON.toMillis()), "It has not ended.");
        assertEquals(0, rounds.get());
    }

    /** An executor that goes back to the pool while its thread is interrupted, and blocks on another thread. */
    @Test
    void shouldInterruptEachThreadThatTheExecutorHasForItselfOnce() throws InterruptedException {
        ScriptedTurns turns = new ScriptedTurns();
        turns.use(new LastWokenFirst(null, List.of(), turns::nowNs));
        PooledExecutor executor = turns.busy(null);
        AtomicInteger first = new AtomicInteger();
        AtomicInteger second = new AtomicInteger();
        Thread left = interrupted(first);
        Thread blocking = interrupted(second);
        turns.ownThreads.addAll(List.of(left, left, blocking, blocking));
        Thread call = new Thread(() -> {
            await().atMost(SOON).until(turns.ownThreads::isEmpty);
            executor.turn(turns.nowNs);
        });
        call.start();

        assertTrue(executor.stop(SOON.toMillis()));

        call.join();
        assertEquals(1, first.get());
        assertEquals(1, second.get());
    }

    @Test
    void shouldEndAnExecutorThatWaits() throws InterruptedException {
        AtomicInteger rounds = new AtomicInteger();
        ExecutorHandle handle = handle(() -> {
            rounds.incrementAndGet();
            SharedThread.current().yieldFor(Long.MAX_VALUE);
            return 0L;
        });
        handle.start();
        await().atMost(SOON).until(() -> rounds.get() > 0);

        handle.interrupt();

        int before = rounds.get();
        await().during(Duration.ofMillis(1_500)).atMost(SOON).until(() -> rounds.get() == before); // The pool wakes all once a second.
    }

    /** One that is in a call which does not end before it is released. */
    private ExecutorHandle goingOn(AtomicBoolean release) throws InterruptedException {
        CountDownLatch called = new CountDownLatch(1);
        ExecutorHandle handle = handle(() -> {
            called.countDown();
            while (!release.get()) {
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
            }
            return 0L;
        });
        handle.start();
        assertTrue(called.await(SOON.toSeconds(), TimeUnit.SECONDS));
        return handle;
    }

    private static Thread interrupted(AtomicInteger times) {
        return new Thread() {
            @Override
            public void interrupt() {
                times.incrementAndGet();
            }
        };
    }

    private ExecutorHandle handle(Callable<Long> body) {
        return new ExecutorHandle(pool, () -> executor(body), false, "executor");
    }

    private PooledExecutor executor(Callable<Long> body) {
        return new PooledExecutor(pool, "executor", body, (thread, e) -> { }, null);
    }
}
