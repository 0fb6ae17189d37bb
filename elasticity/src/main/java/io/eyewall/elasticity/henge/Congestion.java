package io.eyewall.elasticity.henge;

import io.eyewall.elasticity.measure.Rates;
import io.eyewall.elasticity.measure.TopologyRates;
import io.eyewall.elasticity.model.Link;
import io.eyewall.elasticity.model.PlacedTopology;
import io.eyewall.elasticity.model.TopologyGraph;
import java.util.Map;
import java.util.stream.Stream;

/**
 * How congested the operators of a topology are: the share of the time that an operator's executors would be busy if they processed all of
 * their input. It is their utilisation, which Storm calls capacity, times the ratio of input to processing if that exceeds 1. Example:
 * executors that are busy for 0.9 of the time and process 100 of 200 tuples per second have a congestion of 1.8.
 *
 * <p>It is unknown (NaN) for spouts, which neither get nor lose executors.
 */
final class Congestion {

    /** An operator gets at most this many executors at once for each time its congestion exceeds the threshold. */
    private static final int MAX_AT_ONCE = 10;

    final TopologyGraph graph;
    final int[] executors;
    private final double[] congestion;

    Congestion(PlacedTopology topology, TopologyRates rates) {
        this(topology, rates, false);
    }

    /**
     * The congestion of a topology.
     *
     * @param isWhole whether the input of an operator counts as if those before it processed all of theirs: if they process half of it now,
     *     twice as much will come. Operators that fall behind since cores are too few make those after them look congested, too.
     */
    Congestion(PlacedTopology topology, TopologyRates rates, boolean isWhole) {
        graph = topology.graph();
        executors = topology.executorCounts();
        congestion = new double[graph.size()];
        Rates[] operators = graph.operators().stream().map(operator -> rates.operators().getOrDefault(operator.id(), Rates.ZERO))
            .toArray(Rates[]::new);
        double[] growth = Stream.of(operators).mapToDouble(operator -> growth(operator, operator.inputPerSec())).toArray();
        if (isWhole && !graph.isCyclic()) {
            for (int links = 1; links < growth.length; links++) {
                propagate(operators, rates.linkLoads(), growth);
            }
        }
        for (int i = 0; i < congestion.length; i++) {
            congestion[i] = operators[i].utilisation() * growth[i];
        }
    }

    /** How many times what an operator processes it would process if it processed all of this input; 1 if it does or is not measured. */
    private static double growth(Rates rates, double inputPerSec) {
        boolean behind = rates.executedPerSec() > 0 && inputPerSec - rates.executedPerSec() > rates.resolutionPerSec();
        return behind ? inputPerSec / rates.executedPerSec() : 1;
    }

    /** Passes on by one link how much more operators would process. */
    private void propagate(Rates[] operators, Map<Link, Double> linkLoads, double[] growth) {
        double[] before = growth.clone();
        double[] inputPerSec = new double[growth.length];
        for (Link link : graph.links()) {
            inputPerSec[graph.indexOf(link.to())] += linkLoads.getOrDefault(link, 0.0) * before[graph.indexOf(link.from())];
        }
        for (int i = 0; i < growth.length; i++) {
            if (!graph.isSource(i)) {
                growth[i] = growth(operators[i], inputPerSec[i]);
            }
        }
    }

    /** The congestion of an operator, NaN if unknown. */
    double of(int operator) {
        return congestion[operator];
    }

    /** The congestion of an operator if it had another number of executors. */
    double with(int operator, int otherExecutors) {
        return congestion[operator] * executors[operator] / otherExecutors;
    }

    /**
     * How many more executors an operator needs to be no longer congested, all at once: in proportion to its congestion, at least 1, at
     * most as many as it has tasks for, and at most (congestion / threshold - 1) * 10, as the authors' code has it. Example: with a
     * threshold of 0.3, 4 executors with a congestion of 0.9 need 4 * (0.9 / 0.3 - 1) = 8 more, and 15 of them get 20 of the 30 that they
     * need. 0 if it is not congested or has no more tasks.
     */
    int needed(int operator, double threshold) {
        if (!(congestion[operator] >= threshold)) {
            return 0;
        }
        int now = executors[operator];
        double excess = congestion[operator] / threshold - 1;
        int needed = (int) Math.max(1, Math.ceil(Math.min(now, MAX_AT_ONCE) * excess));
        return Math.min(needed, graph.operators().get(operator).taskCount() - now);
    }

    /** How many executors an operator must keep so as not to become congested; all of them if its congestion is unknown. */
    int kept(int operator, double threshold) {
        if (Double.isNaN(congestion[operator])) {
            return executors[operator];
        }
        return (int) Math.max(1, Math.min(executors[operator], Math.ceil(executors[operator] * congestion[operator] / threshold)));
    }
}
