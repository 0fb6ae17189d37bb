package io.eyewall.tail;

import io.eyewall.client.seam.WorkerFeature;
import io.eyewall.client.seam.WorkerSeams;
import io.eyewall.client.substitute.LoggedDrops;
import io.eyewall.tail.output.WorkerOutputs;
import io.eyewall.tail.recording.LatencyRecordingConfiguration;
import io.eyewall.tail.recording.WorkerRecording;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Adds latency recording to a worker, if {@link LatencyRecordingConfiguration#RECORDING} is on.
 */
public final class LatencyRecordingFeature implements WorkerFeature {

    private static final Logger LOG = LoggerFactory.getLogger(LatencyRecordingFeature.class);

    @Override
    public String name() {
        return "latency-recording";
    }

    @Override
    public void join(WorkerSeams.Builder seams, Map<String, Object> topologyConf) {
        LatencyRecordingConfiguration configuration;
        try {
            configuration = new LatencyRecordingConfiguration(topologyConf);
        } catch (IllegalArgumentException e) {
            // A topology's configuration is checked at submission, so this value is from the storm.yaml of this host.
            LOG.error("Latencies are not recorded: {}", e.getMessage());
            return;
        }
        if (configuration.sampling().isOff()) {
            return;
        }
        WorkerOutputs outputs = new WorkerOutputs(configuration, WorkerRecording.begin(configuration, seams).recorders(),
            seams.common(LoggedDrops.class, LoggedDrops::new));
        seams.onStart(worker -> {
            try {
                outputs.start(worker);
            } catch (RuntimeException | LinkageError e) {
                LOG.error("The outputs of latency recording cannot be started. The worker runs without them.", e);
            }
        });
        seams.onClose(worker -> outputs.close());
    }
}
