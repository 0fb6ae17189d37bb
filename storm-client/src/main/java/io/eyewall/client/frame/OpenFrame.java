package io.eyewall.client.frame;

/**
 * The frames for one worker, filled one after the other. It has no buffer while it is empty. For one thread at a time.
 */
public final class OpenFrame {

    private final FramePool pool;
    private final FrameBuffer buffer;
    private int tuples;
    // The last tuple of the frame, as FrameFormat says.
    private int task;
    private int sourceTask;
    private String stream;
    private long root;

    /** Takes its buffers from the pool. */
    public OpenFrame(FramePool pool) {
        this.pool = pool;
        buffer = new FrameBuffer(pool);
    }

    /** How many tuples the frame has. */
    public int tuples() {
        return tuples;
    }

    /** Whether the frame is as long as frames should be, so that it should leave. */
    public boolean isFull() {
        return buffer.isOpen() && buffer.position() >= pool.frameBytes();
    }

    /** How long the frame is; 0 without tuples. */
    int lengthBytes() {
        return tuples == 0 ? 0 : buffer.position();
    }

    /** Ends the frame and begins another one; not if it is empty. Returns the bytes of the frame. */
    public byte[] complete() {
        if (tuples == 0) {
            throw new IllegalStateException("A frame without tuples is not sent.");
        }
        buffer.setByte(0, FrameFormat.VERSION);
        buffer.setInt(FrameFormat.LENGTH_AT, buffer.position() - FrameFormat.HEAD_BYTES);
        buffer.setInt(FrameFormat.TUPLES_AT, tuples);
        tuples = 0;
        return buffer.end();
    }

    /** Forgets the tuples of the frame, if there are any, and gives its buffer back. */
    public void clear() {
        if (buffer.isOpen()) {
            buffer.clear();
        }
        tuples = 0;
    }

    /** Where to write the next tuple. */
    FrameBuffer buffer() {
        if (!buffer.isOpen()) {
            buffer.begin();
            buffer.skip(FrameFormat.HEAD_BYTES);
            task = 0;
            sourceTask = 0;
            stream = null;
            root = 0;
        }
        return buffer;
    }

    int task() {
        return task;
    }

    boolean comesFrom(int fromTask, String fromStream) {
        return fromTask == sourceTask && fromStream.equals(stream);
    }

    long root() {
        return root;
    }

    /** A tuple is written: the next one may refer to it. */
    void added(int toTask, int fromTask, String fromStream, long lastRoot) {
        task = toTask;
        sourceTask = fromTask;
        stream = fromStream;
        root = lastRoot;
        tuples++;
    }
}
