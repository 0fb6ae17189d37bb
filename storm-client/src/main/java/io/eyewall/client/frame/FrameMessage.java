package io.eyewall.client.frame;

import java.util.function.Supplier;
import org.apache.storm.messaging.TaskMessage;

/**
 * A frame on its way over a connection, in the shape that every transport of Storm's takes: a message to a task that no topology has. Only
 * for connections whose other end {@linkplain FrameAgreement reads frames}. Immutable.
 */
public final class FrameMessage extends TaskMessage {

    /**
     * The task that frames are addressed to. Upstream's decoder takes a few negative numbers for messages of its own; this is none of them.
     */
    static final int TASK = -700;

    private final int tuples;
    private final Supplier<FrameSplitter> splitters;

    /** {@code splitters} makes what splits such frames, for the thread that calls it. */
    FrameMessage(byte[] frame, int tuples, Supplier<FrameSplitter> splitters) {
        super(TASK, frame);
        this.tuples = tuples;
        this.splitters = splitters;
    }

    /** How many tuples the frame has. */
    int tuples() {
        return tuples;
    }

    /** What splits frames of this worker; for the calling thread. */
    FrameSplitter newSplitter() {
        return splitters.get();
    }
}
