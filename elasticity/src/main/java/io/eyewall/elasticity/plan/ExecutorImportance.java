package io.eyewall.elasticity.plan;

import java.util.Arrays;
import java.util.function.IntToDoubleFunction;

/**
 * How important an executor of each operator is, by strategies that look at the shape of the topology or the load of its links (Xu's
 * thesis, section 2.3.3). Never below 0; more is more important.
 */
@FunctionalInterface
interface ExecutorImportance {

    /** Operators near a source come first: one that is too slow holds up everything below it. 1 / (1 + links to the nearest source). */
    ExecutorImportance NEAR_SPOUT = loads -> nearness(loads.graph.distancesFromSources());

    /** Operators near a sink come first: they affect the throughput most. 1 / (1 + links to the nearest sink). */
    ExecutorImportance NEAR_OUTPUT = loads -> nearness(loads.graph.distancesToSinks());

    /** The number of an operator's children, children's children and so on. */
    ExecutorImportance DESCENDANTS = loads -> each(loads, operator -> loads.graph.descendantCount(operator));

    /** The number of an operator's children and parents. */
    ExecutorImportance CENTRALITY = loads -> each(loads,
        operator -> loads.graph.children(operator).length + loads.graph.parents(operator).length);

    /** The load of the links of an executor, tuples per second in and out. */
    ExecutorImportance MOST_LINK_LOAD = loads -> each(loads, operator -> linkLoad(loads, operator));

    /** 1 / (1 + the load of the links of an executor). */
    ExecutorImportance LEAST_LINK_LOAD = loads -> each(loads, operator -> 1 / (1 + linkLoad(loads, operator)));

    /** The importance of an executor of each operator, by the operator's number in the graph. */
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
