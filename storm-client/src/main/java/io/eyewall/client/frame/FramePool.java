package io.eyewall.client.frame;

import java.nio.ByteBuffer;
import java.util.Queue;
import org.apache.storm.shade.org.jctools.queues.MpmcArrayQueue;

/**
 * The buffers of a worker's frames, outside the heap. A buffer belongs to the frame that is written into it, until that frame is
 * {@linkplain Frame#release released}. For any thread.
 */
public final class FramePool {

    private final int frameBytes;
    private final Queue<ByteBuffer> free;

    /**
     * An empty pool; it makes buffers on demand.
     *
     * @param frameBytes a frame of this size is full. A buffer has room for twice that, so that the last tuple of a frame fits.
     * @param buffers so many are kept for the next frames, at least 2
     */
    public FramePool(int frameBytes, int buffers) {
        this.frameBytes = frameBytes;
        free = new MpmcArrayQueue<>(buffers);
    }

    int frameBytes() {
        return frameBytes;
    }

    ByteBuffer take() {
        ByteBuffer buffer = free.poll();
        return buffer != null ? buffer : ByteBuffer.allocateDirect(2 * frameBytes);
    }

    /** Takes a buffer back. One that was made for a large tuple, or one too many, is left to the garbage collector. */
    void give(ByteBuffer buffer) {
        if (buffer.isDirect()) {
            free.offer(buffer.clear());
        }
    }
}
