package io.eyewall.scheduler.rebalance;

import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;
import org.apache.storm.cluster.ClusterStateContext;
import org.apache.storm.cluster.ClusterUtils;
import org.apache.storm.cluster.DaemonType;
import org.apache.storm.cluster.IStormClusterState;
import org.apache.storm.generated.Assignment;
import org.apache.storm.scheduler.WorkerSlot;

/**
 * The slots of a topology's tasks as ZooKeeper has them, by the topology's id; empty if it has none. During a rebalance these are the slots
 * before it, whichever Nimbus has chosen them. Connects at the first read. Not thread-safe.
 */
final class StoredPlacements implements Function<String, Map<Integer, WorkerSlot>>, AutoCloseable {

    private final Map<String, Object> conf;
    private IStormClusterState state;

    /** Takes Nimbus's configuration. */
    StoredPlacements(Map<String, Object> conf) {
        this.conf = conf;
    }

    /**
     * Reads the slots.
     *
     * @throws RuntimeException if ZooKeeper cannot be reached
     */
    @Override
    public Map<Integer, WorkerSlot> apply(String topologyId) {
        Map<Integer, WorkerSlot> slots = new HashMap<>();
        Assignment assignment = state().remoteAssignmentInfo(topologyId, null);
        if (assignment != null) {
            assignment.get_executor_node_port().forEach((executor, slot) -> {
                for (long task = executor.get(0); task <= executor.get(1); task++) {
                    slots.put((int) task, new WorkerSlot(slot.get_node(), slot.get_port().iterator().next()));
                }
            });
        }
        return slots;
    }

    @Override
    public void close() {
        if (state != null) {
            state.disconnect();
        }
    }

    private IStormClusterState state() {
        if (state == null) {
            try {
                state = ClusterUtils.mkStormClusterState(conf, new ClusterStateContext(DaemonType.NIMBUS, conf));
            } catch (Exception e) {
                throw new IllegalStateException("Cannot reach the state storage: " + e.getMessage() + ". Check that ZooKeeper is running.",
                    e);
            }
        }
        return state;
    }
}
