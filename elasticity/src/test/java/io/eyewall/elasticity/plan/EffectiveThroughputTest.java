package io.eyewall.elasticity.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class EffectiveThroughputTest {

    private static final double EXACTLY = 1e-12;

    @Test
    void shouldMatchTheThesisForFigure22() {
        OperatorLoads loads = WorkedExample.snapshot().loads(WorkedExample.CONFIGURATION);

        assertEquals(4_500, loads.throughputPerSec(), EXACTLY);
        assertEquals(2_000 / 4_500.0, etp(loads, "3"), EXACTLY);
        assertEquals(2_000 / 4_500.0, etp(loads, "4"), EXACTLY);
        assertEquals(500 / 4_500.0, etp(loads, "6"), EXACTLY);
        assertEquals(0, etp(loads, "1"), EXACTLY);
    }

    @Test
    void shouldCountASinkOnceWhenTwoPathsLeadToIt() {
        OperatorLoads loads = diamond(1_000).loads(CongestionConfiguration.DEFAULT);

        assertEquals(1, etp(loads, "spout"), EXACTLY);
    }

    @Test
    void shouldReachASinkWhenOneOfTwoPathsIsNotCongested() {
        OperatorLoads loads = diamond(2_000).loads(CongestionConfiguration.DEFAULT);

        assertEquals(1, etp(loads, "spout"), EXACTLY);
        assertEquals(1, etp(loads, "left"), EXACTLY, "an operator's own congestion does not matter");
    }

    @Test
    void shouldBeZeroWhenTheSinksProcessNothing() {
        OperatorLoads loads = new SnapshotBuilder("idle").operator("a", 1, 0, 0, 0).operator("b", 1, 0, 0, 0).link("a", "b", 0)
            .host("m1", 1, 1).loads(CongestionConfiguration.DEFAULT);

        assertEquals(0, etp(loads, "a"), EXACTLY);
    }

    @Test
    void shouldEndWhenOperatorsFormACycle() {
        OperatorLoads loads = new SnapshotBuilder("loop").operator("a", 1, 100, 100, 0.1).operator("b", 1, 200, 200, 0.1)
            .operator("c", 1, 100, 100, 0.1).operator("sink", 1, 100, 100, 0.1)
            .link("a", "b", 100).link("b", "c", 100).link("c", "b", 100).link("b", "sink", 100)
            .host("m1", 1, 1).loads(CongestionConfiguration.DEFAULT);

        assertEquals(1, etp(loads, "c"), EXACTLY);
    }

    private static SnapshotBuilder diamond(double leftInput) {
        return new SnapshotBuilder("diamond").operator("spout", 1, 2_000, 2_000, 0.1).operator("left", 1, leftInput, 1_000, 0.1)
            .operator("right", 1, 1_000, 1_000, 0.1).operator("sink", 1, 2_000, 2_000, 0.1)
            .link("spout", "left", leftInput).link("spout", "right", 1_000).link("left", "sink", 1_000).link("right", "sink", 1_000)
            .host("m1", 1, 1);
    }

    private static double etp(OperatorLoads loads, String operator) {
        return new EffectiveThroughput(loads.graph).of(loads.graph.indexOf(operator), loads, loads.congested());
    }
}
