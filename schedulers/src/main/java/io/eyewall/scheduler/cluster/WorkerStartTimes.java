package io.eyewall.scheduler.cluster;

import io.eyewall.elasticity.model.Slot;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;

/** When the workers of the cluster's slots started, as their heartbeats say. For one thread. */
public final class WorkerStartTimes {

    /** Storm tells times in whole seconds: two starts that seem this close are one. */
    private static final long SAME_START_MS = 2_000;

    private final Map<Slot, Long> startMs = new HashMap<>();

    void record(Slot slot, long workerStartMs) {
        startMs.put(slot, workerStartMs);
    }

    /** Forgets all slots but these. */
    void retain(Collection<Slot> slots) {
        startMs.keySet().retainAll(new HashSet<>(slots));
    }

    /** The starts as they are now, of these slots. */
    public Map<Slot, Long> of(Collection<Slot> slots) {
        Map<Slot, Long> some = new HashMap<>(startMs);
        some.keySet().retainAll(new HashSet<>(slots));
        return some;
    }

    /** The slots whose worker is another than in {@code earlier}, with its start; slots that are not in {@code earlier} are left out. */
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
