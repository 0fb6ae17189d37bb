package io.eyewall.elasticity;

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
     * Checks that every executor runs tasks of one component, and no task has two.
     *
     * @throws IllegalArgumentException if not
     */
    public PlacedTopology {
        ExecutorId before = null;
        for (ExecutorId executor : placement.keySet()) {
            graph.componentOf(executor);
            if (before != null && before.lastTask() >= executor.firstTask()) {
                throw new IllegalArgumentException("Executors " + before + " and " + executor + " have a task in common");
            }
            before = executor;
        }
        placement = Collections.unmodifiableSortedMap(new TreeMap<>(placement));
    }

    /** A topology and where its executors are, given in any order. */
    public static PlacedTopology of(TopologyGraph graph, Map<ExecutorId, Slot> placement) {
        return new PlacedTopology(graph, new TreeMap<>(placement));
    }

    /** How many executors each operator has, by its number in the graph. */
    int[] executorCounts() {
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
