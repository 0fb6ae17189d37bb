package io.eyewall.elasticity.plan;

import io.eyewall.elasticity.model.TopologyGraph;
import java.util.Arrays;

/**
 * The effective throughput percentage (ETP) of an operator: the share of the topology's throughput that benefits if this operator gets
 * faster (Xu's thesis, section 2.2.4, equation 2.1 and algorithm 2.1). It is the throughput of the sinks that the operator reaches through
 * operators that are not congested, divided by the throughput of all sinks. A sink reaches itself.
 *
 * <p>Algorithm 2.1 walks the graph once for every path and so counts a sink twice that two paths reach. Equation 2.1 counts each reached
 * sink once. This class follows the equation: the ETP never exceeds 1, and one operator takes O(operators + links).
 *
 * <p>Example: figure 2.2 of the thesis. Operator 3 reaches the sinks 7 and 8, which process 1,000 tuples per second each of 4,500 in total;
 * the sinks 9 and 10 are behind the congested operator 6. The ETP is 2,000 / 4,500 = 44 %.
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

    /** The ETP of one operator, from 0 to 1; 0 if the sinks process nothing. */
    double of(int operator, OperatorLoads loads, boolean[] congested) {
        double throughput = loads.throughputPerSec();
        return throughput == 0 ? 0 : reachedPerSec(operator, loads, congested) / throughput;
    }

    /** The ETP of every operator, by its index in the graph. */
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
