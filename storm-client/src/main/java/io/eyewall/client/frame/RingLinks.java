package io.eyewall.client.frame;

import io.eyewall.client.seam.ConnectionCounters;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.storm.messaging.IConnection;
import org.apache.storm.messaging.TaskMessage;

/**
 * Which connections of a worker have a ring, and the way of messages into it. A connection switches to its ring with a message that is the
 * last one over its channel, so that messages keep their order. For the thread that sends, one at a time, except {@link #allHaveSpace} and
 * {@link #isBehind}.
 */
final class RingLinks {

    /** By each connection that was sent to. For the thread that sends. */
    private final Map<IConnection, RingRequest> requests = new HashMap<>();
    /** The ring of each connection that has switched to one. For the thread that sends. */
    private final Map<IConnection, RingSender> switched = new HashMap<>();
    /** The same rings. Replaced by the thread that sends, read by any. */
    private volatile List<RingSender> used = List.of();
    /** Whether all connections that were ever sent to have rings in use. Written by the thread that sends, read by any. */
    private volatile boolean allHaveRings;

    /**
     * Whether all connections have rings with space. Then any thread can send without waiting. A connection over which nothing was sent yet
     * does not count.
     */
    boolean allHaveSpace() {
        return allHaveRings && !isBehind();
    }

    /** Whether messages wait for space in a ring. */
    boolean isBehind() {
        List<RingSender> senders = used;
        for (int i = 0; i < senders.size(); i++) { // Called for each tuple: without an iterator.
            if (senders.get(i).isBehind()) {
                return true;
            }
        }
        return false;
    }

    /** Sends what waits, as far as there is space. */
    void catchUp() {
        used.forEach(RingSender::catchUp);
    }

    /** Ends a batch of calls of {@link #send}; {@code connections} are all that there are. */
    void sent(Map<?, IConnection> connections) {
        if (requests.size() > connections.size()) {
            requests.keySet().retainAll(connections.values());
        }
        boolean now = !used.isEmpty();
        for (IConnection connection : connections.values()) {
            now &= !requests.containsKey(connection) || hasRing(connection);
        }
        if (allHaveRings != now) {
            allHaveRings = now;
        }
    }

    /** Whether a connection, or null, has switched to a ring that is still open. */
    boolean hasRing(IConnection connection) {
        RingSender ring = switched.get(connection);
        return ring != null && !ring.isClosed();
    }

    /**
     * Sends over the ring of a connection, or over the connection.
     *
     * @param mayWait whether the calling thread may wait for space in the connection. If not, the connection {@linkplain #hasRing had a
     *     ring} a moment ago; if that has ended since, the messages are lost with it
     */
    void send(IConnection connection, List<TaskMessage> messages, boolean mayWait) {
        RingSender ring = switched.get(connection);
        if (ring != null && (!mayWait || !ring.isClosed())) {
            ring.send(messages);
        } else {
            sendOver(connection, messages);
        }
    }

    private void sendOver(IConnection connection, List<TaskMessage> messages) {
        RingRequest request = requests.computeIfAbsent(connection, RingLinks::request);
        RingSender offered = request.sender();
        if (offered != null && begins(connection, offered)) {
            offered.send(messages);
        } else if (request.isHeld() || request.counters() == null) {
            connection.send(messages.iterator());
        } else {
            List<TaskMessage> asking = new ArrayList<>(messages);
            asking.add(request);
            connection.send(asking.iterator());
        }
    }

    /** Only Storm's Netty transport, whose connections count, answers. */
    private static RingRequest request(IConnection connection) {
        return new RingRequest(connection instanceof ConnectionCounters counters ? counters : null);
    }

    private boolean begins(IConnection connection, RingSender sender) {
        if (!sender.isAccepted()) {
            return false;
        }
        connection.send(List.<TaskMessage>of(new Switch(sender)).iterator());
        switched.values().removeIf(RingSender::isClosed);
        switched.put(connection, sender);
        used = List.copyOf(switched.values());
        return true;
    }

    /** The last message over a channel. */
    static final class Switch extends TaskMessage {
        private final RingSender sender;

        Switch(RingSender sender) {
            super(RingSender.SWITCH_TASK, new byte[0]);
            this.sender = sender;
        }

        RingSender sender() {
            return sender;
        }
    }
}
