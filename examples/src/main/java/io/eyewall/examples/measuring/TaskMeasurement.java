package io.eyewall.examples.measuring;

/**
 * What one task tells about its messages. All calls come from the task's own thread, take no lock and never fail.
 */
public interface TaskMeasurement extends AutoCloseable {

    /** Measures nothing, at the cost of an empty call. */
    TaskMeasurement OFF = new TaskMeasurement() { };

    /**
     * A spout emitted a message, for the first time or again.
     */
    default void emitted() {
    }

    /**
     * A spout learnt that a message was processed completely.
     *
     * @param latencyNs from the message's due time
     */
    default void acked(long latencyNs) {
    }

    /**
     * A spout learnt that a message was processed completely whose latency is not measured.
     */
    default void acked() {
    }

    /**
     * A spout learnt that a message failed or timed out.
     */
    default void failed() {
    }

    /**
     * A sink processed a message.
     *
     * @param latencyNs from the message's due time
     */
    default void received(long latencyNs) {
    }

    /**
     * A sink processed a message whose latency is not measured.
     */
    default void received() {
    }

    /**
     * Writes the last interval and ends.
     */
    @Override
    default void close() {
    }
}
