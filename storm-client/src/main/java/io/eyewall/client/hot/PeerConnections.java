package io.eyewall.client.hot;

import java.util.Collection;
import java.util.Map;
import java.util.Set;

/**
 * The connections of a worker to the other workers of its topology, and which of them the tuples of each task take. Used by the thread that
 * conducts the rebalance, except {@link #send}.
 */
interface PeerConnections {

    /** Begins to connect to the workers that have no connection yet; {@code hosts} gives the host of each Supervisor. */
    void connect(Set<WorkerPlace> places, Map<String, String> hosts);

    /** Whether messages to a worker are sent; if not, they are dropped. */
    boolean isReachable(WorkerPlace place);

    /**
     * Sends the tuples of each task to its worker from now on. When this method returns, every tuple that has taken an earlier route is in
     * the connection of that route.
     */
    void route(Map<Integer, WorkerPlace> homes);

    /** Closes the connections to all other workers, each when its messages have been sent. */
    void retain(Collection<WorkerPlace> places);

    /**
     * Inserts a fence into the queue of outgoing tuples; the thread that empties the queue reports it to the {@link TransferFence}. Tuples
     * that were taken out of the queue together with the fence may be sent after that.
     *
     * @return false if the queue is full
     */
    boolean tryFence();

    /**
     * Sends a marker behind all messages that have been sent to that worker so far. For the thread that empties the queue of outgoing
     * tuples.
     */
    void send(WorkerPlace place, Marker marker);
}
