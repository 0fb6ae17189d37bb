package io.eyewall.tail.recording;

import io.eyewall.client.seam.WorkerFeature;
import io.eyewall.client.seam.WorkerSeams;
import io.eyewall.client.time.NanoClock;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.storm.cluster.IStateStorage;
import org.apache.storm.metrics2.StormMetricRegistry;

/**
 * Shows tests what the workers of this process have: their metrics, and, where {@link #RECORDING} is set in place of the feature's own
 * key, recorders. A service of tests.
 */
public final class ObservedFeature implements WorkerFeature {

    static final String RECORDING = "test.latency.recording";

    /** The metrics of each worker that this process has started. */
    public static final List<StormMetricRegistry> METRICS = new CopyOnWriteArrayList<>();

    /** The state storage of each worker that this process has started. */
    public static final List<IStateStorage> STORAGES = new CopyOnWriteArrayList<>();

    /** What was recorded in each worker that this process has started and that records under {@link #RECORDING}. */
    static final List<Recorded> WORKERS = new CopyOnWriteArrayList<>();

    @Override
    public String name() {
        return "latency-recording-observed";
    }

    @Override
    public void join(WorkerSeams.Builder seams, Map<String, Object> topologyConf) {
        seams.onStart(worker -> {
            METRICS.add(worker.getMetricRegistry());
            STORAGES.add(worker.getStateStorage());
        });
        if (!topologyConf.containsKey(RECORDING)) {
            return;
        }
        WorkerRecording recording = new WorkerRecording(
            new LatencyRecordingConfiguration(Map.of(LatencyRecordingConfiguration.RECORDING, topologyConf.get(RECORDING),
                LatencyRecordingConfiguration.PRECISION_DIGITS, 3)),
            NanoClock.SYSTEM, task -> new WorkerClock("worker of task " + task, 0, 0));
        recording.join(seams);
        WORKERS.add(new Recorded(recording.recorders()));
    }
}
