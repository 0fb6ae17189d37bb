package org.apache.storm.daemon.worker;

import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.Lock;
import org.apache.storm.generated.NodeInfo;
import org.apache.storm.messaging.IConnection;
import org.apache.storm.messaging.IContext;
import org.apache.storm.messaging.TaskMessage;
import org.apache.storm.utils.JCQueue;

/**
 * The connections of a worker, and which of them each task's tuples take. In upstream's package, since a worker's connections are made from
 * what is known in it only. Used by one thread, except {@link #send}.
 */
public final class WorkerConnections {

    private final WorkerState worker;
    private final WorkerTransfer transfer;
    private final HoldBackFlags holdBackFlags;

    private NodeInfo here;
    private IConnection loopback;

    /** Those of this worker, whose executors hold back their tuples for tasks without a worker while {@code kept} is raised. */
    public WorkerConnections(WorkerState worker, WorkerTransfer transfer, AtomicBoolean kept) {
        this.worker = worker;
        this.transfer = transfer;
        holdBackFlags = new HoldBackFlags(transfer.getRemoteBackPressureStatus(), kept);
    }

    /** A worker's supervisor, as Nimbus and ZooKeeper know it. */
    public static String node(WorkerState worker) {
        return worker.assignmentId;
    }

    /** What makes a worker's connections, of one whose constructor may still be running. */
    public static IContext transport(WorkerState worker) {
        return worker.mqContext;
    }

    /** Gives the worker, which is {@code place}, a connection to itself; before it connects to others. */
    public void setLoopback(NodeInfo place, IConnection connection) {
        here = place;
        loopback = connection;
    }

    /** Begins to connect to the workers that there is no connection to yet. */
    public void connect(Set<NodeInfo> places, Map<String, String> hosts) {
        Map<NodeInfo, IConnection> next = new HashMap<>(worker.cachedNodeToPortSocket.get());
        for (NodeInfo place : places) {
            String host = hosts.get(place.get_node());
            if (host != null && !next.containsKey(place)) {
                next.put(place, worker.mqContext.connect(worker.topologyId, host, place.get_port_iterator().next().intValue(),
                    holdBackFlags.connecting(place)));
            }
        }
        next.put(here, loopback);
        worker.cachedNodeToHost.set(Map.copyOf(hosts));
        worker.cachedNodeToPortSocket.set(next);
    }

    /** Whether messages to that worker go out. */
    public boolean isReachable(NodeInfo place) {
        IConnection connection = worker.cachedNodeToPortSocket.get().get(place);
        return connection != null && WorkerState.isConnectionReady(connection);
    }

    /** Sends each task's tuples to that worker from now on; there has to be a connection to it. */
    public void route(Map<Integer, NodeInfo> homes) {
        Lock lock = worker.endpointSocketLock.writeLock();
        lock.lock();
        try {
            worker.cachedTaskToNodePort.set(homes);
        } finally {
            lock.unlock();
        }
        holdBackFlags.follow(homes);
    }

    /** Inserts a message into the queue of outgoing messages; false if that is full. */
    public boolean tryTransfer(TaskMessage message) {
        return transfer.getTransferQueue().tryPublishDirect(message);
    }

    /** Sends messages to a worker behind what was sent to it so far; for the thread that sends. Without a connection they are dropped. */
    public void send(NodeInfo place, List<TaskMessage> messages) {
        IConnection connection = worker.cachedNodeToPortSocket.get().get(place);
        if (connection != null) {
            connection.send(messages.iterator());
        }
    }

    /** Closes the connections to all other workers, each when its messages have been sent, which nobody waits for. */
    public void retain(Collection<NodeInfo> places) {
        Map<NodeInfo, IConnection> next = new HashMap<>(worker.cachedNodeToPortSocket.get());
        Map<NodeInfo, IConnection> closed = new HashMap<>(next);
        next.keySet().removeIf(place -> !places.contains(place) && !place.equals(here));
        closed.keySet().removeAll(places);
        closed.remove(here);
        holdBackFlags.retain(places);
        if (!closed.isEmpty()) {
            worker.cachedNodeToPortSocket.set(next);
            Thread closer = new Thread(() -> closed.values().forEach(IConnection::close), "hot-rebalance-disconnecting");
            closer.setDaemon(true);
            closer.start();
        }
    }

    /**
     * What watches over the queues that tuples of other workers are put into, and knows for which tasks these have to hold back: for none
     * at first.
     *
     * @param before what watched until now
     * @param detour the queue in the place of those of all other tasks
     */
    public BackPressureTracker backPressure(BackPressureTracker before, Map<Integer, JCQueue> queues, JCQueue detour) {
        return new AllTasksTracker(worker.workerId, before, queues, detour, worker.getMetricRegistry(), worker.taskToComponent);
    }
}
