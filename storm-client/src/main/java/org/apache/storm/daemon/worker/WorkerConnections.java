package org.apache.storm.daemon.worker;

import io.eyewall.client.seam.TransportChoice;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.Lock;
import java.util.function.BiFunction;
import org.apache.storm.generated.NodeInfo;
import org.apache.storm.messaging.IConnection;
import org.apache.storm.messaging.IContext;
import org.apache.storm.messaging.TaskMessage;
import org.apache.storm.utils.JCQueue;

/**
 * The connections of a worker, and the routes of each task's tuples over them. It is in upstream's package, since a worker's connections
 * are made from package-private fields. Used by one thread, except {@link #send}.
 */
public final class WorkerConnections {

    private final WorkerState worker;
    private final WorkerTransfer transfer;
    private final HoldBackFlags holdBackFlags;

    private NodeInfo here;
    private IConnection loopback;

    /** The connections of this worker. Its executors hold back tuples for tasks without a worker while {@code kept} is true. */
    public WorkerConnections(WorkerState worker, WorkerTransfer transfer, AtomicBoolean kept) {
        this.worker = worker;
        this.transfer = transfer;
        holdBackFlags = new HoldBackFlags(transfer.getRemoteBackPressureStatus(), kept);
    }

    /** The id of the worker's Supervisor in Nimbus and ZooKeeper. */
    public static String node(WorkerState worker) {
        return worker.assignmentId;
    }

    /** The transport that makes a worker's connections. The worker's constructor may still be running. */
    public static IContext transport(WorkerState worker) {
        return worker.mqContext instanceof TransportChoice choice ? choice.chosen() : worker.mqContext;
    }

    /** The worker that each task's tuples go to at the moment. For any thread. The map never changes. */
    public static Map<Integer, NodeInfo> homes(WorkerState worker) {
        return worker.cachedTaskToNodePort.get();
    }

    /** The flags that say for which tasks to hold back, as executors read them. */
    public static AtomicBoolean[] holdBackFlags(WorkerTransfer transfer) {
        return transfer.getRemoteBackPressureStatus();
    }

    /** Sends while the homes of tasks stay as they are, and returns what {@code sending} returns. For the sending thread. */
    public static <T> T sending(WorkerState worker, BiFunction<Map<Integer, NodeInfo>, Map<NodeInfo, IConnection>, T> sending) {
        Lock lock = worker.endpointSocketLock.readLock();
        lock.lock();
        try {
            return sending.apply(worker.cachedTaskToNodePort.get(), worker.cachedNodeToPortSocket.get());
        } finally {
            lock.unlock();
        }
    }

    /** Gives the worker, whose place is {@code place}, a connection to itself; called before it connects to others. */
    public void setLoopback(NodeInfo place, IConnection connection) {
        here = place;
        loopback = connection;
    }

    /** Begins to connect to those of the workers that have no connection yet. */
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

    /** Whether the connection to that worker is ready to send. */
    public boolean isReachable(NodeInfo place) {
        IConnection connection = worker.cachedNodeToPortSocket.get().get(place);
        return connection != null && WorkerState.isConnectionReady(connection);
    }

    /** Sends each task's tuples to its worker from now on; there must be a connection to that worker. */
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

    /** Inserts a message into the transfer queue; false if the queue is full. */
    public boolean tryTransfer(TaskMessage message) {
        return transfer.getTransferQueue().tryPublishDirect(message);
    }

    /** Sends messages to a worker, after all earlier ones. For the sending thread. Without a connection, messages are dropped. */
    public void send(NodeInfo place, List<TaskMessage> messages) {
        IConnection connection = worker.cachedNodeToPortSocket.get().get(place);
        if (connection != null) {
            connection.send(messages.iterator());
        }
    }

    /** Closes the connections to all workers except these. A thread of its own closes each one when its messages have been sent. */
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
     * A tracker of the queues into which tuples of other workers are inserted. It knows for which tasks these workers must hold back; at
     * first there are none.
     *
     * @param before the tracker that the new one replaces
     * @param detour the queue for the tuples of all other tasks
     */
    public BackPressureTracker backPressure(BackPressureTracker before, Map<Integer, JCQueue> queues, JCQueue detour) {
        return new AllTasksTracker(worker.workerId, before, queues, detour, worker.getMetricRegistry(), worker.taskToComponent);
    }
}
