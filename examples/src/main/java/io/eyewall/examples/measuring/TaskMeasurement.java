package io.eyewall.examples.measuring;

/**
 * Measures one task. The task reports what happens to its messages, from its own thread. The methods except {@link #close} take no lock,
 * and none of them fails.
 */
public interface TaskMeasurement extends AutoCloseable {

    /** Measures nothing. A call costs an empty method. */
    TaskMeasurement OFF = new TaskMeasurement() { };

    /**
     * A spout emitted a message, or emitted it again.
     */
    default void emitted() {
    }

    /**
     * A message of a spout was processed completely.
     *
     * @param latencyNs the time since the message was due
     */
    default void acked(long latencyNs) {
    }

    /**
     * A message of a spout was processed completely, without a measured latency.
     */
    default void acked() {
    }

    /**
     * A message of a spout failed or timed out.
     */
    default void failed() {
    }

    /**
     * A sink processed a message.
     *
     * @param latencyNs the time since the message was due
     */
    default void received(long latencyNs) {
    }

    /**
     * A sink processed a message without a measured latency.
     */
    default void received() {
    }

    /**
     * Writes the last interval and ends the measurement.
     */
    @Override
    default void close() {
    }
}
