package io.eyewall.client.engine;

import io.eyewall.client.frame.FramePool;
import io.eyewall.client.frame.FrameSplitter;
import io.eyewall.client.frame.FrameWriter;
import io.eyewall.client.frame.OutgoingFrames;
import io.eyewall.client.seam.ClientLoops;
import io.eyewall.client.time.NanoClock;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.storm.daemon.worker.WorkerConnections;
import org.apache.storm.daemon.worker.WorkerState;
import org.apache.storm.messaging.netty.Client;
import org.apache.storm.serialization.ITupleSerializer;
import org.apache.storm.tuple.AddressedTuple;

/**
 * The transfer of a worker whose tuples go to other workers in frames, over Storm's Netty transport. Back-pressure is as upstream's: the
 * flag of its task refuses a tuple before it is serialized, and it becomes a pending emit of its executor.
 */
final class FramedTransfer extends WakingTransfer {

    private static final int FRAME_BYTES = 32 * 1024;
    private static final int POOLED_BUFFERS = 64;

    private final WorkerState worker;
    private final WakingQueue queue;
    private final OutgoingFrames frames;
    private final ThreadLocal<FrameWriter> writers;
    /** For the sending thread. */
    private int sentTuples;

    /** The worker's transport is Storm's own. */
    FramedTransfer(WorkerState worker, Map<String, Object> topologyConf, int maxTaskId, NanoClock clock) {
        super(worker, topologyConf, maxTaskId, clock);
        this.worker = worker;
        queue = (WakingQueue) getTransferQueue();
        frames = new OutgoingFrames(() -> WorkerConnections.homes(worker), maxTaskId, new LaneQueue(queue),
            new FramePool(FRAME_BYTES, POOLED_BUFFERS), () -> new FrameSplitter(topologyConf, worker.getWorkerTopologyContext()),
            Client.class::isInstance);
        writers = ThreadLocal.withInitial(() -> new FrameWriter(topologyConf, worker.getWorkerTopologyContext(), null));
        ((NettyLoops) ((ClientLoops) WorkerConnections.transport(worker)).getWorkerEventLoopGroup()).carryFrames();
    }

    @Override
    public boolean tryTransferRemote(AddressedTuple tuple, Queue<AddressedTuple> pendingEmits, ITupleSerializer serializer) {
        if (pendingEmits != null && !pendingEmits.isEmpty()) {
            pendingEmits.add(tuple);
            return false;
        }
        if (!flag(tuple.getDest()).get()) {
            OutgoingFrames.Offer offer = offer(tuple);
            if (offer == OutgoingFrames.Offer.TAKEN) {
                queue.wake();
                return true;
            }
            if (offer == OutgoingFrames.Offer.NO_LANE) {
                return super.tryTransferRemote(tuple, pendingEmits, serializer);
            }
        }
        if (pendingEmits != null) {
            pendingEmits.add(tuple);
        }
        return false;
    }

    private OutgoingFrames.Offer offer(AddressedTuple tuple) {
        FrameWriter writer = writers.get();
        OutgoingFrames.Offer offer = frames.offer(tuple, writer);
        if (offer != OutgoingFrames.Offer.REFUSED) {
            return offer;
        }
        queue.registerForSpace();
        return frames.offer(tuple, writer);
    }

    private AtomicBoolean flag(int task) {
        return WorkerConnections.holdBackFlags(this)[task];
    }

    @Override
    public void accept(Object element) {
        frames.take(element);
    }

    @Override
    public void flush() {
        sentTuples = WorkerConnections.sending(worker, frames::send);
    }

    @Override
    int tuplesIn(int elements) {
        return sentTuples;
    }

    /** The transfer queue, as lanes see it. */
    private record LaneQueue(WakingQueue queue) implements OutgoingFrames.Queue {
        @Override
        public boolean tryPublish(Object lane) {
            return queue.tryPublishAsleep(lane);
        }

        @Override
        public void hurry() {
            queue.hurry();
        }
    }
}
