package io.eyewall.client.pool;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

/**
 * The executors that wait for a turn on one thread of the pool. The executor that was woken last is taken next, since its input is still in
 * the processor's cache; the others wait in order. Any thread may add and take. A thread that has nothing to do takes from the queues of
 * others, and a thread that leaves the pool during a call may still add.
 */
final class RunQueue {

    /** Where so many wait besides the next one, the last of them would wait for about as long as executors do until they are taken over. */
    static final int MANY = 4;
    /** After all times. */
    static final long NOTHING_RUNS = Long.MAX_VALUE;

    private final AtomicReference<PooledExecutor> next = new AtomicReference<>();
    private final Queue<PooledExecutor> others = new ConcurrentLinkedQueue<>();
    /** How many others there are; more while one is being added or taken. */
    private final AtomicInteger waiting = new AtomicInteger();
    /** How many executors with deadlines became ready on the thread. For {@link MostUrgentFirst}, under its lock. */
    int timed;
    /** When the executor that the thread took last should have begun, or {@link #NOTHING_RUNS}. Written by the thread. */
    volatile long runningBeginNs = NOTHING_RUNS;

    /** Adds an executor that has just been woken. */
    void addNext(PooledExecutor executor) {
        PooledExecutor before = next.getAndSet(executor);
        if (before != null) {
            addLast(before);
        }
    }

    /** Adds an executor that has had its turn. */
    void addLast(PooledExecutor executor) {
        waiting.incrementAndGet();
        others.offer(executor);
    }

    /** Takes the executor that was woken last, or returns null. */
    PooledExecutor takeNext() {
        return next.get() == null ? null : next.getAndSet(null);
    }

    /** Takes the executor that has waited longest among the others, or returns null. */
    PooledExecutor takeOther() {
        PooledExecutor first = others.poll();
        if (first != null) {
            waiting.decrementAndGet();
        }
        return first;
    }

    /** Takes one of many executors that wait, or one that has waited for long, or returns null. */
    PooledExecutor takeOver(long nowNs) {
        if (mayTakeOther(nowNs)) {
            return takeOther(); // Another one if a thread has been faster.
        }
        PooledExecutor last = next.get();
        return mayTake(last, nowNs) && next.compareAndSet(last, null) ? last : null;
    }

    /** Whether {@link #takeOver} finds an executor. */
    boolean hasOneToTakeOver(long nowNs) {
        return mayTakeOther(nowNs) || mayTake(next.get(), nowNs);
    }

    private boolean mayTakeOther(long nowNs) {
        return waiting.get() >= MANY || mayTake(others.peek(), nowNs);
    }

    private static boolean mayTake(PooledExecutor executor, long nowNs) {
        return executor != null && executor.mayBeTakenOver(nowNs);
    }
}
