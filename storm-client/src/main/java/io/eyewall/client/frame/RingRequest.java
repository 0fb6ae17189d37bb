package io.eyewall.client.frame;

import io.eyewall.client.seam.ConnectionCounters;
import org.apache.storm.messaging.TaskMessage;

/**
 * Asks the channel of a connection for a ring. It goes along with the messages of the connection until a channel holds it, and never leaves
 * this worker. That channel may answer at once, later or never; when it ends, the next one is asked. The channels' threads write, the
 * sending thread reads.
 */
final class RingRequest extends TaskMessage {

    private final ConnectionCounters counters;
    /** The channel that was asked; null for none. Written under the lock of this object, like the next field. */
    private volatile FrameGate holder;
    private volatile RingSender sender;

    /** {@code counters} are those of the connection. */
    RingRequest(ConnectionCounters counters) {
        super(RingSender.OFFER_TASK, new byte[0]);
        this.counters = counters;
    }

    ConnectionCounters counters() {
        return counters;
    }

    boolean isHeld() {
        return holder != null;
    }

    /** The ring of the channel that holds the request, or null. */
    RingSender sender() {
        return sender;
    }

    /** The channel of {@code gate} has been asked. */
    synchronized void hold(FrameGate gate) {
        if (holder != gate) {
            holder = gate;
            sender = null;
        }
    }

    /** The channel of {@code gate} has that ring now, or none if it is null. */
    synchronized void answer(FrameGate gate, RingSender made) {
        if (holder == gate) {
            sender = made;
        }
    }

    /** The channel of {@code gate} has ended. */
    synchronized void release(FrameGate gate) {
        if (holder == gate) {
            holder = null;
            sender = null;
        }
    }
}
