package io.eyewall.client.hot;

import io.eyewall.client.engine.WakingQueue;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import org.apache.storm.tuple.AddressedTuple;
import org.apache.storm.utils.JCQueue;

/**
 * Forwards tuples that have come to the wrong worker to their task: into the task's queue if the task is here, to its worker if it is not.
 * A tuple from another worker whose task is assigned to this worker and still runs elsewhere waits, so that no two workers send it to each
 * other. A tuple that an executor of this worker emitted is sent: its task may be a spout that waits for such an ack before it leaves. The
 * forwarder also takes the elements that are left in the queues of executors that have ended, and those that others still insert there.
 *
 * <p>It has a thread of its own, since a worker that is slow to take tuples must not hold up the threads of the network. It refuses
 * nothing. It {@linkplain #hasSpace() has no space} when it holds as much as a full queue, and then the workers that send here hold back.
 */
final class Forwarder implements AutoCloseable {

    private static final long RETRY_NS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final long LONG_NS = TimeUnit.MILLISECONDS.toNanos(100);
    private static final int BATCH = 1_000;

    private final WorkerPlace here;
    private final TupleTransfer transfer;
    private final Predicate<WorkerPlace> reachable;
    private final long capacityTuples;
    private final Runnable onSpace;
    private final Lane arrived = new Lane(false);
    private final Lane own = new Lane(true);
    /** Queues without a consumer, into which elements may have been inserted. */
    private final Queue<WakingQueue> abandoned = new ConcurrentLinkedQueue<>();
    private final Thread thread;

    private volatile Routes routes = Routes.NONE;
    private volatile boolean closed;
    /** The number of tuples, and of queues to be drained, that have come and have not gone. */
    private final AtomicLong backlog = new AtomicLong();
    /** The largest backlog that its thread has seen. Written by that thread. */
    private volatile long largestBacklog;
    /** Whether it is full, or has been since {@link #onSpace} last ran. */
    private final AtomicBoolean full = new AtomicBoolean();

    /**
     * Begins empty.
     *
     * @param reachable whether tuples to a worker would be sent, and not dropped
     * @param capacityTuples how many tuples fill it
     * @param onSpace runs when it has been full and has space again, on its thread
     */
    Forwarder(WorkerPlace here, TupleTransfer transfer, Predicate<WorkerPlace> reachable, long capacityTuples, Runnable onSpace) {
        this.here = here;
        this.transfer = transfer;
        this.reachable = reachable;
        this.capacityTuples = capacityTuples;
        this.onSpace = onSpace;
        thread = new Thread(this::run, "hot-rebalance-forwarder");
        thread.setDaemon(true);
    }

    void start() {
        thread.start();
    }

    /** Takes a tuple that came to this worker; for any thread. */
    void accept(AddressedTuple tuple) {
        accept(tuple, arrived);
    }

    /** Takes a tuple that an executor of this worker emitted and that could not be sent; for any thread. */
    void acceptOwn(AddressedTuple tuple) {
        accept(tuple, own);
    }

    private void accept(AddressedTuple tuple, Lane lane) {
        count();
        lane.arrivals.add(tuple);
        LockSupport.unpark(thread);
    }

    /** Takes the tuples of a queue whose consumer has ended, including those that are inserted later; for any thread. */
    void abandon(WakingQueue queue) {
        backlog.incrementAndGet();
        abandoned.add(queue);
        LockSupport.unpark(thread);
    }

    /** Sends tuples by these routes from now on; for any thread. */
    void setRoutes(Routes next) {
        routes = next;
        LockSupport.unpark(thread);
    }

    /** About how many tuples it holds; at least one while it holds any; for any thread. */
    long backlog() {
        return backlog.get();
    }

    /** The largest backlog so far, in tuples; for any thread. */
    long largestBacklog() {
        return largestBacklog;
    }

    /** Whether it holds fewer tuples than fill it; for any thread. */
    boolean hasSpace() {
        return !full.get();
    }

