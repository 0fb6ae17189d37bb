package io.eyewall.client.seam;

import org.apache.storm.messaging.IContext;

/** A transport other than Storm's that takes the tuples of a worker in frames. */
public interface FrameTransport extends IContext {

    /** What carries the frames, by the name that its users know. */
    String carrier();

    /** How long a tuple may be that its connections carry. A longer one must not be sent. */
    default TupleLimit tupleLimit() {
        return TupleLimit.NONE;
    }
}
