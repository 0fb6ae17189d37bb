package io.eyewall.client.engine;

import io.eyewall.client.frame.FrameCarrier;
import io.eyewall.client.frame.FrameGate;
import io.eyewall.client.frame.FramePool;
import io.eyewall.client.frame.FrameSplitter;
import io.eyewall.client.frame.FrameWires;
import io.eyewall.client.frame.FrameWriter;
import io.eyewall.client.frame.OutgoingFrames;
import io.eyewall.client.ring.RingPlace;
import io.eyewall.client.seam.ClientLoops;
import io.eyewall.client.seam.FrameTransport;
import io.eyewall.client.seam.ProbedQueue;
import io.eyewall.client.seam.QueueProbe;
import io.eyewall.client.seam.Stamped;
import io.eyewall.client.seam.TupleLimit;
import io.eyewall.client.substitute.CachedThreadLocal;
import io.eyewall.client.substitute.LoggedDrops;
import io.eyewall.client.time.NanoClock;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiFunction;
import org.apache.storm.daemon.worker.WorkerConnections;
import org.apache.storm.daemon.worker.WorkerState;
import org.apache.storm.generated.NodeInfo;
import org.apache.storm.messaging.IConnection;
import org.apache.storm.messaging.IContext;
import org.apache.storm.messaging.TaskMessage;
import org.apache.storm.messaging.netty.Client;
import org.apache.storm.serialization.ITupleSerializer;
import org.apache.storm.tuple.AddressedTuple;
import org.apache.storm.utils.JCQueue;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The transfer of a worker whose tuples go to other workers in frames, over Storm's Netty transport, over libfabric or to a stream
 * manager. Back-pressure is as upstream's: the flag of its task refuses a tuple before it is serialized, and it becomes a pending emit of
 * its executor.
 */
final class FramedTransfer extends WakingTransfer {

    private static final Logger LOG = LoggerFactory.getLogger(FramedTransfer.class);

    private static final int FRAME_BYTES = 32 * 1024;
    private static final int POOLED_BUFFERS = 64;

    private final WorkerState worker;
    private final WakingQueue queue;
    private final OutgoingFrames frames;
    private final ThreadLocal<FrameWriter> writers;
    private final TupleLimit limit;
    private final BiFunction<Map<Integer, NodeInfo>, Map<NodeInfo, IConnection>, Integer> sending = this::send;
    /** For the thread that sends. */
    private int sentTuples;

    /** The worker's transport is a {@link FrameTransport}, or Storm's own with {@link NettyLoops}. */
    FramedTransfer(WorkerState worker, Map<String, Object> topologyConf, int maxTaskId, FrameWires wires, LoggedDrops drops,
            NanoClock clock, boolean sharesMemory) {
        super(worker, topologyConf, maxTaskId, clock);
        this.worker = worker;
        queue = (WakingQueue) getTransferQueue();
        IContext transport = WorkerConnections.transport(worker);
        limit = transport instanceof FrameTransport others ? others.tupleLimit() : FrameGate.tupleLimit(topologyConf, FRAME_BYTES);
        frames = new OutgoingFrames(() -> WorkerConnections.homes(worker), maxTaskId, new LaneQueue(queue),
            new FramePool(FRAME_BYTES, POOLED_BUFFERS),
            () -> new FrameSplitter(topologyConf, worker.getWorkerTopologyContext(), wires, limit, drops),
            connection -> connection instanceof Client || connection instanceof FrameCarrier, this::leaves);
        if (sharesMemory && !(transport instanceof FrameTransport)) {
            frames.shareMemory();
        }
        LOG.info("Tuples go to other workers in frames, by {}.", transport instanceof FrameTransport others ? others.carrier() : "Netty");
        writers = new CachedThreadLocal<>(() -> new FrameWriter(topologyConf, worker.getWorkerTopologyContext(),
            wires.wires().get(), limit));
        if (transport instanceof ClientLoops clients) {
            ((NettyLoops) clients.getWorkerEventLoopGroup()).carryFrames(RingPlace.SHARED_MEMORY);
        }
    }

    @Override
    public boolean tryTransferRemote(AddressedTuple tuple, Queue<AddressedTuple> pendingEmits, ITupleSerializer serializer) {
        if (pendingEmits != null && !pendingEmits.isEmpty()) {
            pendingEmits.add(tuple);
            return false;
        }
        if (!flag(tuple.getDest()).get()) {
            OutgoingFrames.Offer offer = offer(tuple, serializer);
            if (offer == OutgoingFrames.Offer.TAKEN) {
                if (!allRingsHaveSpace() || !tryTransferHere()) {
                    queue.wake();
                }
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

    /** Whether an emitting thread may try to send. For any thread. */
    boolean allRingsHaveSpace() {
        return frames.allRingsHaveSpace();
    }

    private OutgoingFrames.Offer offer(AddressedTuple tuple, ITupleSerializer serializer) {
        if (((Stamped) tuple.getTuple()).getEyewallStamp() != null) {
            return offerByItself(tuple, serializer);
        }
        FrameWriter writer = writers.get();
        OutgoingFrames.Offer offer = frames.offer(tuple, writer);
        if (offer != OutgoingFrames.Offer.REFUSED) {
            return offer;
        }
        queue.registerForSpace();
        return frames.offer(tuple, writer);
    }

    /** What travels with a tuple is in its message, and the queue's probe looks for it there. */
    private OutgoingFrames.Offer offerByItself(AddressedTuple tuple, ITupleSerializer serializer) {
        TaskMessage message = new TaskMessage(tuple.getDest(), serializer.serialize(tuple.getTuple()));
        limit.require(tuple.getDest(), tuple.getTuple(), message.message().length);
        QueueProbe probe = probe();
        if (probe != null) {
            probe.inserting(message);
        }
        int source = tuple.getTuple().getSourceTask();
        OutgoingFrames.Offer offer = frames.offer(source, message);
        if (offer != OutgoingFrames.Offer.REFUSED) {
            return offer;
        }
        queue.registerForSpace();
        return frames.offer(source, message);
    }

    private void leaves(TaskMessage message) {
        QueueProbe probe = probe();
        if (probe != null) {
            probe.taken(message);
        }
    }

    private QueueProbe probe() {
        return ((ProbedQueue) (JCQueue) queue).getEyewallProbe();
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
        sentTuples = WorkerConnections.sending(worker, sending);
    }

    private int send(Map<Integer, NodeInfo> homes, Map<NodeInfo, IConnection> connections) {
        return frames.send(homes, connections, mayWait());
    }

    @Override
    boolean catchesUp() {
        if (!frames.catchUp()) {
            return false;
        }
        if (frames.hasTaken()) {
            flush();
        }
        return !frames.hasTaken() && frames.catchUp();
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
