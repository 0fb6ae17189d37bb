package io.eyewall.client.pool;

import static io.eyewall.client.pool.LastWokenFirst.TAKEN_OVER_AFTER_NS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.eyewall.client.pool.Timers.Timer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class LastWokenFirstTest {

    private static final int STEPS = 100_000;
    private static final int EXECUTORS = 8;

    private final List<RunQueue> queues = List.of(new RunQueue(), new RunQueue());
    private final List<PoolThread> threads = queues.stream().map(queue -> new PoolThread(null, queue, null, "pool")).toList();
    private final PoolThread here = threads.get(0);
    private final PoolThread elsewhere = threads.get(1);
    private final LastWokenFirst order =
        new LastWokenFirst(new AtomicReferenceArray<>(threads.toArray(PoolThread[]::new)), queues, () -> this.nowNs);
    private final Turns turns = new Turns();
    private long nowNs;

    /** Adds executors to the order on behalf of one thread. */
    private final class Turns implements TurnScheduler {
        /** The thread that wakes executors and has their turns; null for one outside the pool. */
        PoolThread thread;
        /** Whether that thread takes the executor itself that was added last. */
        boolean takesIt;

        @Override
        public void woken(PooledExecutor executor) {
            takesIt = order.addWoken(executor, thread);
        }

        @Override
        public void hadItsTurn(PooledExecutor executor) {
            takesIt = order.addAfterTurn(executor, thread);
        }

        @Override
        public void raised(PooledExecutor executor) {
            // None has a deadline.
        }

        @Override
        public void later(Timer timer) {
            // They yield for ever.
        }

        @Override
        public void shareWork(long sinceNs) {
            // No thread runs.
        }

        @Override
        public boolean interrupt(PooledExecutor executor) {
            return false;
        }

        @Override
        public void ended(PooledExecutor executor) {
            // None does.
        }

        @Override
        public long nowNs() {
            return nowNs;
        }

        @Override
        public long quantumNs() {
            return 0;
        }

        @Override
        public long slowNs() {
            return 1;
        }
    }

    @Test
    void shouldRunTheExecutorNextThatWasWokenLast() {
        PooledExecutor first = idle();
        PooledExecutor last = idle();
        assertTrue(wake(first, here));
        assertTrue(wake(last, here));

        assertSame(last, order.take(here));
        assertSame(first, order.take(here));
        assertNull(order.take(here));
    }

    @Test
    void shouldLeaveAnExecutorToTheThreadThatHasItsInputUntilItHasWaited() {
        PooledExecutor busy = busy();
        assertTrue(turn(busy, here));
        PooledExecutor woken = idle();
        assertTrue(wake(woken, here));

        nowNs += TAKEN_OVER_AFTER_NS;
        assertFalse(order.hasWorkForOthers(here, nowNs));
        assertNull(order.take(elsewhere));

        nowNs++;
        assertTrue(order.hasWorkForOthers(here, nowNs));
        assertSame(busy, order.take(elsewhere));
        assertSame(woken, order.take(elsewhere));
        assertNull(order.take(here));
    }

    @Test
    void shouldGiveAwayTheExecutorThatWaitsLongestWhereManyWait() {
        List<PooledExecutor> ready = Stream.generate(this::busy).limit(4).toList();
        ready.subList(0, 3).forEach(executor -> turn(executor, here));
        assertFalse(order.hasWorkForOthers(here, nowNs));
        assertNull(order.take(elsewhere));

        turn(ready.get(3), here);

        assertTrue(order.hasWorkForOthers(here, nowNs));
        assertSame(ready.get(0), order.take(elsewhere));
        assertFalse(order.hasWorkForOthers(here, nowNs));
        assertNull(order.take(elsewhere));
        assertSame(ready.get(1), order.take(here));
    }

    @Test
    void shouldGiveAnExecutorThatIsWokenFromOutsideToAnyThread() {
        PooledExecutor woken = idle();
        assertFalse(wake(woken, null));

        assertTrue(order.hasWorkForOthers(here, nowNs));
        assertSame(woken, order.take(elsewhere));
    }

    /** A thread that is woken for nothing costs as much as many tuples; one that is not woken lets an executor wait. */
    @Test
    void shouldHaveWorkForOthersExactlyWhenAnotherThreadFindsSome() {
        Random random = new Random(11);
        List<PooledExecutor> idle = new ArrayList<>(Stream.generate(this::idle).limit(EXECUTORS).toList());
        int takenOver = 0;
        for (int step = 0; step < STEPS; step++) {
            nowNs += random.nextLong(TAKEN_OVER_AFTER_NS / 2);
            PooledExecutor taken = null;
            int what = random.nextInt(4);
            if (what < 2 && !idle.isEmpty()) {
                wake(idle.remove(random.nextInt(idle.size())), random.nextInt(4) == 0 ? null : here);
            } else if (what == 2) {
                taken = order.take(here);
                assertEquals(idle.size() == EXECUTORS, taken == null);
            } else {
                boolean worthAWakeUp = order.hasWorkForOthers(here, nowNs);
                taken = order.take(elsewhere);
                assertEquals(worthAWakeUp, taken != null);
                takenOver += taken == null ? 0 : 1;
            }
            if (taken != null) {
                turn(taken, here);
                assertFalse(idle.contains(taken));
                idle.add(taken);
            }
        }
        assertTrue(takenOver > STEPS / 100, "Few executors were taken over.");
    }

    /** Wakes an executor that is idle; returns whether that thread takes it itself. */
    private boolean wake(PooledExecutor executor, PoolThread thread) {
        turns.thread = thread;
        executor.run();
        return turns.takesIt;
    }

    /** Gives an executor a turn; returns whether that thread takes it again. */
    private boolean turn(PooledExecutor executor, PoolThread thread) {
        turns.thread = thread;
        turns.takesIt = false;
        executor.turn(nowNs);
        executor.settle();
        return turns.takesIt;
    }

    /** An executor that has nothing to do. */
    private PooledExecutor idle() {
        AtomicReference<PooledExecutor> itself = new AtomicReference<>();
        itself.set(new PooledExecutor(turns, "idle", () -> {
            itself.get().yieldFor(Long.MAX_VALUE);
            return 0L;
        }, (thread, e) -> { }, null));
        turn(itself.get(), here);
        return itself.get();
    }

    /** An executor that always has something to do. */
    private PooledExecutor busy() {
        return new PooledExecutor(turns, "busy", () -> 0L, (thread, e) -> { }, null);
    }
}
