package io.eyewall.elasticity.model;

import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A topology and where its executors are. Immutable.
 *
 * @param graph the topology
 * @param placement the slot of every executor that has one, Storm's own executors included; in the order of the executors
 */
public record PlacedTopology(TopologyGraph graph, SortedMap<ExecutorId, Slot> placement) {

    /**
     * Checks that every executor runs tasks of one component.
     *
     * @throws IllegalArgumentException if one does not
     */
    public PlacedTopology {
        placement.keySet().forEach(graph::componentOf);
        placement = Collections.unmodifiableSortedMap(new TreeMap<>(placement));
    }

    /** A topology and where its executors are, given in any order. */
    public static PlacedTopology of(TopologyGraph graph, Map<ExecutorId, Slot> placement) {
        return new PlacedTopology(graph, new TreeMap<>(placement));
    }

    /** How many executors each operator has, by its number in the graph. */
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
