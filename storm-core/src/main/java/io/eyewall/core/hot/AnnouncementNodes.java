package io.eyewall.core.hot;

import java.util.Map;
import org.apache.storm.cluster.IStormClusterState;
import org.apache.storm.generated.Assignment;

/**
 * The nodes in ZooKeeper below which the workers of a topology announce their tasks. A worker may make them itself only where ZooKeeper
 * checks no permissions. On the thread in which Nimbus schedules.
 */
public final class AnnouncementNodes {

    private AnnouncementNodes() {
    }

    /** In place of {@code IStormClusterState.setAssignment} in Nimbus: before the topology's workers learn of it, they have their node. */
    @SuppressWarnings("removal") // Storm will not need the nodes of back-pressure any longer; hot rebalance does.
    public static void setAssignment(IStormClusterState state, String topologyId, Assignment assignment, Map<String, Object> topologyConf) {
        state.setupBackpressure(topologyId, topologyConf);
        state.setAssignment(topologyId, assignment, topologyConf);
    }
}
