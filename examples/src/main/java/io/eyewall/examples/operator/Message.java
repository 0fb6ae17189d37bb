package io.eyewall.examples.operator;

import java.util.List;

/**
 * A message that a spout emitted, and its own message id: Storm hands it back when the message was processed or failed, so that the
 * spout keeps no table of what is under way. Used by the spout's thread only.
 */
final class Message {

    private final List<Object> values;
    private final long sinceNs;

    private int instances;
    private boolean acked;

    /**
     * A message that is not under way yet.
     *
     * @param sinceNs from when on its latency counts, or {@link MessageSource#NOT_MEASURED}
     */
    Message(List<Object> values, long sinceNs) {
        this.values = values;
        this.sinceNs = sinceNs;
    }

    List<Object> values() {
        return values;
    }

    long sinceNs() {
        return sinceNs;
    }

    /**
     * One more instance of it is under way.
     */
    void emitted() {
        instances++;
    }

    /**
     * One of its instances was processed; answers whether it is the first.
     */
    boolean ack() {
        end();
        boolean first = !acked;
        acked = true;
        return first;
    }

    /**
     * One of its instances failed; answers whether the message did: none is under way any more, and none was processed.
     */
    boolean fail() {
        end();
        return instances == 0 && !acked;
    }

    private void end() {
        if (instances == 0) {
            throw new IllegalStateException("A message came back to its spout more often than it emitted it: acked or failed twice.");
        }
        instances--;
    }
}
