package io.eyewall.client.pool;

import java.util.Arrays;
import java.util.List;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;

/**
 * The order of executors with deadlines: the one whose input should begin first. Where few are ready, an executor stays for a while on the
 * thread on which it became ready, as in {@link LastWokenFirst}, since its input is in that core's cache. A binary heap under a lock, which
 * is held for a search among the few that are ready, or for some ten comparisons, and never during a turn.
 */
final class MostUrgentFirst implements TurnOrder {

    private static final int FIRST_CAPACITY = 64;
    /** If so many are ready, the most urgent one is next on whatever thread, since the lock would be held for long by a search. */
    private static final int SEARCHED_AT_MOST = 64;

    private final LongSupplier nowNs;
    private final List<RunQueue> queues;
    private final LongConsumer passed;
    /** Guarded by this object, as are the places, times and homes of the executors in it. */
    private PooledExecutor[] heap = new PooledExecutor[FIRST_CAPACITY];
    /** Written under the lock, as is the next field. */
    private volatile int size;
    /** How many of them were woken by threads outside the pool, or by one that has left it. */
    private volatile int woken;

    /**
     * An order without executors.
     *
     * @param nowNs the time of the pool
     * @param queues those of the pool's threads
     * @param passed gets a time whenever an executor is taken: none that waits or has a turn should have begun before that
     */
    MostUrgentFirst(LongSupplier nowNs, List<RunQueue> queues, LongConsumer passed) {
        this.nowNs = nowNs;
        this.queues = queues;
        this.passed = passed;
    }

    @Override
    public boolean addWoken(PooledExecutor executor, PoolThread thread) {
        add(executor, thread == null ? null : thread.queue());
        if (thread != null && thread.isInPool()) {
            return true;
        }
        leaveHome(executor); // The thread has just left, and the one in its place may have parked.
        return false;
    }

    @Override
    public boolean addAfterTurn(PooledExecutor executor, PoolThread thread) {
        add(executor, thread == null ? null : thread.queue());
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
        if (size == 0) {
            thread.queue().runningBeginNs = RunQueue.NOTHING_RUNS;
            return null;
        }
        return takeFirst(thread.queue());
    }

    @Override
    public boolean hasWorkForOthers(PoolThread thread, long atNs) {
        return size > 0 && hasOneForOthers(atNs);
    }

    @Override
    public boolean isAnotherWoken() {
        return woken > 0;
    }

    private synchronized void add(PooledExecutor executor, RunQueue home) {
        int last = size;
        if (last == heap.length) {
            heap = Arrays.copyOf(heap, 2 * last);
        }
        executor.heapBeginNs = executor.beginNs();
        executor.home = home;
        if (home == null) {
            woken++;
        } else {
            home.timed++;
        }
        size = last + 1;
        up(executor, last);
    }

    /** Lets any thread take the executor, unless one already has. */
    private synchronized void leaveHome(PooledExecutor executor) {
        if (executor.home != null) {
            executor.home.timed--;
            executor.home = null;
            woken++;
        }
    }

    private synchronized PooledExecutor takeFirst(RunQueue queue) {
        int place = first(queue, nowNs.getAsLong());
        queue.runningBeginNs = place < 0 ? RunQueue.NOTHING_RUNS : heap[place].heapBeginNs;
        long leastNs = size > 0 ? heap[0].heapBeginNs : RunQueue.NOTHING_RUNS;
        for (RunQueue each : queues) {
            leastNs = Math.min(leastNs, each.runningBeginNs);
        }
        if (leastNs != RunQueue.NOTHING_RUNS) {
            passed.accept(leastNs);
        }
        return place < 0 ? null : remove(place);
    }

    private synchronized boolean hasOneForOthers(long atNs) {
        return first(null, atNs) >= 0;
    }

    /** The place of the most urgent executor that the thread with this queue may take; below 0 if there is none. Null: another thread. */
    private int first(RunQueue queue, long atNs) {
        int count = size;
        if (count >= SEARCHED_AT_MOST) {
            return 0;
        }
        int found = -1;
        for (int place = 0; place < count; place++) {
            PooledExecutor executor = heap[place];
            RunQueue home = executor.home;
            boolean isFree = home == null || home == queue || home.timed > RunQueue.MANY || executor.mayBeTakenOver(atNs);
            if (isFree && (found < 0 || executor.heapBeginNs < heap[found].heapBeginNs)) {
                found = place;
            }
        }
        return found;
    }

    private PooledExecutor remove(int place) {
        PooledExecutor removed = heap[place];
        int last = size - 1;
        PooledExecutor moved = heap[last];
        heap[last] = null;
        size = last;
        if (place < last) {
            if (place > 0 && moved.heapBeginNs < heap[(place - 1) / 2].heapBeginNs) {
                up(moved, place);
            } else {
                down(moved, place);
            }
        }
        removed.heapPlace = PooledExecutor.NOT_IN_HEAP;
        leaveHome(removed);
        int left = woken - 1;
        woken = left;
        return removed;
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

    /** Puts an executor into a free place, or into one below it. */
    private void down(PooledExecutor executor, int from) {
        int count = size;
        int place = from;
        for (int below = 2 * place + 1; below < count; below = 2 * place + 1) {
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
