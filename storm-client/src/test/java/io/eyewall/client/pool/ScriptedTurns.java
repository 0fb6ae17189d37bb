package io.eyewall.client.pool;

import io.eyewall.client.deadline.Urgency;
import io.eyewall.client.pool.Timers.Timer;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicReference;

/** Adds executors to an order on behalf of one thread or another, as a test says, at a time that the test sets. */
final class ScriptedTurns implements TurnScheduler {

    long nowNs;
    /** After how long an executor lets others have a turn. */
    long quantumNs;
    /** The threads that executors have for themselves, one at each look. */
    final Queue<Thread> ownThreads = new ConcurrentLinkedQueue<>();
    private TurnOrder order;
    /** The thread that wakes executors and has their turns; null for one outside the pool. */
    private PoolThread thread;
    /** Whether that thread takes the executor itself that was added last. */
    private boolean takesIt;

    void use(TurnOrder tested) {
        order = tested;
    }

    /** Wakes an executor that is idle; returns whether that thread takes it itself. */
    boolean wake(PooledExecutor executor, PoolThread by) {
        thread = by;
        executor.run();
        return takesIt;
    }

    /** Gives an executor a turn; returns whether that thread takes it again. */
    boolean turn(PooledExecutor executor, PoolThread on) {
        thread = on;
        takesIt = false;
        executor.turn(nowNs);
        executor.settle();
        return takesIt;
    }

    /** An executor that has nothing to do; its urgency is null if there are no deadlines. */
    PooledExecutor idle(Urgency urgency) {
        AtomicReference<PooledExecutor> itself = new AtomicReference<>();
        itself.set(new PooledExecutor(this, "idle", () -> {
            itself.get().yieldFor(Long.MAX_VALUE);
            return 0L;
        }, (failed, e) -> { }, urgency));
        turn(itself.get(), null);
        return itself.get();
    }

    /** An executor that always has something to do. */
    PooledExecutor busy(Urgency urgency) {
        return new PooledExecutor(this, "busy", () -> 0L, (failed, e) -> { }, urgency);
    }

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
        order.raised(executor);
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
    public Thread ownThread(PooledExecutor executor) {
        return ownThreads.poll();
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
        return quantumNs;
    }

    @Override
    public long blockedNs() {
        return 1;
    }
}
