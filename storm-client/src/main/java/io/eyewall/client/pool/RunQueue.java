package io.eyewall.client.pool;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicReference;

/**
 * The executors that wait for a turn on one thread of the pool. The executor that was woken last is taken next, since its input is still in
 * the processor's cache; the others wait in order. Any thread may add and take. A thread that has nothing to do takes from the queues of
 * others, and a thread that leaves the pool during a call may still add.
 */
final class RunQueue {

    private final AtomicReference<PooledExecutor> next = new AtomicReference<>();
    private final Queue<PooledExecutor> others = new ConcurrentLinkedQueue<>();

    /** Adds an executor that has just been woken. */
    void addNext(PooledExecutor executor) {
        PooledExecutor before = next.getAndSet(executor);
        if (before != null) {
            others.offer(before);
        }
    }

    /** Adds an executor that has had its turn. */
    void addLast(PooledExecutor executor) {
        others.offer(executor);
    }

    /** Takes the executor that was woken last, or returns null. */
    PooledExecutor takeNext() {
        return next.get() == null ? null : next.getAndSet(null);
    }

    /** Takes the executor that has waited longest among the others, or returns null. */
    PooledExecutor takeOther() {
        return others.poll();
    }

    boolean isEmpty() {
        return next.get() == null && others.isEmpty();
    }
}
