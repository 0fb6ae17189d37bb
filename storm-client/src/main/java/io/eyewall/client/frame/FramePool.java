package io.eyewall.client.frame;

import java.util.Queue;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.storm.shade.org.jctools.queues.MpmcArrayQueue;

/**
 * The buffers of a worker's frames. A buffer belongs to the frame that is being written into it. When all are in use, frames get small
 * buffers, which grow and are kept only if they reach the size of the others: most lanes hold few tuples. For any thread.
 */
public final class FramePool {

    private static final int SMALL_BYTES = 512;

    private final int frameBytes;
    private final Queue<byte[]> free;
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

    byte[] take() {
        byte[] buffer = free.poll();
        if (buffer != null) {
            return buffer;
        }
        boolean make = unmade.get() > 0 && unmade.getAndDecrement() > 0;
        return new byte[make ? pooledBytes() : SMALL_BYTES];
    }

    /** Takes a buffer back, whatever was written into it. One of another size is left to the garbage collector. */
    void give(byte[] buffer) {
        if (buffer.length == pooledBytes()) {
            free.offer(buffer);
        }
    }

    private int pooledBytes() {
        return 2 * frameBytes;
    }
}
