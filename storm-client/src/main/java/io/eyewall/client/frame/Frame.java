package io.eyewall.client.frame;

import java.nio.ByteBuffer;

/** A complete frame. It goes from thread to thread as a whole; one thread has it at a time. */
public final class Frame {

    private final FramePool pool;
    private final int tuples;
    private ByteBuffer bytes;

    Frame(FramePool pool, ByteBuffer bytes, int tuples) {
        this.pool = pool;
        this.bytes = bytes;
        this.tuples = tuples;
    }

    /** What goes over the wire, from position to limit; until {@link #release}. */
    public ByteBuffer bytes() {
        return bytes;
    }

    public int tuples() {
        return tuples;
    }

    /** Gives the buffer back, once. */
    public void release() {
        ByteBuffer released = bytes;
        bytes = null;
        pool.give(released);
    }
}
