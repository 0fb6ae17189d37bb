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
 * Predicts the throughput of a topology whose executors are placed in another way: the sum of what all sinks process once queues have
 * settled. Tuples flow from the sources down; an operator processes what it gets, up to its capacity, and emits in proportion, as measured.
 * If the sources are held back now, they bring in as much as the fullest operator lets through.
 *
 * <p>The capacity of an operator is the sum over its executors of their true processing rate: what an executor could process if it always
 * had something to do (Kalavri et al., Three steps is all you need, OSDI 2018, section 3), here what is processed divided by the time
 * spent on it. Executors that are busy for more than their machine's cores share those: a machine with 2 cores whose executors are busy for
 * 4 runs each at half its speed. Of executors whose busy time is not known nothing is taken to bound them.
 *
 * <p>The prediction is scaled so that the present placement gives the measured throughput.
 */
final class ThroughputModel {

    /** Rounds after which the rates in a cycle must have settled; a loop that passes on 90 % of what it gets needs about 200. */
    private static final int MAX_ROUNDS = 1_000;
    private static final double SETTLED = 1e-9;

    private final OperatorLoads measured;
    private final Map<String, Double> cores = new HashMap<>();
    /** How many executors' worth of other topologies' work each machine has. */
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
     * The throughput in tuples per second after executors have been placed anew.
     *
     * @param before how many executors of each operator are on each machine now
     * @param after how many are to be
     * @throws ScalingRefusedException if the topology has a cycle that amplifies what it gets
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
     * What every operator would get if none had a bound, tuples per second, at the sources' present rates: the target rates of DS2
     * (section 3 of its paper).
     *
     * @throws ScalingRefusedException if the topology has a cycle that amplifies what it gets
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
            // A source that gets no more than it processes is taken to bring in more as it gets more executors.
            boolean ownPace = Double.isInfinite(perExecutor[i]);
            sources[i] = measured.inputPerSec[i] * (ownPace ? (double) executors[i] / measured.executors[i] : 1);
        }
        double[] inputs = inputs(sources, measured.isThrottled() ? unbounded() : capacity);
        double faster = 1;
        if (measured.isThrottled()) {
            double slack = IntStream.range(0, n).filter(i -> inputs[i] > 0).mapToDouble(i -> capacity[i] / inputs[i]).min().orElse(1);
            // Without a bound when what is busy has finished nothing yet.
            faster = Double.isInfinite(slack) ? 1 : slack;
        }
        double sum = 0;
        for (int i = 0; i < n; i++) {
            sum += measured.graph.isSink(i) ? Math.min(inputs[i] * faster, capacity[i]) : 0;
        }
        return sum;
    }

    /** What every operator gets, given what the sources bring in and what each operator can process. */
    private double[] inputs(double[] sources, double[] capacity) throws ScalingRefusedException {
        TopologyGraph graph = measured.graph;
        int n = graph.size();
        double[] inputs = new double[n];
        // On a graph without cycles one round in the order of the operators is exact.
        int rounds = graph.isCyclic() ? MAX_ROUNDS : 1;
        for (int round = 0; round < rounds; round++) {
            double[] before = inputs.clone();
            for (int i = 0; i < n; i++) {
                double external = graph.isSource(i) ? sources[i] : 0;
                inputs[i] = external + incoming(i, inputs, capacity);
            }
            if (!graph.isCyclic() || hasSettled(before, inputs)) {
                return inputs;
            }
        }
        throw new ScalingRefusedException("Topology " + graph.id() + " has a cycle that emits as much as it gets or more, so that its "
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

    private static boolean hasSettled(double[] before, double[] after) {
        for (int i = 0; i < after.length; i++) {
            if (!Double.isFinite(after[i]) || Math.abs(after[i] - before[i]) > SETTLED * after[i]) {
                return false;
            }
        }
        return true;
    }

    /** For each operator, how many executors that have a core of their own its executors are worth. */
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
