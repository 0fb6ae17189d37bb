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
        assertEquals(new Spread(2, 1, 3), comparison.a(Measure.THROUGHPUT));
        assertEquals(new Spread(20, 10, 30), comparison.b(Measure.THROUGHPUT));
        assertEquals(new Spread(10, 10, 10), comparison.ratio(Measure.THROUGHPUT));
    }
}
