package io.eyewall.elasticity.henge;

import io.eyewall.elasticity.measure.Rates;
import io.eyewall.elasticity.measure.TopologyRates;
import io.eyewall.elasticity.model.PlacedTopology;
import io.eyewall.elasticity.model.TopologyGraph;

/**
 * How congested the operators of a topology are: the share of the time that an operator's executors would be busy if they processed all of
 * their input. It is their utilisation, which Storm calls capacity, times the ratio of input to processing if that exceeds 1. Example:
 * executors that are busy for 0.9 of the time and process 100 of 200 tuples per second have a congestion of 1.8.
 *
 * <p>It is unknown (NaN) for spouts, which neither get nor lose executors.
 */
final class Congestion {

    final TopologyGraph graph;
    final int[] executors;
    private final double[] congestion;

    Congestion(PlacedTopology topology, TopologyRates rates) {
        graph = topology.graph();
        executors = topology.executorCounts();
        congestion = new double[graph.size()];
        for (int i = 0; i < congestion.length; i++) {
            congestion[i] = of(rates.operators().getOrDefault(graph.operators().get(i).id(), Rates.ZERO));
        }
    }

    private static double of(Rates rates) {
        boolean behind = rates.executedPerSec() > 0 && rates.inputPerSec() - rates.executedPerSec() > rates.resolutionPerSec();
        return rates.utilisation() * (behind ? rates.inputPerSec() / rates.executedPerSec() : 1);
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
     * How many more executors an operator needs to be no longer congested: in proportion to its congestion, at least 1, and at most as many
     * as it has or has tasks for. One that gets more than it can process may get more than it has if there is room: while it falls behind,
     * its queue grows, and the step looks as if it did harm. 0 if it is not congested or has no more tasks.
     */
    int needed(int operator, double threshold, boolean hasRoom) {
        if (!(congestion[operator] >= threshold)) {
            return 0;
        }
        int now = executors[operator];
        double most = hasRoom ? Math.max(now, Math.ceil(now * congestion[operator])) : now;
        int needed = (int) Math.max(1, Math.min(most, Math.ceil(now * (congestion[operator] / threshold - 1))));
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
