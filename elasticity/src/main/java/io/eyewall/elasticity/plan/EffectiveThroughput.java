package io.eyewall.elasticity.plan;

import io.eyewall.elasticity.model.TopologyGraph;
import java.util.Arrays;

/**
 * The effective throughput percentage of an operator: the share of the topology's throughput that more speed of this operator could raise
 * (Xu's thesis, section 2.2.4, equation 2.1 and algorithm 2.1). It is the throughput of the sinks that the operator reaches through
 * operators that are not congested, divided by the throughput of all sinks. A sink reaches itself.
 *
 * <p>Algorithm 2.1 walks down the graph anew for every path, so that a sink that is reached by two paths is counted twice; equation 2.1
 * counts a sink that is reached by at least one. This class follows the equation: ETP never exceeds 1, and one operator takes O(operators
 * + links).
 *
 * <p>Example: figure 2.2 of the thesis. Operator 3 reaches sinks 7 and 8, with 1,000 tuples per second each, of 4,500 altogether; sinks 9
 * and 10 lie behind the congested operator 6. ETP is 2,000 / 4,500 = 44 %.
 */
final class EffectiveThroughput {

    private final TopologyGraph graph;
    private final int[] stack;
    private final boolean[] seen;

    EffectiveThroughput(TopologyGraph graph) {
        this.graph = graph;
        this.stack = new int[graph.size()];
        this.seen = new boolean[graph.size()];
    }

    /** The ETP of one operator, as a share of 1; 0 if nothing reaches any sink. */
    double of(int operator, OperatorLoads loads, boolean[] congested) {
        double throughput = loads.throughputPerSec();
        return throughput == 0 ? 0 : reachedPerSec(operator, loads, congested) / throughput;
    }

    /** The ETP of every operator. */
    double[] ofAll(OperatorLoads loads, boolean[] congested) {
        double[] shares = new double[graph.size()];
        Arrays.setAll(shares, operator -> of(operator, loads, congested));
        return shares;
    }

    private double reachedPerSec(int start, OperatorLoads loads, boolean[] congested) {
        Arrays.fill(seen, false);
        seen[start] = true;
        stack[0] = start;
        int depth = 1;
        double sum = 0;
        while (depth > 0) {
            int operator = stack[--depth];
            sum += graph.isSink(operator) ? loads.executedPerSec[operator] : 0;
            for (int child : graph.children(operator)) {
                if (!seen[child] && !congested[child]) {
                    seen[child] = true;
                    stack[depth++] = child;
                }
            }
        }
        return sum;
    }
}
