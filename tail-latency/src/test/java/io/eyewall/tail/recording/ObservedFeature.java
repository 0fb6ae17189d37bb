package io.eyewall.tail.recording;

import io.eyewall.client.seam.WorkerFeature;
import io.eyewall.client.seam.WorkerSeams;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;

/** Latency recording whose recorders a test can see: {@link #RECORDING} is set in place of the feature's own key. A service of tests. */
public final class ObservedFeature implements WorkerFeature {

    static final String RECORDING = "test.latency.recording";

    /** One for each worker that this process has started. */
    static final List<Recorded> WORKERS = new CopyOnWriteArrayList<>();

    @Override
    public String name() {
        return "latency-recording-observed";
    }

    @Override
    public void join(WorkerSeams.Builder seams, Map<String, Object> topologyConf) {
        if (!topologyConf.containsKey(RECORDING)) {
            return;
        }
        WorkerRecording recording = new WorkerRecording(
            new LatencyRecordingConfiguration(Map.of(LatencyRecordingConfiguration.RECORDING, topologyConf.get(RECORDING))),
            NanoClock.SYSTEM, task -> new PeerClock("worker of task " + task, 0, 0));
        recording.join(seams);
        WORKERS.add(new Recorded(recording.recorders()));
    }
}
