package io.eyewall.client.frame;

import io.eyewall.client.seam.ConnectionCounters;
import org.apache.storm.messaging.TaskMessage;

/**
 * Asks the channel of a connection for a ring. It goes along with the messages of the connection until a channel answers, and never leaves
 * this worker. The channel's thread answers, the sending thread reads the answer.
 */
final class RingRequest extends TaskMessage {

    private final ConnectionCounters counters;
    private volatile RingSender sender;
    private volatile boolean refused;

    /** {@code counters} are those of the connection. */
    RingRequest(ConnectionCounters counters) {
        super(RingSender.OFFER_TASK, new byte[0]);
        this.counters = counters;
    }

    ConnectionCounters counters() {
        return counters;
    }

    boolean isAnswered() {
        return sender != null || refused;
    }

    /** The ring of the channel, or null. */
    RingSender sender() {
        return sender;
    }

    void answer(RingSender made) {
        sender = made;
    }

    void refuse() {
        refused = true;
    }

    /** The channel that answered has ended; the next one may answer differently. */
    void forget(RingSender ended) {
        if (sender == ended) {
            sender = null;
            refused = false;
        }
    }
}
