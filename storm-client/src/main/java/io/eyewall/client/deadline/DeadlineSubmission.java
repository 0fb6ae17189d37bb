package io.eyewall.client.deadline;

import io.eyewall.client.engine.EngineConfiguration;
import io.eyewall.client.seam.SubmissionTarget;
import io.eyewall.client.seam.TopologySubmission;
import io.eyewall.client.settings.Components;
import io.eyewall.client.settings.OwnConfiguration;
import java.util.HashMap;
import java.util.Map;
import org.apache.storm.generated.InvalidTopologyException;
import org.apache.storm.generated.StormTopology;

/** Refuses a topology with targets whose executors all have threads of their own, since targets would have no effect there. */
public final class DeadlineSubmission implements TopologySubmission {

    @Override
    public void submitting(Map<String, Object> clientConf, StormTopology topology, SubmissionTarget cluster,
            Map<String, Object> topologyConf) throws InvalidTopologyException {
        boolean hasTargets;
        try {
            if (DeadlineConfiguration.hasTokensOnly(topology, clientConf)) {
                throw new InvalidTopologyException(DeadlineConfiguration.TOKENS_ONLY);
            }
            hasTargets = !DeadlineConfiguration.ofSpouts(topology, clientConf).isEmpty();
        } catch (IllegalArgumentException e) {
            throw new InvalidTopologyException(e.getMessage());
        }
        if (!hasTargets || sharesThreads(clientConf) || Components.of(topology).values().stream().anyMatch(component -> {
            Map<String, Object> conf = new HashMap<>(clientConf);
            conf.putAll(OwnConfiguration.of(component));
            return sharesThreads(conf);
        })) {
            return;
        }
        throw new InvalidTopologyException(DeadlineConfiguration.TARGET + " needs executors that share threads: set "
            + EngineConfiguration.EXECUTOR_THREADS + " to " + EngineConfiguration.AUTO + " or " + EngineConfiguration.POOL + ".");
    }

    private static boolean sharesThreads(Map<String, Object> conf) {
        return new EngineConfiguration(conf).sharesThreads(true);
    }
}
