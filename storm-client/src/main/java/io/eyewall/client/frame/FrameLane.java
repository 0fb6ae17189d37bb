package io.eyewall.client.frame;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.apache.storm.generated.NodeInfo;
import org.apache.storm.messaging.TaskMessage;
import org.apache.storm.tuple.Tuple;

/**
 * The tuples of one task to one worker that wait for the sending thread, in one frame. The lane is in the transfer queue exactly while it
 * has tuples: the first one puts it there, and the sending thread takes them all. So a tuple waits no longer than it would in the queue by
 * itself, and a frame grows while the sending thread is busy with other lanes. A tuple that leaves by itself, as a message of
 * upstream's, keeps its place, between two frames.
 *
 * <p>Safe for any thread. Under its lock no code of the topology's runs, and nothing waits.
 */
final class FrameLane {

    private final NodeInfo place;
    private final Object homes;
    private final OutgoingFrames.Queue queue;
    private final int fullBytes;
    private final Supplier<FrameSplitter> splitters;
    // Guarded by this lane.
    private final OpenFrame open;
    /** What leaves before the open frame. */
    private List<TaskMessage> ahead = new ArrayList<>();
    private int aheadBytes;
    private boolean closed;

    /**
     * An empty lane.
     *
     * @param place the worker that its tuples go to
     * @param homes the homes of tasks by which they do
     * @param splitters makes splitters of its frames
     */
    FrameLane(NodeInfo place, Object homes, OutgoingFrames.Queue queue, FramePool pool, Supplier<FrameSplitter> splitters) {
        this.place = place;
        this.homes = homes;
        this.queue = queue;
        this.splitters = splitters;
        fullBytes = pool.frameBytes();
        open = new OpenFrame(pool);
    }

    NodeInfo place() {
        return place;
    }

    Object homes() {
        return homes;
    }

    /** Takes no tuple any more if it is empty; returns whether it is closed. */
    synchronized boolean tryClose() {
        if (open.tuples() == 0 && ahead.isEmpty()) {
            closed = true;
            open.clear(); // A thread that serializes a tuple may have begun a frame.
        }
        return closed;
    }

    /**
     * Adds a tuple; throws what upstream's serializer throws.
     *
     * @param writer the calling thread's
     * @return false if there is no space, in the frame or in the queue, or if the lane is closed
     */
    boolean tryAdd(FrameWriter writer, int task, Tuple tuple) {
        synchronized (this) {
            int before = lengthBytes();
            if (closed || before >= fullBytes) {
                return false;
            }
            if (writer.tryWrite(open, task, tuple)) {
                return publish(before);
            }
        }
        writer.serialize(tuple); // Code of the topology's may run for long, and so without the lock.
        synchronized (this) {
            int before = lengthBytes();
            if (closed || before >= fullBytes) {
                return false;
            }
            writer.writeSerialized(open, task, tuple);
            return publish(before);
        }
    }

    /** Adds a tuple that goes by itself; false if there is no space or the lane is closed. */
    synchronized boolean tryAdd(TaskMessage message) {
        int before = lengthBytes();
        if (closed || before >= fullBytes) {
            return false;
        }
        if (open.tuples() > 0) {
            ahead.add(complete());
        }
        ahead.add(message);
        aheadBytes = before + message.message().length;
        return publish(before);
    }

    /** Takes all tuples; once for each time that the lane comes out of the queue, on the sending thread. */
    synchronized List<TaskMessage> take() {
        List<TaskMessage> taken = ahead;
        ahead = new ArrayList<>(1);
        aheadBytes = 0;
        if (open.tuples() > 0) {
            taken.add(complete());
        }
        return taken;
    }

    private int lengthBytes() {
        return aheadBytes + open.lengthBytes();
    }

    /** Puts the lane into the queue with its first tuple, or takes that back. */
    private boolean publish(int bytesBefore) {
        if (bytesBefore == 0 && !queue.tryPublish(this)) {
            open.clear();
            ahead.clear();
            aheadBytes = 0;
            return false;
        }
        if (bytesBefore < fullBytes / 2 && lengthBytes() >= fullBytes / 2) {
            queue.hurry();
        }
        return true;
    }

    private FrameMessage complete() {
        int tuples = open.tuples();
        return new FrameMessage(open.complete(), tuples, splitters);
    }
}
