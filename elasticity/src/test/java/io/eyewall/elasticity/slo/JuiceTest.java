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
import org.junit.jupiter.api.Test;

class JuiceTest {

    private static final double EXACTLY = 1e-9;

    private final Map<Link, Double> sent = new HashMap<>();
    private final Map<Link, Double> executed = new HashMap<>();

    @Test
    void shouldMultiplyAlongAChainWhenTuplesWait() {
        link("spout", "filter", 100, 80);
        link("filter", "sink", 40, 30);

        assertJuice(0.8 * 0.75);
        assertEquals(0.8, of("filter", "spout"), EXACTLY);
        assertEquals(1, of("spout", "spout"), EXACTLY);
    }

    @Test
    void shouldBeOneWhenAFilterDropsTuples() {
        link("spout", "filter", 100, 100);
        link("filter", "sink", 3, 3);

        assertJuice(1);
    }

    @Test
    void shouldBeOneWhenAFilterDropsEverything() {
        link("spout", "filter", 100, 100);
        link("filter", "one", 0, 0);
        link("filter", "other", 0, 0);

        assertJuice(1);
        assertEquals(0.5, of("one", "spout"), EXACTLY);
    }

    @Test
    void shouldDivideTheJuiceWhenAnOperatorSplitsItsTuples() {
        link("spout", "left", 30, 30);
        link("spout", "right", 70, 35);

        assertJuice(0.3 + 0.35);
    }

    @Test
    void shouldNotCountTuplesTwiceWhenTheyAreDuplicated() {
        link("spout", "left", 100, 100);
        link("spout", "right", 100, 100);

        assertJuice(1);
        assertEquals(0.5, of("left", "spout"), EXACTLY);
    }

    @Test
    void shouldAddTheBranchesWhenTheyAreJoined() {
        link("spout", "left", 100, 100);
        link("spout", "right", 100, 50);
        link("left", "join", 100, 100);
        link("right", "join", 5, 5);

        assertJuice(0.5 + 0.25);
        assertEquals(0.75, of("join", "spout"), EXACTLY);
    }

    @Test
    void shouldFallWhenTuplesAreLost() {
        link("spout", "sink", 1_000, 990);

        assertJuice(0.99);
    }

    @Test
    void shouldBeTheMeanOfTheSpoutsWhenThereAreSeveral() {
        link("spout a", "center", 1_000_000, 1_000_000);
        link("spout b", "center", 10, 5);
        link("center", "sink 1", 100, 100);
        link("center", "sink 2", 300, 300);

        assertJuice((1 + 0.5) / 2);
        assertEquals(0.25, of("sink 1", "spout a"), EXACTLY);
        assertEquals(0.375, of("sink 2", "spout b"), EXACTLY);
    }

    @Test
    void shouldCountCopiesAsSentTuples() {
        Link all = new Link("spout", "default", "sink", 4);
        sent.put(all, 400.0);
        executed.put(all, 300.0);

        assertJuice(0.75);
    }

    @Test
    void shouldExceedOneWhenAQueueEmpties() {
        link("spout", "sink", 100, 120);

        assertJuice(1.2);
    }

    @Test
    void shouldBeOneWhenTuplesGoRoundInACycle() {
        link("spout", "worker", 100, 100);
        link("worker", "retry", 25, 25);
        link("retry", "worker", 25, 25);
        link("worker", "sink", 100, 100);

        assertJuice(1);
        assertEquals(1.25, of("worker", "spout"), 1e-6);
    }

    @Test
    void shouldIgnoreWhatAnOperatorSendsToItself() {
        link("spout", "sink", 100, 90);
        link("sink", "sink", 50, 50);

        assertJuice(0.9);
    }

    @Test
    void shouldBeUnknownWhenThereIsNoSink() {
        link("spout", "a", 100, 100);
        link("a", "b", 100, 100);
        link("b", "a", 100, 100);

        Juice juice = juice();
        assertTrue(juice.ofTopology().isEmpty());
        assertTrue(juice.of(1, 0).isEmpty(), "what goes round in the cycle has no bound");
    }

    @Test
    void shouldBeOneWhenNothingHappens() {
        link("spout", "bolt", 0, 0);
        link("bolt", "sink", 0, 0);

        assertJuice(1);
    }

    private void link(String from, String to, double tuplesSent, double tuplesExecuted) {
        Link link = new Link(from, to, to, 1);
        sent.put(link, tuplesSent);
        executed.put(link, tuplesExecuted);
    }

    private void assertJuice(double expected) {
        assertEquals(expected, juice().ofTopology().orElseThrow(), EXACTLY);
    }

    private double of(String operator, String spout) {
        Juice juice = juice();
        TopologyGraph graph = graph();
        for (int i = 0; i < juice.spouts().length; i++) {
            if (juice.spouts()[i] == graph.indexOf(spout)) {
                return juice.of(graph.indexOf(operator), i).orElseThrow();
            }
        }
        throw new AssertionError(spout + " is no spout");
    }

    private Juice juice() {
        return new Juice(graph(), sent, executed);
    }

    private TopologyGraph graph() {
        List<Component> components = new ArrayList<>();
        sent.keySet().stream().flatMap(link -> List.of(link.from(), link.to()).stream()).distinct().sorted()
            .forEach(name -> components.add(new Component(name, components.size(), components.size())));
        return new TopologyGraph("t", components, List.copyOf(sent.keySet()));
    }
}
