package io.eyewall.client.frame;

import java.nio.ByteBuffer;
import java.util.Queue;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.storm.shade.org.jctools.queues.MpmcArrayQueue;

/**
 * The buffers of a worker's frames, outside the heap. A buffer belongs to the frame that is written into it, until that frame is
 * {@linkplain Frame#release released}. When all are in use, frames get small buffers in the heap, which grow. For any thread.
 */
public final class FramePool {

    private static final int SMALL_BYTES = 512;

    private final int frameBytes;
    private final Queue<ByteBuffer> free;
    /** How many more may be made. */
    private final AtomicInteger unmade;

    /**
     * A pool that makes its buffers on demand.
     *
     * @param frameBytes a frame of this size is full. A buffer has room for twice that, so that the last tuple of a frame fits.
     * @param buffers how many there are, at least 2
     */
    public FramePool(int frameBytes, int buffers) {
        this.frameBytes = frameBytes;
        free = new MpmcArrayQueue<>(buffers);
        unmade = new AtomicInteger(buffers);
    }

    int frameBytes() {
        return frameBytes;
    }

    ByteBuffer take() {
        ByteBuffer buffer = free.poll();
        if (buffer != null) {
            return buffer;
        }
        boolean make = unmade.get() > 0 && unmade.getAndDecrement() > 0;
        return make ? ByteBuffer.allocateDirect(2 * frameBytes) : ByteBuffer.allocate(SMALL_BYTES);
    }

    /** Takes a buffer back. One in the heap is left to the garbage collector. */
    void give(ByteBuffer buffer) {
        if (buffer.isDirect()) {
            free.offer(buffer.clear());
        }
    }
}
