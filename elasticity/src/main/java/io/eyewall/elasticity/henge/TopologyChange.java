package io.eyewall.elasticity.henge;

import io.eyewall.elasticity.model.ExecutorId;
import io.eyewall.elasticity.model.PlacedTopology;
import io.eyewall.elasticity.model.Slot;
import io.eyewall.elasticity.model.TopologyGraph;
import java.util.Collections;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The change of one topology. Immutable.
 *
 * @param executors the new number of executors of each component for which it changes
 * @param placement the slot of every executor after the change
 * @param techniques the techniques that are on after the change
 */
public record TopologyChange(SortedMap<String, Integer> executors, SortedMap<ExecutorId, Slot> placement, Set<Technique> techniques) {

    /** Copies the maps. */
    public TopologyChange {
        executors = Collections.unmodifiableSortedMap(new TreeMap<>(executors));
        placement = Collections.unmodifiableSortedMap(new TreeMap<>(placement));
        techniques = Collections.unmodifiableSortedSet(new TreeSet<>(techniques));
    }

    /** The number of workers after the change. */
    public int workers() {
        return new HashSet<>(placement.values()).size();
    }

    /**
     * Whether a topology has the executors of this change. Their slots may differ, since Storm moves executors away from dead machines,
     * unless the change is one of slots alone. Says nothing of the techniques.
     */
    public boolean isAppliedTo(PlacedTopology topology) {
        return executors.isEmpty() ? topology.placement().equals(placement) : topology.placement().keySet().equals(placement.keySet());
    }

    /**
     * The change from one placement to another.
     *
     * @param techniques the techniques that are on after it
     */
    static TopologyChange between(PlacedTopology before, SortedMap<ExecutorId, Slot> after, Set<Technique> techniques) {
        Map<String, Integer> counts = counts(before.graph(), before.placement());
        SortedMap<String, Integer> changed = counts(before.graph(), after);
        changed.entrySet().removeIf(entry -> entry.getValue().equals(counts.get(entry.getKey())));
        return new TopologyChange(changed, after, techniques);
    }

    /** The number of executors of every component. */
    static SortedMap<String, Integer> counts(TopologyGraph graph, SortedMap<ExecutorId, Slot> placement) {
        SortedMap<String, Integer> counts = new TreeMap<>();
        placement.keySet().forEach(executor -> counts.merge(graph.componentOf(executor).id(), 1, Integer::sum));
        return counts;
    }
}
