package io.eyewall.scheduler.cluster;

import io.eyewall.elasticity.model.Slot;
import java.util.Map;
import org.apache.storm.cluster.ClusterStateContext;
import org.apache.storm.cluster.ClusterUtils;
import org.apache.storm.cluster.DaemonType;
import org.apache.storm.cluster.IStormClusterState;
import org.apache.storm.generated.ClusterWorkerHeartbeat;

/**
 * Heartbeats from where Nimbus takes those that it shows in its UI: ZooKeeper, or Pacemaker where the cluster has one. Workers write them
 * every {@code executor.metrics.frequency.secs}. Connects when it is first asked. For one thread.
 */
final class StateStorageHeartbeats implements WorkerHeartbeats, AutoCloseable {

    private final Map<String, Object> conf;
    private IStormClusterState state;

    /** With Nimbus's configuration. */
    StateStorageHeartbeats(Map<String, Object> conf) {
        this.conf = conf;
    }

    /** Throws {@link IllegalStateException} if the cluster's state cannot be reached. */
    @Override
    public ClusterWorkerHeartbeat newest(String topologyId, Slot slot) {
        if (state == null) {
            try {
                state = ClusterUtils.mkStormClusterState(conf, new ClusterStateContext(DaemonType.NIMBUS, conf));
            } catch (Exception e) {
                throw new IllegalStateException("The cluster's state, where workers leave their heartbeats, cannot be reached: "
                    + e.getMessage() + ". Is ZooKeeper there?", e);
            }
        }
        return state.getWorkerHeartbeat(topologyId, slot.machine(), (long) slot.port());
    }

    @Override
    public void close() {
        if (state != null) {
            state.disconnect();
        }
    }
}
