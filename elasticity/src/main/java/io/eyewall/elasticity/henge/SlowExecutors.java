package io.eyewall.elasticity.henge;

import io.eyewall.elasticity.measure.Rates;
import io.eyewall.elasticity.measure.TopologyRates;
import io.eyewall.elasticity.model.ExecutorId;
import io.eyewall.elasticity.model.PlacedTopology;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The executors that take much longer per tuple than the others of their operator: something on their machines slows them down, not their
 * load. The time per tuple is the busy time divided by the number of executed tuples.
 */
final class SlowExecutors {

    /** A slow executor takes at least this many times as long per tuple as the median of its operator. */
    private static final double SLOW = 3;
    /** An executor that is busy for less of its time holds nothing up, and Storm has measured few of its tuples. */
    private static final double MIN_BUSY = 0.1;

    private SlowExecutors() {
    }

    /** The slow executors of a topology among the executors that are measured and execute tuples, in their order. */
    static List<ExecutorId> of(PlacedTopology topology, TopologyRates rates) {
        SortedMap<String, SortedMap<ExecutorId, Double>> secsPerTuple = new TreeMap<>();
        topology.placement().keySet().forEach(executor -> {
            Rates measured = rates.executors().get(executor);
            if (measured != null && measured.executedPerSec() > 0 && measured.utilisation() > 0) {
                secsPerTuple.computeIfAbsent(topology.graph().componentOf(executor).id(), component -> new TreeMap<>())
                    .put(executor, measured.utilisation() / measured.executedPerSec());
            }
        });
        List<ExecutorId> slow = new ArrayList<>();
        secsPerTuple.values().forEach(executors -> {
            List<Double> ascending = executors.values().stream().sorted().toList();
            double median = ascending.get((ascending.size() - 1) / 2);
            executors.forEach((executor, secs) -> {
                if (secs >= SLOW * median && rates.executors().get(executor).utilisation() >= MIN_BUSY) {
                    slow.add(executor);
                }
            });
        });
        return slow;
    }
}
