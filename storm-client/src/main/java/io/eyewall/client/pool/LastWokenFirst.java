package io.eyewall.client.pool;

import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.LongSupplier;

/**
 * The order of executors without deadlines. An executor that was woken by another one is next on the same thread, since the tuples are in
 * that core's cache. Another thread takes it over only after a millisecond, or from a thread at which several wait. Two cores that execute
 * the same tuples use more CPU time together than one: each tuple, and each place of the queue, goes from one core's cache to the other's.
 */
final class LastWokenFirst implements TurnOrder {

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
        return found == null ? takeOver(thread) : found;
    }

    @Override
    public boolean hasWorkForOthers(PoolThread thread, long atNs) {
        return thread.queue().hasOneToTakeOver(atNs) || !woken.isEmpty();
    }

    @Override
    public boolean isAnotherWoken() {
        return !woken.isEmpty();
    }

    private PooledExecutor takeOver(PoolThread thread) {
        long atNs = nowNs.getAsLong();
        PooledExecutor found = null;
        for (int i = 0; i < threads.length() && found == null; i++) {
            if (threads.get(i) != thread) {
                found = queues.get(i).takeOver(atNs);
            }
        }
        return found;
    }
}
