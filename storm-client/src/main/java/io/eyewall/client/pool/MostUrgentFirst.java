package io.eyewall.client.pool;

import java.util.Arrays;
import java.util.concurrent.TimeUnit;

/**
 * The order of executors with deadlines: the one whose input should begin first, on whatever thread. A binary heap under a lock, which is
 * held for some ten comparisons and never during a turn.
 */
final class MostUrgentFirst implements TurnOrder {

    private static final int FIRST_CAPACITY = 64;
    /** A thread that has been busy for this time shares its work with an idle one. Any sooner, a wake-up would cost more than it brings. */
    private static final long SHARED_AFTER_NS = TimeUnit.MICROSECONDS.toNanos(100);

    /** Guarded by this object, as are the places and times of the executors in it. */
    private PooledExecutor[] heap = new PooledExecutor[FIRST_CAPACITY];
    /** Written under the lock. */
    private volatile int size;

    @Override
    public boolean addWoken(PooledExecutor executor, PoolThread thread) {
        add(executor);
        return thread != null && thread.isInPool(); // If it has just left, the one in its place may have parked.
    }

    @Override
    public boolean addAfterTurn(PooledExecutor executor, PoolThread thread) {
        add(executor);
        return thread != null;
    }

    @Override
    public synchronized void raised(PooledExecutor executor) {
        if (executor.heapPlace >= 0) {
            long beginNs = executor.beginNs();
            if (beginNs < executor.heapBeginNs) {
                executor.heapBeginNs = beginNs;
                up(executor, executor.heapPlace);
            }
        }
    }

    @Override
    public PooledExecutor take(PoolThread thread) {
        return size == 0 ? null : takeFirst();
    }

    @Override
    public boolean hasWorkForOthers(PoolThread thread, long nowNs) {
        return size > 0 && nowNs - thread.busySinceNs() > SHARED_AFTER_NS;
    }

    @Override
    public boolean isAnotherWoken() {
        return size > 0;
    }

    private synchronized void add(PooledExecutor executor) {
        int last = size;
        if (last == heap.length) {
            heap = Arrays.copyOf(heap, 2 * last);
        }
        executor.heapBeginNs = executor.beginNs();
        size = last + 1;
        up(executor, last);
    }

    private synchronized PooledExecutor takeFirst() {
        int last = size - 1;
        if (last < 0) {
            return null;
        }
        PooledExecutor first = heap[0];
        PooledExecutor moved = heap[last];
        heap[last] = null;
        size = last;
        if (last > 0) {
            down(moved);
        }
        first.heapPlace = PooledExecutor.NOT_IN_HEAP;
        return first;
    }

    /** Puts an executor into a free place, or into one above it. */
    private void up(PooledExecutor executor, int from) {
        int place = from;
        while (place > 0) {
            int above = (place - 1) / 2;
            if (heap[above].heapBeginNs <= executor.heapBeginNs) {
                break;
            }
            put(heap[above], place);
            place = above;
        }
        put(executor, place);
    }

    /** Puts an executor into the first place, which is free, or into one below it. */
    private void down(PooledExecutor executor) {
        int count = size;
        int place = 0;
        for (int below = 1; below < count; below = 2 * place + 1) {
            int sooner = below + 1 < count && heap[below + 1].heapBeginNs < heap[below].heapBeginNs ? below + 1 : below;
            if (executor.heapBeginNs <= heap[sooner].heapBeginNs) {
                break;
            }
            put(heap[sooner], place);
            place = sooner;
        }
        put(executor, place);
    }

    private void put(PooledExecutor executor, int place) {
        heap[place] = executor;
        executor.heapPlace = place;
    }
}
