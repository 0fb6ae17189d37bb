package io.eyewall.client.seam;

import java.util.Map;
import java.util.function.Supplier;
import org.apache.storm.generated.ClusterSummary;

/**
 * The seam <em>topology-submission</em>: adds to the configuration of a topology what has to be the same in all its workers and depends on
 * the cluster. Found with {@link java.util.ServiceLoader} in the client that submits a topology; without one upstream's call is made as it
 * is. Local mode's own way of submitting does not come here.
 */
public interface TopologySubmission {

    /**
     * Adds to a topology's configuration, on the thread that submits it, after it was validated.
     *
     * @param clientConf the client's whole configuration, with the topology's; read-only
     * @param cluster the cluster as its Nimbus sees it, which is asked when this is; without Supervisors if it does not tell
     * @param topologyConf what the topology brings along
     */
    void submitting(Map<String, Object> clientConf, Supplier<ClusterSummary> cluster, Map<String, Object> topologyConf);
}
