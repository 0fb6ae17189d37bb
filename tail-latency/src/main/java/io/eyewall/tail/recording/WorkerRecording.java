package io.eyewall.tail.recording;

import io.eyewall.client.seam.ExecutorProbe;
import io.eyewall.client.seam.ProbedQueue;
import io.eyewall.client.seam.TupleWire;
import io.eyewall.client.seam.WorkerSeams;
import io.eyewall.client.time.NanoClock;
import java.security.SecureRandom;
import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;
import org.apache.storm.daemon.worker.WorkerTransfer;
import org.apache.storm.executor.Executor;
import org.apache.storm.task.WorkerTopologyContext;
import org.apache.storm.utils.JCQueue;

/**
 * Latency recording in one worker: adds probes and wires to the worker's queues, executors and serializers.
 */
public final class WorkerRecording {

    private final LatencyRecordingConfiguration configuration;
    private final NanoClock clock;
    private final WorkerClocks peers;
    private final HopRecorders recorders;

    WorkerRecording(LatencyRecordingConfiguration configuration, NanoClock clock, WorkerClocks peers) {
        this.configuration = configuration;
        this.clock = clock;
        this.peers = peers;
        recorders = new HopRecorders(configuration);
    }

    /** Records in a worker whose peers have these clocks. */
    public static WorkerRecording begin(LatencyRecordingConfiguration configuration, WorkerSeams.Builder seams) {
        WorkerPeers peers = new WorkerPeers();
        PeerWatch watch = new PeerWatch(peers, PeerWatch::isThisHost, NanoClock.SYSTEM, new SecureRandom()::nextLong);
        WorkerRecording recording = new WorkerRecording(configuration, NanoClock.SYSTEM, peers);
        recording.join(seams);
        seams.onStart(worker -> {
            String topologyId = worker.getTopologyId();
            watch.start(new PublishedAssignment(worker.getStateStorage(), topologyId), topologyId, worker.getPort());
        });
        seams.onClose(worker -> watch.close());
        return recording;
    }

    /** Fills the seams. They are called on the thread that starts the worker, and for wires also on the threads that use them. */
    void join(WorkerSeams.Builder seams) {
        seams.receiveQueues(next -> request -> {
            JCQueue queue = next.receiveQueue(request);
            ((ProbedQueue) queue).addEyewallProbe(new ReceiveQueueProbe(clock));
            return queue;
        });
        seams.workerTransfers(next -> (worker, conf, maxTaskId) -> {
            WorkerTransfer transfer = next.transfer(worker, conf, maxTaskId);
            ((ProbedQueue) transfer.getTransferQueue()).addEyewallProbe(new TransferQueueProbe(clock, recorders, peers));
            return transfer;
        });
        seams.executorProbes(this::executorProbe);
        seams.tupleWires(next -> context -> TupleWire.both(next.wire(context), new StampWire(clock, recorders, peers)));
    }

    /** The recorders of this worker. */
    public HopRecorders recorders() {
        return recorders;
    }

    private ExecutorProbe executorProbe(Executor executor) {
        String component = executor.getComponentId();
        return new RecordingProbe(configuration.sampling(), new SplittableRandom(executor.getTaskIds().get(0)), clock, recorders,
            component, dueIndexByStream(executor.getWorkerTopologyContext(), component));
    }

    private Map<String, Integer> dueIndexByStream(WorkerTopologyContext context, String component) {
        Map<String, Integer> indexes = new HashMap<>();
        context.getComponentStreams(component).forEach(stream -> {
            int index = context.getComponentOutputFields(component, stream).toList().indexOf(configuration.dueField());
            if (index >= 0) {
                indexes.put(stream, index);
            }
        });
        return indexes;
    }
}
