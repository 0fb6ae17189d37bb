package io.eyewall.elasticity.plan;

import io.eyewall.elasticity.measure.ClusterSnapshot;
import io.eyewall.elasticity.measure.Rates;
import io.eyewall.elasticity.model.PlacedTopology;
import io.eyewall.elasticity.model.TopologyGraph;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * Predicts the throughput of a topology under another placement: what all sinks process together when queue lengths are stable again.
 * Tuples flow from the sources to the sinks. An operator processes its input up to its capacity, and emits in proportion to what it
 * processes, as measured. If back-pressure holds the sources back now, they emit as much as the tightest bottleneck lets through.
 *
 * <p>The capacity of an operator is the sum of its executors' true processing rates. The true rate is what an executor could process if its
 * queue were never empty (Kalavri et al., Three steps is all you need, OSDI 2018, section 3); here it is the number of tuples processed
 * divided by the time spent on them. If the executors of a machine need more cores than it has, they share them: on a machine with 2 cores
 * whose executors need 4, each runs at half speed. Executors whose busy time is unknown have no bound.
 *
 * <p>The prediction is scaled so that the model gives the measured throughput for the present placement.
 */
final class ThroughputModel {

    /** The rates in a cycle must converge within this many rounds; a loop that passes on 90 % of its input needs about 200. */
    private static final int MAX_ROUNDS = 1_000;
    private static final double CONVERGED = 1e-9;

    private final OperatorLoads measured;
    private final Map<String, Double> cores = new HashMap<>();
    /** The work of other topologies on each machine, in busy executors. */
    private final Map<String, Double> busyElsewhere = new HashMap<>();

    ThroughputModel(ClusterSnapshot snapshot, OperatorLoads measured) {
        this.measured = measured;
        snapshot.state().machines().forEach(machine -> cores.put(machine.id(), machine.cores()));
        for (PlacedTopology topology : snapshot.state().topologies()) {
            if (!topology.graph().id().equals(measured.graph.id())) {
                Map<String, Rates> rates = snapshot.rates().get(topology.graph().id()).operators();
                topology.placement().forEach((executor, slot) -> {
                    double busy = rates.getOrDefault(topology.graph().componentOf(executor).id(), Rates.ZERO).utilisation();
                    busyElsewhere.merge(slot.machine(), Double.isNaN(busy) ? 0 : busy, Double::sum);
                });
            }
        }
    }

    /**
     * Predicts the throughput under a new placement, in tuples per second.
     *
     * @param before the number of executors of each operator on each machine now
     * @param after the same under the new placement
     * @throws ScalingRefusedException if the topology has a cycle that amplifies its input
     */
    double predict(Map<String, int[]> before, Map<String, int[]> after) throws ScalingRefusedException {
        double[] perExecutor = new double[measured.graph.size()];
        double[] effectiveBefore = effectiveExecutors(before);
        for (int i = 0; i < perExecutor.length; i++) {
            perExecutor[i] = measured.trueRatePerExecutor(i) * measured.executors[i] / effectiveBefore[i];
        }
        double now = throughput(effectiveBefore, total(before), perExecutor);
        double then = throughput(effectiveExecutors(after), total(after), perExecutor);
        return now == 0 ? measured.throughputPerSec() : measured.throughputPerSec() * then / now;
    }

    /**
     * The input of every operator, in tuples per second, if no operator were a bottleneck and the sources kept their present rates: the
     * target rates of DS2 (section 3 of its paper).
     *
     * @throws ScalingRefusedException if the topology has a cycle that amplifies its input
     */
    double[] demand() throws ScalingRefusedException {
        return inputs(measured.inputPerSec, unbounded());
    }

    private double throughput(double[] effective, int[] executors, double[] perExecutor) throws ScalingRefusedException {
        int n = perExecutor.length;
        double[] capacity = new double[n];
        double[] sources = new double[n];
        for (int i = 0; i < n; i++) {
            capacity[i] = perExecutor[i] * effective[i];
            // A source that keeps up is assumed to emit in proportion to its executors.
            boolean keepsUp = Double.isInfinite(perExecutor[i]);
            sources[i] = measured.inputPerSec[i] * (keepsUp ? (double) executors[i] / measured.executors[i] : 1);
        }
        double[] inputs = inputs(sources, measured.isThrottled() ? unbounded() : capacity);
        double faster = 1;
        if (measured.isThrottled()) {
            double headroom = IntStream.range(0, n).filter(i -> inputs[i] > 0).mapToDouble(i -> capacity[i] / inputs[i]).min().orElse(1);
            // No bound is known if the busy operators have processed nothing yet.
            faster = Double.isInfinite(headroom) ? 1 : headroom;
        }
        double sum = 0;
        for (int i = 0; i < n; i++) {
            sum += measured.graph.isSink(i) ? Math.min(inputs[i] * faster, capacity[i]) : 0;
        }
        return sum;
    }

    /** The input of every operator, given the rates of the sources and the capacities of the operators. */
    private double[] inputs(double[] sources, double[] capacity) throws ScalingRefusedException {
        TopologyGraph graph = measured.graph;
        int n = graph.size();
        double[] inputs = new double[n];
        // Without cycles, one round in topological order is exact.
        int rounds = graph.isCyclic() ? MAX_ROUNDS : 1;
        for (int round = 0; round < rounds; round++) {
            double[] before = inputs.clone();
            for (int i = 0; i < n; i++) {
                double external = graph.isSource(i) ? sources[i] : 0;
                inputs[i] = external + incoming(i, inputs, capacity);
            }
            if (!graph.isCyclic() || hasConverged(before, inputs)) {
                return inputs;
            }
        }
        throw new ScalingRefusedException("Topology " + graph.id() + " has a cycle that emits at least as much as it receives, so its "
            + "rates have no bound: scale its components one by one with storm rebalance");
    }

    private double incoming(int operator, double[] inputs, double[] capacity) {
        double sum = 0;
        for (int link : measured.linksTo[operator]) {
            int from = measured.linkFrom[link];
            if (measured.executedPerSec[from] > 0) {
                double processed = Math.min(inputs[from], capacity[from]);
                sum += processed * (measured.linkPerSec[link] / measured.executedPerSec[from]);
            }
        }
        return sum;
    }

    private static boolean hasConverged(double[] before, double[] after) {
        for (int i = 0; i < after.length; i++) {
            if (!Double.isFinite(after[i]) || Math.abs(after[i] - before[i]) > CONVERGED * after[i]) {
                return false;
            }
        }
        return true;
    }

    /** The number of executors of each operator, each counted by the share of a core that it gets. */
    private double[] effectiveExecutors(Map<String, int[]> placement) {
        double[] effective = new double[measured.graph.size()];
        placement.forEach((machine, counts) -> {
            double busy = busyElsewhere.getOrDefault(machine, 0.0);
            for (int i = 0; i < counts.length; i++) {
                busy += counts[i] == 0 || Double.isNaN(measured.utilisation[i]) ? 0 : counts[i] * measured.utilisation[i];
            }
            double share = Math.min(1, cores.get(machine) / busy);
            for (int i = 0; i < counts.length; i++) {
                effective[i] += counts[i] * share;
            }
        });
        return effective;
    }

    private int[] total(Map<String, int[]> placement) {
        int[] total = new int[measured.graph.size()];
        placement.values().forEach(counts -> Arrays.setAll(total, i -> total[i] + counts[i]));
        return total;
    }

    private double[] unbounded() {
        double[] unbounded = new double[measured.graph.size()];
        Arrays.fill(unbounded, Double.POSITIVE_INFINITY);
        return unbounded;
    }
}
