package io.eyewall.client.acking;

import io.eyewall.client.engine.EngineConfiguration;
import io.eyewall.client.seam.SubmissionTarget;
import io.eyewall.client.seam.TopologySubmission;
import io.eyewall.client.seam.woven.SubmissionEntry;
import java.util.List;
import java.util.Map;
import org.apache.storm.generated.ClusterSummary;
import org.apache.storm.generated.StormTopology;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decides for all workers of a topology whether they keep ledgers, when it is submitted: they do if its configuration asks for ledgers and
 * every Supervisor of the cluster starts workers that can keep them. The topology's own configuration records the decision.
 */
public final class LedgerAgreement implements TopologySubmission {

    private static final Logger LOG = LoggerFactory.getLogger(LedgerAgreement.class);

    @Override
    public void submitting(Map<String, Object> clientConf, StormTopology topology, SubmissionTarget cluster,
            Map<String, Object> topologyConf) {
        boolean ledger = new EngineConfiguration(clientConf).wantsLedger() && allCan(cluster.summary());
        topologyConf.put(EngineConfiguration.ACKING, ledger ? EngineConfiguration.LEDGER : EngineConfiguration.ACKER);
    }

    private static boolean allCan(ClusterSummary cluster) {
        List<String> others = SubmissionEntry.hostsOfOthers(cluster);
        if (!others.isEmpty()) {
            LOG.warn("The topology gets ackers, since the Supervisors of these hosts are not Eyewall's: {}. Submit it again when they are.",
                String.join(", ", others));
        }
        return others.isEmpty() && !cluster.get_supervisors().isEmpty();
    }
}
