package io.eyewall.client.seam;

import java.util.Map;
import java.util.function.Supplier;
import org.apache.storm.generated.ClusterSummary;
import org.apache.storm.generated.InvalidTopologyException;
import org.apache.storm.generated.StormTopology;

/**
 * The seam <em>topology-submission</em>: checks a topology, and adds to it what has to be the same in all its workers, or depends on the
 * cluster. Found with {@link java.util.ServiceLoader} in the client that submits a topology; without one upstream's call
 * is made as it is. Local mode's own way of submitting does not come here.
 */
public interface TopologySubmission {

    /**
     * Checks a topology and adds to its configuration, on the thread that submits it, after that was validated.
     *
     * @param clientConf the client's whole configuration, with the topology's; read-only
     * @param topology the topology as the user made it; may be given more tasks
     * @param cluster the cluster as its Nimbus sees it, which is asked when this is; without Supervisors if it does not tell
     * @param topologyConf what the topology brings along
     * @throws InvalidTopologyException refuses the topology; says in one line what is wrong, where, and the remedy
     */
    void submitting(Map<String, Object> clientConf, StormTopology topology, Supplier<ClusterSummary> cluster,
        Map<String, Object> topologyConf) throws InvalidTopologyException;
}
