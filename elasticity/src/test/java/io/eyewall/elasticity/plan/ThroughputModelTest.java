package io.eyewall.elasticity.plan;

import static io.eyewall.elasticity.plan.SnapshotBuilder.rates;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.eyewall.elasticity.model.Link;
import io.eyewall.elasticity.model.Slot;
import io.eyewall.elasticity.plan.ScalingGoal.Direction;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ThroughputModelTest {

    private static final double EXACTLY = 1e-6;

    @Test
    void shouldPredictTheMeasuredThroughputWhenNothingChanges() throws ScalingRefusedException {
        SnapshotBuilder figure = WorkedExample.snapshot();

        assertEquals(4_500, predict(figure, Map.of()), EXACTLY);
    }

    @Test
    void shouldStopAtTheNextBottleneckWhenAnExecutorIsAdded() throws ScalingRefusedException {
        SnapshotBuilder builder = new SnapshotBuilder("t")
            .operator("spout", 1, 1_000, 1_000, Double.NaN)
            .operator("a", 1, 1_000, 500, 1)
            .operator("b", 1, 500, 500, 0.8)
            .link("spout", "a", 1_000).link("a", "b", 500)
            .host("m1", 1, 100);

        // a could do 1,000; b can do 500 / 0.8.
        assertEquals(625, predict(builder, Map.of("a", 1)), EXACTLY);
        assertEquals(1_000, predict(builder, Map.of("a", 1, "b", 1)), EXACTLY);
    }

    @Test
    void shouldShareCoresWhenAMachineHasTooFew() throws ScalingRefusedException {
        SnapshotBuilder builder = new SnapshotBuilder("t")
            .operator("spout", 1, 1, rates(1_000, 1_000, 1_000))
            .operator("a", 2, 2, rates(1_000, 1_000, 0, 0.95))
            .link("spout", "a", 1_000)
            .host("m1", 1, 1).host("m2", 1, 1)
            .place(1, 1, new Slot("m1", 6700)).place(2, 2, new Slot("m1", 6700)).place(3, 3, new Slot("m2", 6700));

        ScalingPlan plan = ScalingPlanners.of(ScalingStrategy.ETP, CongestionConfiguration.DEFAULT)
            .plan(builder.build(), builder.goal(Direction.IN, 1));

        // Two executors, busy for 0.95 of the time each, share one core instead of two.
        assertEquals(1_000 / (2 * 0.95), plan.throughput().predictedPerSec(), EXACTLY);
    }

    @Test
    void shouldCountTheLoadOfOtherTopologiesOnTheMachine() throws ScalingRefusedException {
        SnapshotBuilder neighbour = new SnapshotBuilder("neighbour")
            .operator("x", 1, 1, rates(10, 10, 0, 1))
            .host("m2", 1, 1)
            .place(1, 1, new Slot("m2", 6710));
        SnapshotBuilder builder = new SnapshotBuilder("t")
            .operator("spout", 1, 1, rates(1_000, 1_000, 1_000))
            .operator("a", 1, 8, rates(1_000, 1_000, 0, 1))
            .link("spout", "a", 1_000)
            .host("m1", 1, 1).machine("m2", 1, 1)
            .other(neighbour.topology(), neighbour.topologyRates());

        ScalingPlan plan = ScalingPlanners.of(ScalingStrategy.DS2, CongestionConfiguration.DEFAULT)
            .plan(builder.build(), builder.goal(Direction.OUT, 1));

        // Two new executors share the core of m2 with the neighbour's executor: each runs at a third of its speed.
        assertEquals(3, plan.executorCounts().get("a"));
        assertEquals(1_000 * (1 + 2 / 3.0), plan.throughput().predictedPerSec(), EXACTLY);
    }

    @Test
    void shouldConvergeWhenACycleEmitsLessThanItReceives() throws ScalingRefusedException {
        // The loop emits half of its input to itself: 100 + 50 + 25 + ... = 200.
        SnapshotBuilder builder = loop(200, 100);

        assertArrayEquals(new double[] {100, 200, 100}, model(builder).demand(), 1e-3);
        assertEquals(100, predict(builder, Map.of()), 1e-3);
    }

    @Test
    void shouldRefuseWhenACycleEmitsMoreThanItReceives() {
        SnapshotBuilder builder = loop(200, 400);

        ScalingRefusedException refused = assertThrows(ScalingRefusedException.class, () -> model(builder).demand());

        assertTrue(refused.getMessage().contains("cycle"), refused.getMessage());
    }

    @Test
    void shouldPredictNothingWhenNothingFlows() throws ScalingRefusedException {
        SnapshotBuilder builder = new SnapshotBuilder("t").operator("spout", 1, 0, 0, Double.NaN).operator("a", 1, 0, 0, 0)
            .link("spout", "a", 0).host("m1", 1, 1);

        assertEquals(0, predict(builder, Map.of("a", 3)), EXACTLY);
    }

    @Test
    void shouldStayFiniteWhenABusyOperatorHasProcessedNothing() throws ScalingRefusedException {
        SnapshotBuilder builder = new SnapshotBuilder("t").operator("spout", 1, 0, 0, Double.NaN)
            .operator("a", 1, 0, 0, 1).operator("b", 1, 100, 100, 0.1).link("spout", "a", 0).link("spout", "b", 100)
            .host("m1", 1, 1);

        assertEquals(100, predict(builder, Map.of("a", 3)), EXACTLY);
    }

    private static SnapshotBuilder loop(double processedPerSec, double againPerSec) {
        return new SnapshotBuilder("t")
            .operator("spout", 1, 100, 100, Double.NaN)
            .operator("loop", 1, 100 + againPerSec, processedPerSec, 0.2)
            .operator("sink", 1, 100, 100, 0.1)
            .link("spout", "loop", 100)
            .link(new Link("loop", "again", "loop", 1), againPerSec)
            .link("loop", "sink", 100)
            .host("m1", 1, 100);
    }

    private static ThroughputModel model(SnapshotBuilder builder) {
        return new ThroughputModel(builder.build(), builder.loads(CongestionConfiguration.DEFAULT));
    }

    /** The predicted throughput with more executors of some operators on m1. */
    private static double predict(SnapshotBuilder builder, Map<String, Integer> more) throws ScalingRefusedException {
        PlacementDraft draft = new PlacementDraft(builder.topology());
        Map<String, int[]> before = draft.countsByMachine();
        more.forEach((operator, count) -> {
            for (int i = 0; i < count; i++) {
                draft.add(operator, "m1");
            }
        });
        return model(builder).predict(before, draft.countsByMachine());
    }
}
