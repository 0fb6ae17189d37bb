package io.eyewall.scheduler.henge;

import io.eyewall.elasticity.model.Slot;
import io.eyewall.scheduler.cluster.WorkerHeartbeats;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.apache.storm.generated.ClusterWorkerHeartbeat;
import org.apache.storm.generated.ExecutorStats;
import org.apache.storm.generated.SpoutStats;

/**
 * Notes what passes through it of the heartbeats that are read in each round: when a worker's last one came, and the complete latency that
 * Storm itself measures. Not thread-safe.
 */
final class HeartbeatNotes implements WorkerHeartbeats {

    private static final String ALL_TIME = ":all-time";

    private final WorkerHeartbeats heartbeats;
    private final LongSupplier clockMs;
    private final Map<Slot, Note> notes = new HashMap<>();
    private final Map<Worker, SlidingWindow<Completed>> windows = new HashMap<>();

    HeartbeatNotes(WorkerHeartbeats heartbeats, LongSupplier clockMs) {
        this.heartbeats = heartbeats;
        this.clockMs = clockMs;
    }

    @Override
    public ClusterWorkerHeartbeat newest(String topologyId, Slot slot) {
        ClusterWorkerHeartbeat heartbeat = heartbeats.newest(topologyId, slot);
        if (heartbeat != null) {
            Note before = notes.get(slot);
            // The worker's clock may differ from this one, so a heartbeat is as old as the time since it was first seen.
            boolean same = before != null && before.topologyId.equals(topologyId) && before.timeSecs == heartbeat.get_time_secs();
            notes.put(slot, new Note(topologyId, heartbeat.get_time_secs(),
                same ? before.seenMs : clockMs.getAsLong(), completed(heartbeat)));
        }
        return heartbeat;
    }

    /** For how long the quietest of some workers of a topology has not reported, in milliseconds; the largest value if one never has. */
    long silenceMs(String topologyId, Collection<Slot> workers) {
        long longest = 0;
        for (Slot worker : new HashSet<>(workers)) {
            Note note = notes.get(worker);
            longest = Math.max(longest, note == null || !note.topologyId.equals(topologyId) ? Long.MAX_VALUE
                : clockMs.getAsLong() - note.seenMs);
        }
        return longest;
    }

    /**
     * The mean complete latency of a topology in the last one or two minutes, in milliseconds: from a spout's emit until the spout learns
     * that the tree of tuples is acked. A worker that has restarted meanwhile counts from its start on. Empty if no message was acked. To
     * be called once in each round.
     */
    OptionalDouble completeLatencyMs(String topologyId, Collection<Slot> workers) {
        long messages = 0;
        double latencyMs = 0;
        for (Slot slot : new HashSet<>(workers)) {
            Note note = notes.get(slot);
            if (note != null && note.topologyId.equals(topologyId)) {
                Completed total = note.completed;
                Completed before = windows
                    .computeIfAbsent(new Worker(topologyId, slot), worker -> new SlidingWindow<>(SlidingWindow.TWO_MINUTES_MS))
                    .baseline(total, clockMs.getAsLong(), earlier -> total.messages >= earlier.messages)
                    .orElse(new Completed(0, 0));
                messages += total.messages - before.messages;
                latencyMs += total.latencyMs - before.latencyMs;
            }
        }
        return messages > 0 ? OptionalDouble.of(Math.max(0, latencyMs) / messages) : OptionalDouble.empty();
    }

    /** Begins a new window for a topology that has changed. */
    void restartWindow(String topologyId) {
        windows.keySet().removeIf(worker -> worker.topologyId.equals(topologyId));
    }

    /** Forgets all slots and topologies except these. */
    void retain(Set<Slot> slots, Predicate<String> topologyIds) {
        notes.keySet().retainAll(slots);
        windows.keySet().removeIf(worker -> !slots.contains(worker.slot) || !topologyIds.test(worker.topologyId));
    }

    private static Completed completed(ClusterWorkerHeartbeat heartbeat) {
        long messages = 0;
        double latencyMs = 0;
        for (ExecutorStats stats : heartbeat.get_executor_stats().values()) {
            if (stats != null && stats.is_set_specific() && stats.get_specific().is_set_spout()) {
                SpoutStats spout = stats.get_specific().get_spout();
                Map<String, Double> averages = spout.get_complete_ms_avg().getOrDefault(ALL_TIME, Map.of());
                for (Map.Entry<String, Long> acked : spout.get_acked().getOrDefault(ALL_TIME, Map.of()).entrySet()) {
                    messages += acked.getValue();
                    latencyMs += acked.getValue() * averages.getOrDefault(acked.getKey(), 0.0);
                }
            }
        }
        return new Completed(messages, latencyMs);
    }

    private record Note(String topologyId, int timeSecs, long seenMs, Completed completed) {
    }

    private record Worker(String topologyId, Slot slot) {
    }

    /** The messages that the spouts of a worker completed since they started, and the sum of their latencies in milliseconds. */
    private record Completed(long messages, double latencyMs) {
    }
}
