package io.eyewall.elasticity.slo;

import io.eyewall.elasticity.measure.TopologyRates;
import io.eyewall.elasticity.model.Link;
import io.eyewall.elasticity.model.TopologyGraph;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalDouble;
import java.util.stream.IntStream;

/**
 * Juice: the share of the source input that a topology processes in a window of time (Xu's thesis, section 3.3). It is 1 if nothing waits
 * and nothing is lost, whatever the input rate, the operators and the shape of the topology. Tuples that wait outside, in front of the
 * spouts, are not seen.
 *
 * <p>Equation 3.3: the juice of an operator o with regard to a spout s is the sum over its parents i of J_i^s * E_o^i / T_o^i. E_o^i is the
 * number of tuples from i that o executed: {@code executed} of the links from i to o. T_o^i is the number of tuples that i sent to all of
 * its children: {@code sent} of all links from i. A tuple that two operators receive is sent twice, so each of these carries half of its
 * parent's juice, and a join of the two carries all of it. The juice of a spout with regard to itself is 1. Equation 3.4: the juice of the
 * topology is the sum over all sinks and spouts, divided by the number of spouts.
 *
 * <p>If an operator sent nothing in the window, the fraction is 0 / 0. Then none of its tuples waits, so its juice is divided evenly among
 * its links. A fraction is above 1 while a queue empties; like the thesis, this class does not limit it.
 *
 * <p>Example: a spout sends 100 tuples to a filter, which executes 80 and sends 40 to a sink, which executes 30. The juice of the filter is
 * 0.8, that of the sink and of the topology 0.8 * 30 / 40 = 0.6.
 *
 * <p>An operator is no parent of its own: what it sends to itself is ignored. With cycles the equations are solved by iteration. Without
 * cycles this takes O(spouts * (operators + links)).
 */
public final class Juice {

    /** The juice in a cycle must converge within this many rounds; a loop that passes on 90 % of its input needs about 200. */
    private static final int MAX_ROUNDS = 1_000;
    private static final double CONVERGED = 1e-12;

    private final TopologyGraph graph;
    private final int[] spouts;
    /** For each operator the links that lead to it from other operators. */
    private final List<List<Path>> incoming = new ArrayList<>();
    /** By spout and operator; the row of a spout is null if the juice has no bound. */
    private final double[][] juice;

    /** The juice of a topology's measured rates. */
    public Juice(TopologyGraph graph, TopologyRates rates) {
        this(graph, rates.linkLoads(), rates.linkExecuted());
    }

    /**
     * The juice of a window.
     *
     * @param graph the shape of the topology
     * @param sent tuples sent on every link, in tuples or tuples per second
     * @param executed how many tuples of every link were executed, in the same unit
     */
    public Juice(TopologyGraph graph, Map<Link, Double> sent, Map<Link, Double> executed) {
        this.graph = graph;
        this.spouts = IntStream.range(0, graph.size()).filter(graph::isSource).toArray();
        double[] sentBy = new double[graph.size()];
        int[] linksOf = new int[graph.size()];
        List<Link> links = graph.links().stream().filter(link -> !link.from().equals(link.to())).toList();
        for (Link link : links) {
            int from = graph.indexOf(link.from());
            sentBy[from] += sent.getOrDefault(link, 0.0);
            linksOf[from]++;
        }
        IntStream.range(0, graph.size()).forEach(operator -> incoming.add(new ArrayList<>()));
        for (Link link : links) {
            int from = graph.indexOf(link.from());
            double fraction = sentBy[from] > 0 ? executed.getOrDefault(link, 0.0) / sentBy[from] : 1.0 / linksOf[from];
            incoming.get(graph.indexOf(link.to())).add(new Path(from, fraction));
        }
        juice = Arrays.stream(spouts).mapToObj(this::withRegardTo).toArray(double[][]::new);
    }

    /** The indexes of the spouts in the graph, ascending. */
    public int[] spouts() {
        return spouts.clone();
    }

    /**
     * The juice of an operator with regard to a spout (equation 3.3).
     *
     * @param operator the operator's index in the graph
     * @param spout the spout's position in {@link #spouts()}
     * @return empty if the juice has no bound, since the operators of a cycle send all that they execute back into it
     */
    public OptionalDouble of(int operator, int spout) {
        return juice[spout] == null ? OptionalDouble.empty() : OptionalDouble.of(juice[spout][operator]);
    }

    /** The juice of the topology (equation 3.4); empty if it has no spout or no sink, or if that of an operator has no bound. */
    public OptionalDouble ofTopology() {
        int[] sinks = IntStream.range(0, graph.size()).filter(graph::isSink).toArray();
        if (spouts.length == 0 || sinks.length == 0 || Arrays.stream(juice).anyMatch(Objects::isNull)) {
            return OptionalDouble.empty();
        }
        double sum = 0;
        for (double[] row : juice) {
            for (int sink : sinks) {
                sum += row[sink];
            }
        }
        return OptionalDouble.of(sum / spouts.length);
    }

    private double[] withRegardTo(int spout) {
        double[] row = new double[graph.size()];
        // Without cycles, one round in topological order is exact.
        for (int round = 0; round < MAX_ROUNDS; round++) {
            boolean converged = true;
            for (int operator = 0; operator < row.length; operator++) {
                double sum = operator == spout ? 1 : 0;
                for (Path path : incoming.get(operator)) {
                    sum += row[path.from] * path.fraction;
                }
                converged &= Math.abs(sum - row[operator]) <= CONVERGED * sum;
                row[operator] = sum;
            }
            if (!graph.isCyclic() || converged) {
                return row;
            }
        }
        return null;
    }

    /**
     * A link into an operator.
     *
     * @param from the index of the operator that sends
     * @param fraction E / T: the share of the sender's juice that the receiver gets
     */
    private record Path(int from, double fraction) {
    }
}
