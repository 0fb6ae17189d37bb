package io.eyewall.scheduler.drain;

import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.SortedSet;
import java.util.TreeSet;
import org.apache.storm.cluster.ClusterStateContext;
import org.apache.storm.cluster.ClusterUtils;
import org.apache.storm.cluster.DaemonType;
import org.apache.storm.cluster.IStateStorage;
import org.apache.storm.generated.SupervisorInfo;

/**
 * Reads what Supervisors and workers have written to ZooKeeper: a worker that can change its executors has an ephemeral node from its start
 * to its end. Connects at the first read. Not thread-safe.
 */
final class StoredSupervisorStates implements SupervisorStates, AutoCloseable {

    private final Map<String, Object> conf;
    private IStateStorage storage;

    /** Takes Nimbus's configuration. */
    StoredSupervisorStates(Map<String, Object> conf) {
        this.conf = conf;
    }

    @Override
    public SortedSet<String> workers(String supervisorId) {
        SortedSet<String> workers = new TreeSet<>();
        for (String topologyId : children(ClusterUtils.BACKPRESSURE_SUBTREE)) {
            for (String worker : children(ClusterUtils.backpressureStormRoot(topologyId))) {
                int dash = worker.lastIndexOf('-');
                if (dash > 0 && worker.substring(0, dash).equals(supervisorId)) {
                    workers.add(topologyId + " on port " + worker.substring(dash + 1));
                }
            }
        }
        return workers;
    }

    @Override
    public OptionalLong uptimeSecs(String supervisorId) {
        byte[] info = storage().get_data(ClusterUtils.supervisorPath(supervisorId), false);
        return info == null ? OptionalLong.empty()
            : OptionalLong.of(ClusterUtils.maybeDeserialize(info, SupervisorInfo.class).get_uptime_secs());
    }

    @Override
    public void close() {
        if (storage != null) {
            storage.close();
        }
    }

    private List<String> children(String path) {
        return storage().node_exists(path, false) ? storage().get_children(path, false) : List.of();
    }

    private IStateStorage storage() {
        if (storage == null) {
            try {
                storage = ClusterUtils.mkStateStorage(conf, conf, new ClusterStateContext(DaemonType.NIMBUS, conf));
            } catch (Exception e) {
                throw new IllegalStateException("Cannot reach the state storage: " + e.getMessage() + ". Check that ZooKeeper is running.",
                    e);
            }
        }
        return storage;
    }
}
