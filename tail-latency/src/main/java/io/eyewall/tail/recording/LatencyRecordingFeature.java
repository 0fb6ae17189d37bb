package io.eyewall.tail.recording;

import io.eyewall.client.seam.ProbedQueue;
import io.eyewall.client.seam.WorkerFeature;
import io.eyewall.client.seam.WorkerSeams;
import java.util.Map;
import org.apache.storm.daemon.worker.WorkerTransfer;
import org.apache.storm.utils.JCQueue;

/**
 * Latency recording joins a worker here: {@link LatencyRecordingConfiguration#RECORDING} switches it on and off.
 */
public final class LatencyRecordingFeature implements WorkerFeature {

    @Override
    public String name() {
        return "latency-recording";
    }

    @Override
    public void join(WorkerSeams.Builder seams, Map<String, Object> topologyConf) {
        LatencyRecordingConfiguration configuration = new LatencyRecordingConfiguration(topologyConf);
        if (configuration.sampling().isOff()) {
            return;
        }
        WorkerPeers peers = new WorkerPeers();
        PeerWatch watch = new PeerWatch(peers, PeerWatch::isThisHost, NanoClock.SYSTEM);
        WorkerRecording recording = new WorkerRecording(configuration, NanoClock.SYSTEM, peers);
        seams.receiveQueues(next -> request -> {
            JCQueue queue = next.receiveQueue(request);
            ((ProbedQueue) queue).setEyewallProbe(recording.receiveQueueProbe());
            return queue;
        });
        seams.workerTransfers(next -> (worker, conf, maxTaskId) -> {
            WorkerTransfer transfer = next.transfer(worker, conf, maxTaskId);
            ((ProbedQueue) transfer.getTransferQueue()).setEyewallProbe(recording.transferQueueProbe());
            String topologyId = worker.getTopologyId();
            watch.start(new PublishedAssignment(worker.getStateStorage(), topologyId), topologyId, worker.getPort());
            return transfer;
        });
        seams.executorProbes(next -> recording::executorProbe);
        seams.tupleWires(next -> context -> recording.wire());
        seams.onClose(worker -> watch.close());
    }
}
