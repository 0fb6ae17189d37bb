package io.eyewall.client.settings.elasticity;

import io.eyewall.client.seam.SubmissionTarget;
import io.eyewall.client.seam.TopologySubmission;
import io.eyewall.client.settings.Components;
import io.eyewall.client.settings.OwnConfiguration;
import java.util.Map;
import org.apache.storm.Config;
import org.apache.storm.generated.ComponentCommon;
import org.apache.storm.generated.StormTopology;

/**
 * Submits a topology with more tasks than executors, so that it can get more executors while it runs. In Storm the number of tasks is fixed
 * at submission and limits the number of executors.
 *
 * <p>Example: with a factor of 4 a bolt of 2 executors gets 8 tasks, 4 to each executor, and may grow to 8 executors.
 */
public final class TaskHeadroom implements TopologySubmission {

    /** The prefix of Trident's components that hand out batches, which must have one task. */
    private static final String TRIDENT_COORDINATOR = "$";

    @Override
    public void submitting(Map<String, Object> clientConf, StormTopology topology, SubmissionTarget cluster,
            Map<String, Object> topologyConf) {
        long factor = new ElasticityConfiguration(clientConf).tasksPerExecutor();
        // A number of tasks that the user has set stays.
        if (factor == 1 || topologyConf.get(Config.TOPOLOGY_TASKS) != null) {
            return;
        }
        Components.of(topology).forEach((id, component) -> enlarge(id, component, factor));
    }

    private static void enlarge(String id, ComponentCommon component, long factor) {
        Map<String, Object> conf = OwnConfiguration.of(component);
        if (conf.get(Config.TOPOLOGY_TASKS) == null && !id.startsWith(TRIDENT_COORDINATOR)) {
            conf.put(Config.TOPOLOGY_TASKS, Math.multiplyExact(Components.executors(component), factor));
            OwnConfiguration.set(component, conf);
        }
    }
}
