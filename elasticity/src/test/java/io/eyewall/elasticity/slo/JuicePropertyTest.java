package io.eyewall.elasticity.slo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.eyewall.elasticity.model.Component;
import io.eyewall.elasticity.model.Link;
import io.eyewall.elasticity.model.TopologyGraph;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

/** Random topologies without cycles: several spouts and sinks, forks, joins, duplication, copies, filters, operators that multiply. */
class JuicePropertyTest {

    private static final double EXACTLY = 1e-9;

    @Property(tries = 500)
    void shouldBeOneWhenNothingWaitsAndNothingIsLost(@ForAll long seed, @ForAll @IntRange(min = 1, max = 12) int operators) {
        Flow flow = new Flow(seed, operators, false, 1);

        assertEquals(1, flow.juice().ofTopology().orElseThrow(), EXACTLY);
    }

    @Property(tries = 500)
    void shouldNotDependOnTheInputRate(@ForAll long seed, @ForAll @IntRange(min = 1, max = 12) int operators) {
        double slow = new Flow(seed, operators, true, 1).juice().ofTopology().orElseThrow();
        double fast = new Flow(seed, operators, true, 1_000).juice().ofTopology().orElseThrow();

        assertEquals(slow, fast, EXACTLY);
    }

    @Property(tries = 500)
    void shouldBeTheSumOverAllPathsWhenTuplesWaitOrAreLost(@ForAll long seed, @ForAll @IntRange(min = 1, max = 10) int operators) {
        Flow flow = new Flow(seed, operators, true, 1);

        double juice = flow.juice().ofTopology().orElseThrow();

        assertEquals(flow.overPaths(), juice, EXACTLY);
        assertTrue(juice >= 0 && juice <= 1 + EXACTLY, "juice " + juice);
    }

    @Property(tries = 500)
    void shouldFallWhenOneOperatorFallsBehind(@ForAll long seed, @ForAll @IntRange(min = 2, max = 12) int operators) {
        Flow flow = new Flow(seed, operators, false, 1);
        if (flow.links.isEmpty()) {
            return;
        }
        Link slow = flow.links.get(new Random(seed).nextInt(flow.links.size()));
        flow.executed.merge(slow, 0.5, (all, part) -> all * part);
        double juice = flow.juice().ofTopology().orElseThrow();

        // A link on which nothing is sent has nothing that can wait.
        assertEquals(flow.sent.get(slow) > 0, juice < 1 - EXACTLY, "juice " + juice);
    }

    /** What flows through a random topology in a window. */
    private static final class Flow {

        final Map<Link, Double> sent = new HashMap<>();
        final Map<Link, Double> executed = new HashMap<>();
        final List<Link> links = new ArrayList<>();
        private final TopologyGraph graph;

        Flow(long seed, int operators, boolean behind, double factor) {
            Random random = new Random(seed);
            double[] executedBy = new double[operators];
            List<Component> components = new ArrayList<>();
            for (int i = 0; i < operators; i++) {
                components.add(new Component("op%02d".formatted(i), i, i));
            }
            for (int to = 1; to < operators; to++) {
                for (int parents = random.nextInt(4); parents > 0; parents--) {
                    // Links with the same stream get the same tuples, those with different streams get different ones.
                    Link link = new Link("op%02d".formatted(random.nextInt(to)), "s" + random.nextInt(2), "op%02d".formatted(to),
                        random.nextInt(5) == 0 ? 3 : 1);
                    if (links.stream().noneMatch(other -> other.from().equals(link.from()) && other.stream().equals(link.stream())
                            && other.to().equals(link.to()))) {
                        links.add(link);
                    }
                }
            }
            graph = new TopologyGraph("random", components, links);
            for (int i = 0; i < operators; i++) {
                String name = "op%02d".formatted(i);
                double input = factor * (1 + random.nextInt(1_000));
                if (!graph.isSource(graph.indexOf(name))) {
                    for (Link link : links) {
                        if (link.to().equals(name)) {
                            executed.put(link, sent.get(link) * (behind ? random.nextDouble() : 1));
                            executedBy[i] += executed.get(link);
                        }
                    }
                    input = executedBy[i];
                }
                // Both streams pass on some of the input, multiply it, or pass on nothing.
                double[] selectivity = {random.nextInt(4) == 0 ? 0 : 2 * random.nextDouble(), random.nextDouble()};
                for (Link link : links) {
                    if (link.from().equals(name)) {
                        sent.put(link, input * selectivity[link.stream().charAt(1) - '0'] * link.copies());
                    }
                }
            }
        }

        Juice juice() {
            return new Juice(graph, sent, executed);
        }

        /** Follows every path from a spout to a sink on its own, and multiplies what is left after each link. */
        double overPaths() {
            double sum = 0;
            int spouts = 0;
            for (Component operator : graph.operators()) {
                if (graph.isSource(graph.indexOf(operator.id()))) {
                    spouts++;
                    sum += arriving(operator.id(), 1);
                }
            }
            return sum / spouts;
        }

        private double arriving(String operator, double left) {
            List<Link> outgoing = links.stream().filter(link -> link.from().equals(operator)).toList();
            if (outgoing.isEmpty()) {
                return left;
            }
            double all = outgoing.stream().mapToDouble(sent::get).sum();
            return outgoing.stream()
                .mapToDouble(link -> arriving(link.to(), left * (all == 0 ? 1.0 / outgoing.size() : executed.get(link) / all)))
                .sum();
        }
    }
}
