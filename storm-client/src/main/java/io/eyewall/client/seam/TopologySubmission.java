package io.eyewall.client.seam;

import java.util.Map;
import org.apache.storm.generated.InvalidTopologyException;
import org.apache.storm.generated.StormTopology;

/**
 * The seam <em>topology-submission</em>: checks a topology, and adds to it what must be the same in all its workers or depends on the
 * cluster. Found with {@link java.util.ServiceLoader} in the client that submits a topology. Local mode does not call it.
 */
public interface TopologySubmission {

    /**
     * Checks a topology and adds to its configuration, after Storm has validated that; called on the thread that submits the topology.
     *
     * @param clientConf the client's whole configuration, with the topology's and, as {@code topology.name}, its name; read-only
     * @param topology the topology as the user made it; may be given more tasks
     * @param cluster the cluster
     * @param topologyConf the configuration that goes to Nimbus with the topology
     * @throws InvalidTopologyException if the topology is refused; the message says in one line what is wrong, where, and the remedy
     */
    void submitting(Map<String, Object> clientConf, StormTopology topology, SubmissionTarget cluster, Map<String, Object> topologyConf)
        throws InvalidTopologyException;
}
