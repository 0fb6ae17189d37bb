package io.eyewall.client.frame;

import java.nio.ByteBuffer;
import java.util.function.Supplier;
import org.apache.storm.generated.NodeInfo;
import org.apache.storm.tuple.Tuple;

/**
 * The tuples of one task to one worker that wait for the sending thread, in one frame. The lane is in the transfer queue exactly while it
 * has tuples: the first one puts it there, and the sending thread takes them all. So a tuple waits no longer than it would in the queue by
 * itself, and frames are as large as the time is that the sending thread needs for the others.
 *
 * <p>Safe for any thread. Nothing runs under its lock that belongs to the topology or waits.
 */
final class FrameLane {

    private final NodeInfo place;
    private final Object homes;
    private final OutgoingFrames.Queue queue;
    /** Guarded by this lane. */
    private final OpenFrame open;

    /**
     * An empty lane.
     *
     * @param place the worker that its tuples go to
     * @param homes the homes of tasks by which they do
     */
    FrameLane(NodeInfo place, Object homes, OutgoingFrames.Queue queue, FramePool pool) {
        this.place = place;
        this.homes = homes;
        this.queue = queue;
        open = new OpenFrame(pool);
    }

    NodeInfo place() {
        return place;
    }

    Object homes() {
        return homes;
    }

    synchronized boolean isEmpty() {
        return open.tuples() == 0;
    }

    /**
     * Adds a tuple; throws what upstream's serializer throws.
     *
     * @param writer the calling thread's
     * @return false if there is no space, in the frame or in the queue
     */
    boolean tryAdd(FrameWriter writer, int task, Tuple tuple) {
        synchronized (this) {
            if (open.isFull()) {
                return false;
            }
            boolean wasHalfFull = open.isHalfFull();
            if (writer.tryWrite(open, task, tuple)) {
                return publish(wasHalfFull);
            }
        }
        writer.serialize(tuple); // Code of the topology's may run for long, and so without the lock.
        synchronized (this) {
            if (open.isFull()) {
                return false;
            }
            boolean wasHalfFull = open.isHalfFull();
            writer.writeSerialized(open, task, tuple);
            return publish(wasHalfFull);
        }
    }

    /** Puts the lane into the queue with its first tuple, or takes that back. */
    private boolean publish(boolean wasHalfFull) {
        if (open.tuples() == 1 && !queue.tryPublish(this)) {
            open.clear();
            return false;
        }
        if (!wasHalfFull && open.isHalfFull()) {
            queue.hurry();
        }
        return true;
    }

    /** Takes all tuples; once for each time that the lane comes out of the queue, on the sending thread. */
    FrameMessage take(Supplier<FrameSplitter> splitters) {
        Frame frame;
        synchronized (this) {
            frame = open.complete();
        }
        ByteBuffer buffer = frame.bytes();
        byte[] bytes = new byte[buffer.remaining()];
        buffer.get(bytes);
        frame.release();
        return new FrameMessage(bytes, frame.tuples(), splitters);
    }
}
