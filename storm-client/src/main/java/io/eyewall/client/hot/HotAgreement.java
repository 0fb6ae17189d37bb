package io.eyewall.client.hot;

import io.eyewall.client.engine.EngineConfiguration;
import io.eyewall.client.seam.SubmissionTarget;
import io.eyewall.client.seam.TopologySubmission;
import io.eyewall.client.seam.woven.SubmissionEntry;
import java.util.List;
import java.util.Map;
import org.apache.storm.generated.Bolt;
import org.apache.storm.generated.ClusterSummary;
import org.apache.storm.generated.StormTopology;
import org.apache.storm.utils.Utils;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decides for all workers of a topology, when it is submitted, whether their executors may change while they run. They may not if some
 * worker may be upstream's, since it announces nothing to the others, or if a stateful bolt has windows, since its state does not contain
 * the tuples in them. The topology's own configuration records the decision.
 */
public final class HotAgreement implements TopologySubmission {

    private static final Logger LOG = LoggerFactory.getLogger(HotAgreement.class);

    @Override
    public void submitting(Map<String, Object> clientConf, StormTopology topology, SubmissionTarget cluster,
            Map<String, Object> topologyConf) {
        boolean hot = new EngineConfiguration(clientConf).hotRebalance();
        topologyConf.put(EngineConfiguration.HOT_REBALANCE, hot && allCan(cluster.summary()) && !anyKeepsWindows(topology));
    }

    private static boolean allCan(ClusterSummary cluster) {
        List<String> others = SubmissionEntry.hostsOfOthers(cluster);
        if (!others.isEmpty()) {
            LOG.warn("Workers of the topology restart in a rebalance, since the Supervisors of these hosts are not Eyewall's: {}."
                + " Submit it again when they are.", String.join(", ", others));
        }
        return others.isEmpty() && !cluster.get_supervisors().isEmpty();
    }

    private static boolean anyKeepsWindows(StormTopology topology) {
        boolean any = topology.get_bolts() != null && topology.get_bolts().values().stream().anyMatch(HotAgreement::keepsWindows);
        if (any) {
            LOG.info("Workers of the topology restart in a rebalance, since it has bolts with state and windows.");
        }
        return any;
    }

    private static boolean keepsWindows(Bolt bolt) {
        if (!bolt.get_bolt_object().is_set_serialized_java()) {
            return false;
        }
        Object object = Utils.javaDeserialize(bolt.get_bolt_object().get_serialized_java(), Object.class);
        return MovableState.isOf(object) && MovableState.of(object).hasWindows();
    }
}
