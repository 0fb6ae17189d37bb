package io.eyewall.integration.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class InterleavingTest {

    private static final List<Side> SIDES = List.of(Side.of('A', Side.Installation.UPSTREAM), Side.of('B', Side.Installation.EYEWALL));

    @Test
    void shouldAlternateWhoGoesFirst() throws Exception {
        List<String> order = new ArrayList<>();
        List<String> heard = new ArrayList<>();
        TopologyRuns runs = (scenario, side, round) -> {
            order.add(side.letter() + "" + round);
            return BenchResults.run(side.letter() == 'A' ? round : 10 * round, 1000, 1);
        };
        Interleaving interleaving =
            new Interleaving(SIDES, 3, runs, (scenario, side, round, result) -> heard.add(side.letter() + "" + round));

        Comparison comparison = interleaving.compare(Scenario.all().get(0));

        assertEquals(List.of("A1", "B1", "B2", "A2", "A3", "B3"), order);
        assertEquals(order, heard);
        assertEquals(List.of(List.of(1.0, 2.0, 3.0), List.of(10.0, 20.0, 30.0)), throughputs(comparison));
    }

    @Test
    void shouldGoAroundAllSidesAndBeginWithTheNextOne() throws Exception {
        List<Side> sides = List.of(SIDES.get(0), SIDES.get(1), Side.of('C', Side.Installation.EYEWALL));
        StringBuilder order = new StringBuilder();
        TopologyRuns runs = (scenario, side, round) -> {
            order.append(side.letter());
            return BenchResults.run(side.letter() == 'C' ? 3 : 1, 1000, 1);
        };

        Comparison comparison = new Interleaving(sides, 3, runs, (scenario, side, round, result) -> { }).compare(Scenario.all().get(0));

        assertEquals("ABC" + "BCA" + "CAB", order.toString());
        assertEquals(List.of(List.of(1.0, 1.0, 1.0), List.of(1.0, 1.0, 1.0), List.of(3.0, 3.0, 3.0)), throughputs(comparison));
    }

    private static List<List<Double>> throughputs(Comparison comparison) {
        return comparison.runs().stream().map(side -> side.stream().map(RunFigure.THROUGHPUT::of).toList()).toList();
    }
}
