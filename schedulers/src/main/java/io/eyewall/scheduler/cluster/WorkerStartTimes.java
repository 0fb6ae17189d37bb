package io.eyewall.scheduler.cluster;

import io.eyewall.elasticity.model.Slot;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;

/** The start times of the workers in the cluster's slots, from their heartbeats. Not thread-safe. */
public final class WorkerStartTimes {

    /** Storm reports times in whole seconds: start times that differ by no more than this belong to the same start. */
    private static final long SAME_START_MS = 2_000;

    private final Map<Slot, Long> startMs = new HashMap<>();

    void record(Slot slot, long workerStartMs) {
        startMs.put(slot, workerStartMs);
    }

    /** Forgets all slots except these. */
    void retain(Collection<Slot> slots) {
        startMs.keySet().retainAll(new HashSet<>(slots));
    }

    /** A copy of the start times of these slots. */
    public Map<Slot, Long> of(Collection<Slot> slots) {
        Map<Slot, Long> some = new HashMap<>(startMs);
        some.keySet().retainAll(new HashSet<>(slots));
        return some;
    }

    /** The slots in {@code earlier} whose worker has restarted since, with the new start times. */
    public Map<Slot, Long> restarted(Map<Slot, Long> earlier) {
        Map<Slot, Long> restarted = new HashMap<>();
        earlier.forEach((slot, start) -> {
            Long now = startMs.get(slot);
            if (now != null && now - start > SAME_START_MS) {
                restarted.put(slot, now);
            }
        });
        return restarted;
    }
}
