package io.eyewall.scheduler.cluster;

import io.eyewall.elasticity.model.Slot;
import java.util.Map;
import org.apache.storm.cluster.ClusterStateContext;
import org.apache.storm.cluster.ClusterUtils;
import org.apache.storm.cluster.DaemonType;
import org.apache.storm.cluster.IStormClusterState;
import org.apache.storm.generated.ClusterWorkerHeartbeat;

/**
 * Reads heartbeats from the cluster's state storage, as Nimbus does for its UI: from ZooKeeper, or from Pacemaker if the cluster uses it.
 * Workers write them every {@code executor.metrics.frequency.secs}. Connects at the first read. Not thread-safe.
 */
final class StateStorageHeartbeats implements WorkerHeartbeats, AutoCloseable {

    private final Map<String, Object> conf;
    private IStormClusterState state;

    /** Takes Nimbus's configuration. */
    StateStorageHeartbeats(Map<String, Object> conf) {
        this.conf = conf;
    }

    /**
     * {@inheritDoc}
     *
     * @throws IllegalStateException if the state storage cannot be reached
     */
    @Override
    public ClusterWorkerHeartbeat newest(String topologyId, Slot slot) {
        if (state == null) {
            try {
                state = ClusterUtils.mkStormClusterState(conf, new ClusterStateContext(DaemonType.NIMBUS, conf));
            } catch (Exception e) {
                throw new IllegalStateException("Cannot reach the state storage, where workers write their heartbeats: "
                    + e.getMessage() + ". Check that ZooKeeper, or Pacemaker, is running.", e);
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
