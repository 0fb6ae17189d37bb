package io.eyewall.client.hot;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import org.apache.storm.daemon.worker.WorkerState;
import org.apache.storm.serialization.KryoTupleSerializer;
import org.apache.storm.tuple.AddressedTuple;
import org.apache.storm.utils.JCQueue;

/**
 * Brings tuples that have come to the wrong worker to their task: into its queue once it is here, to its worker otherwise. A tuple whose
 * task is assigned here and still runs elsewhere waits, so that no two workers send it to each other. Has a thread of its own, since a
 * worker that is slow to take tuples must not keep the network's threads.
 */
final class Forwarder implements AutoCloseable {

    private static final long RETRY_NS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final long LONG_NS = TimeUnit.MILLISECONDS.toNanos(100);
    private static final int BATCH = 1_000;

    private final WorkerState worker;
    private final WorkerPlace here;
    private final Map<String, Object> topologyConf;
    private final Predicate<WorkerPlace> reachable;
    private final Queue<AddressedTuple> arrivals = new ConcurrentLinkedQueue<>();
    /** By task, in the order of their arrival. The forwarder's thread alone. */
    private final Map<Integer, Deque<AddressedTuple>> waiting = new HashMap<>();
    private final Thread thread;

    private volatile Routes routes = Routes.NONE;
    private volatile boolean closed;
    /** How many tuples have gone on so far. */
    private final AtomicLong forwarded = new AtomicLong();

    Forwarder(WorkerState worker, WorkerPlace here, Map<String, Object> topologyConf, Predicate<WorkerPlace> reachable) {
        this.worker = worker;
        this.here = here;
        this.topologyConf = topologyConf;
        this.reachable = reachable;
        thread = new Thread(this::run, "hot-rebalance-forwarder");
        thread.setDaemon(true);
    }

    void start() {
        thread.start();
    }

    /** Takes a tuple; for any thread. */
    void accept(AddressedTuple tuple) {
        arrivals.add(tuple);
        LockSupport.unpark(thread);
    }

    /** Has tuples take these ways from now on. */
    void setRoutes(Routes next) {
        routes = next;
        LockSupport.unpark(thread);
    }

    /** How many tuples were sent on, or put into their queue here, so far. */
    long forwarded() {
        return forwarded.get();
    }

    @Override
    public void close() {
        closed = true;
        thread.interrupt();
    }

    private void run() {
        KryoTupleSerializer serializer = new KryoTupleSerializer(topologyConf, worker.getWorkerTopologyContext());
        while (!closed) {
            int moved = 0;
            while (moved < BATCH && !arrivals.isEmpty()) {
                AddressedTuple tuple = arrivals.remove();
                waiting.computeIfAbsent(tuple.getDest(), task -> new ArrayDeque<>()).add(tuple);
                moved++;
            }
            Routes now = routes;
            int gone = 0;
            for (int task : new ArrayList<>(waiting.keySet())) {
                gone += forward(task, waiting.get(task), now, serializer);
                if (waiting.get(task).isEmpty()) {
                    waiting.remove(task);
                }
            }
            if (gone > 0) {
                flush();
            }
            forwarded.addAndGet(gone);
            if (moved == 0 && gone == 0) {
                LockSupport.parkNanos(waiting.isEmpty() ? LONG_NS : RETRY_NS);
            }
        }
    }

    /** Sends on what can go at the moment; answers how many went. */
    private int forward(int task, Deque<AddressedTuple> tuples, Routes now, KryoTupleSerializer serializer) {
        JCQueue queue = now.queues().get(task);
        WorkerPlace home = now.homes().get(task);
        boolean elsewhere = home != null && !home.equals(here) && !now.expected().contains(task) && reachable.test(home);
        int gone = 0;
        while (!tuples.isEmpty() && (queue != null ? queue.isEmptyOverflow() && queue.tryPublishDirect(tuples.peek())
                : elsewhere && worker.tryTransferRemote(tuples.peek(), null, serializer))) {
            tuples.remove();
            gone++;
        }
        return gone;
    }

    /** What was transferred may wait in the batch of this thread. */
    private void flush() {
        try {
            worker.flushRemotes();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
