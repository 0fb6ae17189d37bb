package io.eyewall.client.pool;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.eyewall.client.pool.Timers.Timer;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;
import org.openjdk.jcstress.infra.results.ZI_Result;

/**
 * That an executor which is about to be idle while it is woken gets another turn, and one only; and that a turn sees what the turn before
 * wrote on another thread.
 */
public final class PooledExecutorStress {

    private PooledExecutorStress() {
    }

    /** Notes which executors would get a turn. */
    private static final class Noted implements TurnScheduler {
        final Queue<PooledExecutor> ready = new ConcurrentLinkedQueue<>();
        /** Written before the actors start. */
        long nowNs;

        @Override
        public void woken(PooledExecutor executor) {
            ready.add(executor);
        }

        @Override
        public void hadItsTurn(PooledExecutor executor) {
            ready.add(executor);
        }

        @Override
        public void raised(PooledExecutor executor) {
            // None has a deadline.
        }

        @Override
        public void later(Timer timer) {
            // The executor has yielded for ever.
        }

        @Override
        public void shareWork(long nowNs) {
            // There is no other thread.
        }

        @Override
        public Thread ownThread(PooledExecutor executor) {
            return null;
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
            return 1;
        }

        @Override
        public long blockedNs() {
            return 1;
        }
    }

    /** An executor that takes a message, and yields if there is none. */
    private static class Running {
        final Noted turns = new Noted();
        final AtomicBoolean message = new AtomicBoolean();
        final PooledExecutor executor = new PooledExecutor(turns, "executor", this::round, (thread, e) -> { }, null);
        /** Not volatile: the hand-over publishes it. */
        int taken;

        private Long round() {
            if (message.compareAndSet(true, false)) {
                taken++;
            } else {
                executor.yieldFor(Long.MAX_VALUE);
            }
            return 0L;
        }

        void turn() {
            executor.turn(0);
            executor.settle();
        }
    }

    /** A message that comes at the end of a turn. */
    @JCStressTest
    @Outcome(id = {"true, 0", "true, 1", "false, 1"}, expect = ACCEPTABLE, desc = "taken, or another turn, or both")
    @Outcome(id = "false, 0", expect = FORBIDDEN, desc = "idle beside a message")
    @Outcome(expect = FORBIDDEN, desc = "two turns at once")
    @State
    public static class WokenAtTheEnd extends Running {
        @Actor
        public void producer() {
            message.set(true);
            executor.run();
        }

        @Actor
        public void thread() {
            turn();
        }

        @Arbiter
        public void noted(ZI_Result result) {
            result.r1 = taken == 1;
            result.r2 = turns.ready.size();
        }
    }

    /** A message that comes at the end of a turn on the executor's own thread, which does not wait if the executor is not idle. */
    @JCStressTest
    @Outcome(id = {"true, 0", "true, 1", "false, 1"}, expect = ACCEPTABLE, desc = "taken, or another turn, or both")
    @Outcome(id = "false, 0", expect = FORBIDDEN, desc = "idle beside a message")
    @State
    public static class WokenOnItsOwnThread extends Running {
        private static final PoolThread OWN = new PoolThread(null, null, null, "own");

        /** An executor that has left the pool. */
        public WokenOnItsOwnThread() {
            executor.detach(OWN);
        }

        @Actor
        public void producer() {
            message.set(true);
            executor.run();
        }

        @Actor
        public void thread() {
            turn();
        }

        @Arbiter
        public void noted(ZI_Result result) {
            result.r1 = taken == 1;
            result.r2 = executor.isIdle() ? 0 : 1;
        }
    }

    /** A message that comes while an executor goes back to the pool. */
    @JCStressTest
    @Outcome(id = {"true, 0", "true, 1", "false, 1"}, expect = ACCEPTABLE, desc = "taken, or another turn, or both")
    @Outcome(id = "false, 0", expect = FORBIDDEN, desc = "idle beside a message, or ready and given to no thread")
    @Outcome(expect = FORBIDDEN, desc = "two turns at once")
    @State
    public static class WokenWhileItJoins extends Running {
        private static final PoolThread OWN = new PoolThread(null, null, null, "own");

        /** An executor that has left the pool, and whose calls have long been short. */
        public WokenWhileItJoins() {
            executor.detach(OWN);
            turns.nowNs = 2 * ExecutorPool.CALM_NS;
        }

        @Actor
        public void producer() {
            message.set(true);
            executor.run();
        }

        @Actor
        public void thread() {
            executor.turn(turns.nowNs);
            executor.join();
            executor.settle();
        }

        @Arbiter
        public void noted(ZI_Result result) {
            result.r1 = taken == 1;
            result.r2 = turns.ready.size();
        }
    }

    /** An executor that two threads wake. */
    @JCStressTest
    @Outcome(id = "1, 1", expect = ACCEPTABLE, desc = "one turn")
    @Outcome(expect = FORBIDDEN, desc = "none, or two turns at once")
    @State
    public static class WokenTwice extends Running {
        /** An idle executor. */
        public WokenTwice() {
            turn();
        }

        @Actor
        public void first() {
            executor.run();
        }

        @Actor
        public void second() {
            executor.run();
        }

        @Arbiter
        public void noted(II_Result result) {
            result.r1 = turns.ready.size();
            message.set(true);
            turn();
            result.r2 = taken;
        }
    }

    /** An executor that goes to another thread. */
    @JCStressTest
    @Outcome(id = {"1, 0", "2, 1"}, expect = ACCEPTABLE, desc = "not handed over yet, or seen")
    @Outcome(expect = FORBIDDEN, desc = "a turn that does not see the one before")
    @State
    public static class HandedOver extends Running {
        /** An executor with a message that is always there when a turn begins. */
        public HandedOver() {
            message.set(true);
        }

        @Actor
        public void first() {
            executor.turn(0);
            message.set(true);
            executor.run();
            executor.settle();
        }

        @Actor
        public void second(II_Result result) {
            PooledExecutor ready = turns.ready.poll();
            if (ready == null) {
                result.r1 = 1;
            } else {
                int before = taken;
                ready.turn(0);
                result.r1 = taken;
                result.r2 = before;
            }
        }
    }
}
