package io.eyewall.elasticity.plan;

import java.util.Arrays;
import java.util.function.IntToDoubleFunction;

/**
 * How important an executor of each operator is, by one of the strategies that look at the shape of the topology or at the load of its
 * links (Xu's thesis, section 2.3.3). At least 0; a higher value is more important.
 */
@FunctionalInterface
interface ExecutorImportance {

    /** Prefers operators near a source, which delay everything downstream: 1 / (1 + links from the nearest source). */
    ExecutorImportance NEAR_SPOUT = loads -> nearness(loads.graph.distancesFromSources());

    /** Prefers operators near a sink, which affect the throughput most: 1 / (1 + links to the nearest sink). */
    ExecutorImportance NEAR_OUTPUT = loads -> nearness(loads.graph.distancesToSinks());

    /** The number of operators downstream of an operator. */
    ExecutorImportance DESCENDANTS = loads -> each(loads, operator -> loads.graph.descendantCount(operator));

    /** The number of children and parents of an operator. */
    ExecutorImportance CENTRALITY = loads -> each(loads,
        operator -> loads.graph.children(operator).length + loads.graph.parents(operator).length);

    /** The load of an executor's links: tuples per second in and out. */
    ExecutorImportance MOST_LINK_LOAD = loads -> each(loads, operator -> linkLoad(loads, operator));

    /** 1 / (1 + the load of an executor's links). */
    ExecutorImportance LEAST_LINK_LOAD = loads -> each(loads, operator -> 1 / (1 + linkLoad(loads, operator)));

    /** The importance of an executor of each operator, by the operator's index in the graph. */
    double[] of(OperatorLoads loads);

    private static double[] each(OperatorLoads loads, IntToDoubleFunction importance) {
        double[] all = new double[loads.graph.size()];
        Arrays.setAll(all, importance);
        return all;
    }

    private static double[] nearness(int[] distances) {
        return Arrays.stream(distances).mapToDouble(distance -> distance == Integer.MAX_VALUE ? 0 : 1.0 / (1 + distance)).toArray();
    }

    private static double linkLoad(OperatorLoads loads, int operator) {
        double sum = 0;
        for (int link = 0; link < loads.linkPerSec.length; link++) {
            sum += loads.linkFrom[link] == operator || loads.linkTo[link] == operator ? loads.linkPerSec[link] : 0;
        }
        return sum / loads.executors[operator];
    }
}
