package io.eyewall.elasticity.model;

import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A topology and the slots of its executors. Immutable.
 *
 * @param graph the shape of the topology
 * @param placement the slot of every executor that has one, including those of Storm's system components; sorted by executor
 */
public record PlacedTopology(TopologyGraph graph, SortedMap<ExecutorId, Slot> placement) {

    /**
     * Checks that every executor runs tasks of exactly one component.
     *
     * @throws IllegalArgumentException if one does not
     */
    public PlacedTopology {
        placement.keySet().forEach(graph::componentOf);
        placement = Collections.unmodifiableSortedMap(new TreeMap<>(placement));
    }

    /** Makes one from a placement in any order. */
    public static PlacedTopology of(TopologyGraph graph, Map<ExecutorId, Slot> placement) {
        return new PlacedTopology(graph, new TreeMap<>(placement));
    }

    /** The number of executors of each operator, indexed by {@link TopologyGraph#indexOf}. */
    public int[] executorCounts() {
        int[] counts = new int[graph.size()];
        for (ExecutorId executor : placement.keySet()) {
            int operator = graph.indexOf(graph.componentOf(executor).id());
            if (operator >= 0) {
                counts[operator]++;
            }
        }
        return counts;
    }
}