    /** Raised while it has no space, so that executors of this worker, whose tuples it keeps, hold back. */
    AtomicBoolean full() {
        return full;
    }

    @Override
    public void close() {
        closed = true;
        thread.interrupt();
    }

    private void run() {
        while (!closed) {
            long waitNs = doWork();
            if (waitNs > 0) {
                LockSupport.parkNanos(waitNs);
            }
        }
    }

    /** Does one round; returns in how many nanoseconds the next one is due. On the forwarder's thread. */
    long doWork() {
        int moved = arrived.takeArrivals() + own.takeArrivals();
        for (WakingQueue queue = abandoned.poll(); queue != null; queue = abandoned.poll()) {
            drain(queue);
            moved++;
        }
        largestBacklog = Math.max(largestBacklog, backlog.get());
        Routes now = routes;
        int gone = forward(arrived, now) + forward(own, now);
        if (gone > 0) {
            transfer.flush();
            backlog.addAndGet(-gone); // After the flush: no backlog means that all tuples are on their way.
        }
        if (full.get() && backlog.get() < capacityTuples) {
            full.set(false);
            onSpace.run();
        }
        if (moved > 0 || gone > 0) {
            return 0;
        }
        return arrived.waiting.isEmpty() && own.waiting.isEmpty() ? LONG_NS : RETRY_NS;
    }

    /** Counts one more tuple. {@link #doWork} follows, which lowers the flag if it was raised too late. */
    private void count() {
        if (backlog.incrementAndGet() >= capacityTuples) {
            full.set(true);
        }
    }

    private void drain(WakingQueue queue) {
        queue.drain(element -> {
            AddressedTuple tuple = (AddressedTuple) element;
            if (tuple.getDest() != AddressedTuple.BROADCAST_DEST) { // A broadcast was for the executor that has ended.
                count();
                arrived.await(tuple);
            }
        }, () -> abandon(queue));
        backlog.decrementAndGet();
    }

    /** Sends what can go at the moment; returns how many tuples went. */
    private int forward(Lane lane, Routes now) {
        int gone = 0;
        for (Iterator<Map.Entry<Integer, Deque<AddressedTuple>>> tasks = lane.waiting.entrySet().iterator(); tasks.hasNext();) {
            Map.Entry<Integer, Deque<AddressedTuple>> task = tasks.next();
            boolean stays = !lane.leavesExpected && now.expected().contains(task.getKey());
            gone += forward(task.getKey(), task.getValue(), now, stays);
            if (task.getValue().isEmpty()) {
                tasks.remove();
            }
        }
        return gone;
    }

    private int forward(int task, Deque<AddressedTuple> tuples, Routes now, boolean stays) {
        JCQueue queue = now.queues().get(task);
        WorkerPlace home = now.homes().get(task);
        boolean elsewhere = home != null && !home.equals(here) && !stays && reachable.test(home);
        int gone = 0;
        while (!tuples.isEmpty() && (queue != null ? queue.isEmptyOverflow() && queue.tryPublishDirect(tuples.peek())
                : elsewhere && transfer.trySend(tuples.peek()))) {
            tuples.remove();
            gone++;
        }
        return gone;
    }

    /** Tuples that take the same routes. */
    private static final class Lane {
        private final Queue<AddressedTuple> arrivals = new ConcurrentLinkedQueue<>();
        /** The tuples by task, in the order of their arrival. Only for the forwarder's thread. */
        private final Map<Integer, Deque<AddressedTuple>> waiting = new HashMap<>();
        /** Whether they are sent to a task that is expected here. */
        private final boolean leavesExpected;

        Lane(boolean leavesExpected) {
            this.leavesExpected = leavesExpected;
        }

        int takeArrivals() {
            int taken = 0;
            while (taken < BATCH && !arrivals.isEmpty()) {
                await(arrivals.remove());
                taken++;
            }
            return taken;
        }

        void await(AddressedTuple tuple) {
            waiting.computeIfAbsent(tuple.getDest(), task -> new ArrayDeque<>()).add(tuple);
        }
    }
}
