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

/** Reads the heartbeats of all workers in every round and measures the cluster's rates with them. Not thread-safe. */
public final class ClusterMeter {

    private final WorkerHeartbeats heartbeats;
    private final RateMeter rates = new RateMeter();
    private final WorkerStartTimes starts = new WorkerStartTimes();
    /** By topology id: heartbeats up to this time are ignored. */
    private final Map<String, Long> ignoredUntilMs = new HashMap<>();

    /** A meter without measurements. */
    public ClusterMeter(WorkerHeartbeats heartbeats) {
        this.heartbeats = heartbeats;
    }

    /**
     * Reads the newest heartbeats of all workers.
     *
     * @param nowMs now, in milliseconds since 1970
     * @return the cluster with its rates in the window that ends now
     */
    public ClusterSnapshot measure(ClusterView view, long nowMs) {
        Set<ExecutorId> executors = new HashSet<>();
        Set<Slot> slots = new HashSet<>();
        for (PlacedTopology topology : view.state().topologies()) {
            Set<Slot> used = new HashSet<>(topology.placement().values());
            used.forEach(slot -> read(topology, slot));
            slots.addAll(used);
            executors.addAll(topology.placement().keySet());
        }
        rates.retain(executors::contains);
        starts.retain(slots);
        ignoredUntilMs.keySet().retainAll(view.topologies().keySet());
        return rates.snapshot(view.state(), nowMs);
    }

    /** Restarts the window of a topology after a change, so that rates do not mix counts from before and after it. */
    public void restartWindow(String topologyId, long timeMs) {
        rates.retain(executor -> !executor.topologyId().equals(topologyId));
        ignoredUntilMs.put(topologyId, timeMs);
    }

    /** The start times of the workers whose heartbeats have been read. */
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
        // The heartbeat may be of a worker that had the slot before.
        counters.stream().filter(one -> topology.placement().containsKey(one.executor())).forEach(rates::record);
    }
}
