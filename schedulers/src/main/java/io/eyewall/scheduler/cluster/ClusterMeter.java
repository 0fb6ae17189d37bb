package io.eyewall.scheduler.cluster;

import io.eyewall.elasticity.measure.ClusterSnapshot;
import io.eyewall.elasticity.measure.ExecutorCounters;
import io.eyewall.elasticity.measure.RateMeter;
import io.eyewall.elasticity.model.ExecutorId;
import io.eyewall.elasticity.model.PlacedTopology;
import io.eyewall.elasticity.model.Slot;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.storm.generated.ClusterWorkerHeartbeat;

/** Reads the heartbeats of all workers, round by round, and keeps the window over them. For one thread. */
public final class ClusterMeter {

    private final WorkerHeartbeats heartbeats;
    private final RateMeter statistics = new RateMeter();
    private final WorkerStartTimes starts = new WorkerStartTimes();
    /** By topology: up to when heartbeats are not to be counted. */
    private final Map<String, Long> ignoredUntilMs = new HashMap<>();

    /** A meter that has read nothing yet. */
    public ClusterMeter(WorkerHeartbeats heartbeats) {
        this.heartbeats = heartbeats;
    }

    /**
     * Reads all heartbeats.
     *
     * @param nowMs now, in milliseconds since 1970
     * @return the cluster with the rates of the window that ends now
     */
    public ClusterSnapshot measure(ClusterView view, long nowMs) {
        Set<ExecutorId> executors = new HashSet<>();
        Set<Slot> slots = new HashSet<>();
        for (PlacedTopology topology : view.state().topologies()) {
            Set<Slot> own = new HashSet<>(topology.placement().values());
            own.forEach(slot -> read(topology, slot));
            slots.addAll(own);
            executors.addAll(topology.placement().keySet());
        }
        statistics.retain(executors::contains);
        starts.retain(slots);
        ignoredUntilMs.keySet().retainAll(view.topologies().keySet());
        return statistics.snapshot(view.state(), nowMs);
    }

    /** Lets the window of a topology begin anew, so that it does not mix what was before a change with what is after it. */
    public void startAnew(String topologyId, long timeMs) {
        statistics.retain(executor -> !executor.topologyId().equals(topologyId));
        ignoredUntilMs.put(topologyId, timeMs);
    }

    /** When the workers started that have been read. */
    public WorkerStartTimes starts() {
        return starts;
    }

    private void read(PlacedTopology topology, Slot slot) {
        String id = topology.graph().id();
        ClusterWorkerHeartbeat heartbeat = heartbeats.newest(id, slot);
        if (heartbeat == null || HeartbeatCounters.timeMs(heartbeat) <= ignoredUntilMs.getOrDefault(id, 0L)) {
            return;
        }
        starts.record(slot, HeartbeatCounters.startMs(heartbeat));
        List<ExecutorCounters> counters = HeartbeatCounters.of(id, heartbeat);
        // What a worker ran that had the slot before is of no interest.
        counters.stream().filter(one -> topology.placement().containsKey(one.executor())).forEach(statistics::record);
    }
}
