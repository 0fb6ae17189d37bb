package io.eyewall.client.pool;

import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.LongSupplier;

/**
 * The order of executors without deadlines: an executor that was woken by another one is next on the same thread, since the tuples are in
 * that core's cache; a thread that has none takes those that have waited longest, first its own, then those of other threads.
 */
final class LastWokenFirst implements TurnOrder {

    /** If a turn takes longer than this, another thread takes the executor that waits behind it. */
    private static final long STEAL_NS = TimeUnit.MICROSECONDS.toNanos(100);

    private final AtomicReferenceArray<PoolThread> threads;
    private final List<RunQueue> queues;
    private final LongSupplier nowNs;
    /** Executors that were woken by threads outside the pool. */
    private final Queue<PooledExecutor> woken = new ConcurrentLinkedQueue<>();

    /**
     * An order without executors.
     *
     * @param threads the threads of the pool
     * @param queues the queue of each of them, filled before the first executor comes
     * @param nowNs the time of the pool
     */
    LastWokenFirst(AtomicReferenceArray<PoolThread> threads, List<RunQueue> queues, LongSupplier nowNs) {
        this.threads = threads;
        this.queues = queues;
        this.nowNs = nowNs;
    }

    @Override
    public boolean addWoken(PooledExecutor executor, PoolThread thread) {
        if (thread == null) {
            woken.offer(executor);
            return false;
        }
        thread.queue().addNext(executor);
        if (thread.isInPool()) {
            return true; // The thread itself looks into its queue when the turn is over.
        }
        PooledExecutor next = thread.queue().takeNext(); // The thread has just left, and the one in its place may have parked.
        if (next != null) {
            woken.offer(next);
        }
        return false;
    }

    @Override
    public boolean addAfterTurn(PooledExecutor executor, PoolThread thread) {
        if (thread == null) {
            woken.offer(executor);
            return false;
        }
        thread.queue().addLast(executor);
        return true;
    }

    @Override
    public void raised(PooledExecutor executor) {
        // There are no deadlines.
    }

    @Override
    public PooledExecutor take(PoolThread thread) {
        RunQueue queue = thread.queue();
        PooledExecutor found = thread.mayTakeNext() ? queue.takeNext() : null;
        if (found == null) {
            boolean outsideFirst = thread.looksOutsideFirst();
            found = outsideFirst ? woken.poll() : queue.takeOther();
            if (found == null) {
                found = outsideFirst ? queue.takeOther() : woken.poll();
            }
        }
        if (found == null) {
            found = queue.takeNext();
        }
        return found == null ? steal(thread) : found;
    }

    @Override
    public boolean hasWork(PoolThread thread) {
        return !thread.queue().isEmpty() || !woken.isEmpty();
    }

    @Override
    public boolean isAnotherWoken() {
        return !woken.isEmpty();
    }

    private PooledExecutor steal(PoolThread thief) {
        PooledExecutor found = null;
        for (int i = 0; i < threads.length() && found == null; i++) {
            PoolThread other = threads.get(i);
            if (other != thief) {
                RunQueue queue = queues.get(i);
                found = queue.takeOther();
                if (found == null && (other.turn() & 1) == 1 && nowNs.getAsLong() - other.turnSinceNs() > STEAL_NS) {
                    found = queue.takeNext();
                }
            }
        }
        return found;
    }
}
