package io.eyewall.client.hot;

import io.eyewall.client.engine.EngineConfiguration;
import io.eyewall.client.seam.SubmissionEntry;
import io.eyewall.client.seam.TopologySubmission;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.apache.storm.generated.ClusterSummary;
import org.apache.storm.generated.StormTopology;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decides once for all workers of a topology whether their executors may change while they run, when it is submitted: a worker of
 * upstream's would not tell the others what it runs. The topology's own configuration says so from then on.
 */
public final class HotAgreement implements TopologySubmission {

    private static final Logger LOG = LoggerFactory.getLogger(HotAgreement.class);

    @Override
    public void submitting(Map<String, Object> clientConf, StormTopology topology, Supplier<ClusterSummary> cluster,
            Map<String, Object> topologyConf) {
        if (new EngineConfiguration(clientConf).hotRebalance()) {
            List<String> others = SubmissionEntry.hostsOfOthers(cluster.get());
            if (!others.isEmpty()) {
                LOG.warn("Workers of the topology restart in a rebalance, since the Supervisors of these hosts are not Eyewall's: {}."
                    + " Submit it again when they are.", String.join(", ", others));
            }
            topologyConf.put(EngineConfiguration.HOT_REBALANCE, others.isEmpty());
        }
    }
}
