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
    void shouldBeWhatIsMeasuredWhenNothingChanges() throws ScalingRefusedException {
        SnapshotBuilder figure = WorkedExample.snapshot();

        assertEquals(4_500, predict(figure, Map.of()), EXACTLY);
    }

    @Test
    void shouldNotPassTheNextBottleneckWhenAnExecutorIsAdded() throws ScalingRefusedException {
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

        ScalingPlan plan = ScalingStrategy.ETP.planner(CongestionConfiguration.DEFAULT)
            .plan(builder.build(), builder.request(Direction.IN, 1));

        // Two executors that are busy for 0.95 each on one core instead of two.
        assertEquals(1_000 / (2 * 0.95), plan.throughput().predictedPerSec(), EXACTLY);
    }

    @Test
    void shouldCountTheWorkOfOthersWhenTheyShareAMachine() throws ScalingRefusedException {
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

        ScalingPlan plan = ScalingStrategy.DS2.planner(CongestionConfiguration.DEFAULT)
            .plan(builder.build(), builder.request(Direction.OUT, 1));

        // Two new executors on m2 share its core with the neighbour's: each runs at a third of its speed.
        assertEquals(3, plan.executorCounts().get("a"));
        assertEquals(1_000 * (1 + 2 / 3.0), plan.throughput().predictedPerSec(), EXACTLY);
    }

    @Test
    void shouldSettleWhenACycleEmitsLessThanItGets() throws ScalingRefusedException {
        // Half of what the loop gets goes round again: 100 + 50 + 25 + ... = 200.
        SnapshotBuilder builder = loop(200, 100);

        assertArrayEquals(new double[] {100, 200, 100}, model(builder).demand(), 1e-3);
        assertEquals(100, predict(builder, Map.of()), 1e-3);
    }

    @Test
    void shouldRefuseItWhenACycleEmitsMoreThanItGets() {
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
    void shouldStayFiniteWhenWhatIsBusyHasFinishedNothing() throws ScalingRefusedException {
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

    /** The throughput with more executors of some operators on the first machine. */
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
