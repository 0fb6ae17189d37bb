package io.eyewall.tail.recording;

import java.util.Locale;

/**
 * The points that are measured on the way of a tuple; all values are in nanoseconds.
 */
public enum MeasuringPoint {

    /** From the emit to the last time that the tuple was offered again because its queue was full. */
    OVERFLOW(true),
    /**
     * From the emit, or the end of {@link #OVERFLOW}, to the insertion into the receiver's queue: the producer's batch. A tuple that leaves
     * the worker waits for a batch twice: from the end of serializing to the insertion into the transfer queue, and from the end of
     * deserializing to the insertion into the receiver's queue.
     */
    EMIT_TO_ENQUEUE(true),
    /** Serializing. */
    SERIALIZE(true),
    /** From the insertion into the transfer queue until the transfer thread takes the message. */
    TRANSFER_QUEUE_WAIT(true),
    /** From there until the stream manager of its container has it, where there is one. */
    TO_STREAM_MANAGER(true),
    /** From there until the stream manager of another container has it. */
    BETWEEN_STREAM_MANAGERS(true),
    /** From there until the receiving worker begins to read it; corrected by the offset of the two hosts' clocks. */
    NETWORK(true),
    /** Deserializing. */
    DESERIALIZE(true),
    /** From the insertion into the receiver's queue until its executor takes the tuple. */
    RECEIVE_QUEUE_WAIT(true),
    /** Executing: from the beginning to the end of the bolt's {@code execute}. */
    EXECUTE(true),
    /**
     * From the time at which a stream manager has the message until a socket, a ring or the messaging
     * transport has it. Part of {@link #BETWEEN_STREAM_MANAGERS} or {@link #NETWORK}, whichever follows.
     */
    IN_STREAM_MANAGER(false),
    /** From the emit of this hop until its receiver acks the tuple. */
    EMIT_TO_ACK(false),
    /** From the spout's emit until the bolt has executed the tuple. */
    END_TO_END(false),
    /** From the time at which the spout's message was due until the bolt has executed the tuple. */
    DUE_TO_EXECUTED(false),
    /** From the spout's emit until the spout learns that the tree of tuples is acked. */
    COMPLETE(false);

    private final boolean hop;

    MeasuringPoint(boolean hop) {
        this.hop = hop;
    }

    /** Whether this point is one of the parts that add up to {@link #END_TO_END}; other points span several parts. */
    public boolean isHop() {
        return hop;
    }

    /** The name in logs, metrics and tables: lower case with hyphens. */
    public String label() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /**
     * The point of a label.
     *
     * @throws IllegalArgumentException if no point has it
     */
    public static MeasuringPoint ofLabel(String label) {
        for (MeasuringPoint point : values()) {
            if (point.label().equals(label)) {
                return point;
            }
        }
        throw new IllegalArgumentException("'" + label + "' is no point of latency recording.");
    }
}
