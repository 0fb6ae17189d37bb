package io.eyewall.tail.recording;

import io.eyewall.client.seam.WorkerFeature;
import io.eyewall.client.seam.WorkerSeams;
import java.util.Map;
import org.apache.storm.daemon.worker.WorkerTransfer;

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
        new WorkerRecording(configuration, NanoClock.SYSTEM, peers).join(seams);
        seams.workerTransfers(next -> (worker, conf, maxTaskId) -> {
            WorkerTransfer transfer = next.transfer(worker, conf, maxTaskId);
            String topologyId = worker.getTopologyId();
            watch.start(new PublishedAssignment(worker.getStateStorage(), topologyId), topologyId, worker.getPort());
            return transfer;
        });
        seams.onClose(worker -> watch.close());
    }
}
