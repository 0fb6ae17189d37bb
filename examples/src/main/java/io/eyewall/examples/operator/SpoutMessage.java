package io.eyewall.examples.operator;

import java.util.List;

/**
 * A message that a spout emitted. It is its own message id: Storm passes it back when the message is acked or failed, so that the spout
 * needs no table of pending messages. For the spout's thread.
 */
final class SpoutMessage {

    private final List<Object> values;
    private final long sinceNs;

    private int instances;
    private boolean acked;

    /**
     * A message that has not been emitted.
     *
     * @param sinceNs the start of its latency, or {@link MessageSource#NOT_MEASURED}
     */
    SpoutMessage(List<Object> values, long sinceNs) {
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
     * One more instance of it was emitted.
     */
    void emitted() {
        instances++;
    }

    /**
     * One of its instances was processed. Returns whether it is the first.
     */
    boolean ack() {
        end();
        boolean first = !acked;
        acked = true;
        return first;
    }

    /**
     * One of its instances failed. Returns whether the message failed: no instance is pending, and none was processed.
     */
    boolean fail() {
        end();
        return instances == 0 && !acked;
    }

    private void end() {
        if (instances == 0) {
            throw new IllegalStateException("A message was acked or failed more often than its spout emitted it");
        }
        instances--;
    }
}
