package io.eyewall.client.deadline;

import io.eyewall.client.seam.SubmissionTarget;
import io.eyewall.client.seam.TopologySubmission;
import java.util.Map;
import java.util.Optional;
import org.apache.storm.generated.InvalidTopologyException;
import org.apache.storm.generated.StormTopology;
import org.apache.storm.utils.WrappedInvalidTopologyException;

/** Refuses a topology whose settings of deadlines would have no effect, such as targets where executors have threads of their own. */
public final class DeadlineSubmission implements TopologySubmission {

    @Override
    public void submitting(Map<String, Object> clientConf, StormTopology topology, SubmissionTarget cluster,
            Map<String, Object> topologyConf) throws InvalidTopologyException {
        Optional<String> wrong;
        try {
            wrong = DeadlineConfiguration.withoutEffect(topology, clientConf);
        } catch (IllegalArgumentException e) {
            throw new WrappedInvalidTopologyException(e.getMessage());
        }
        if (wrong.isPresent()) {
            throw new WrappedInvalidTopologyException(wrong.get());
        }
    }
}
