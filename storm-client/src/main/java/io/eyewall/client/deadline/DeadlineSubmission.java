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
        refuse(wrong(topology, clientConf));
    }

    /**
     * Refuses a configuration in which settings of deadlines would have no effect that have one before.
     *
     * @param topology as the user made it
     * @param before the configuration so far, with that of the cluster
     * @param after the configuration that it is to have
     * @throws InvalidTopologyException says in one line what is wrong, where, and the remedy
     */
    public static void checkChange(StormTopology topology, Map<String, Object> before, Map<String, Object> after)
            throws InvalidTopologyException {
        if (wrong(topology, before).isEmpty()) {
            refuse(wrong(topology, after));
        }
    }

    private static Optional<String> wrong(StormTopology topology, Map<String, Object> conf) {
        try {
            return DeadlineConfiguration.withoutEffect(topology, conf);
        } catch (IllegalArgumentException e) {
            return Optional.of(e.getMessage());
        }
    }

    private static void refuse(Optional<String> wrong) throws InvalidTopologyException {
        if (wrong.isPresent()) {
            throw new WrappedInvalidTopologyException(wrong.get());
        }
    }
}
