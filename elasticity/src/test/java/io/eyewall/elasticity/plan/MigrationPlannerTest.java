package io.eyewall.elasticity.plan;

import static io.eyewall.elasticity.plan.SnapshotBuilder.rates;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.eyewall.elasticity.model.ExecutorId;
import io.eyewall.elasticity.model.Slot;
import io.eyewall.elasticity.plan.ScalingGoal.Direction;
import java.util.List;
import org.junit.jupiter.api.Test;

class MigrationPlannerTest {

    @Test
    void shouldMoveOperatorsNearASpoutBySpoutDistance() throws ScalingRefusedException {
        assertEquals(List.of("spout", "hub"), moved(ScalingStrategy.SPOUT_DISTANCE));
    }

    @Test
    void shouldMoveOperatorsNearASinkByOutputDistance() throws ScalingRefusedException {
        // Both sinks have distance 0; out1 comes first by its index in the graph.
        assertEquals(List.of("out1", "out2"), moved(ScalingStrategy.OUTPUT_DISTANCE));
    }

    @Test
    void shouldMoveOperatorsWithTheMostDescendantsByDescendants() throws ScalingRefusedException {
        assertEquals(List.of("spout", "hub"), moved(ScalingStrategy.DESCENDANTS));
    }

    @Test
    void shouldMoveOperatorsWithTheMostNeighboursByCentrality() throws ScalingRefusedException {
        // hub has 3; filter, with 2, comes next.
        assertEquals(List.of("hub", "filter"), moved(ScalingStrategy.CENTRALITY));
    }

    @Test
    void shouldStartWithTheLeastLoadAndJoinNeighboursByLeastLinkLoad() throws ScalingRefusedException {
        // out2 has 10 tuples per second. filter, its only neighbour, goes with it although it has more than out1.
        assertEquals(List.of("out2", "filter"), moved(ScalingStrategy.LEAST_LINK_LOAD));
    }

    @Test
    void shouldStartWithTheMostLoadAndJoinNeighboursByMostLinkLoad() throws ScalingRefusedException {
        assertEquals(List.of("hub", "filter"), moved(ScalingStrategy.MOST_LINK_LOAD));
    }

    @Test
    void shouldTakeExecutorsFromTheFullestMachineWhenItHasAChoice() throws ScalingRefusedException {
        SnapshotBuilder builder = new SnapshotBuilder("t")
            .operator("a", 4, 4, rates(100, 100, 0))
            .host("m1", 1, 1).host("m2", 1, 1)
            .place(1, 1, new Slot("m1", 6700)).place(2, 2, new Slot("m2", 6700))
            .place(3, 3, new Slot("m2", 6700)).place(4, 4, new Slot("m2", 6700))
            .machine("new", 1, 1);

        ScalingPlan plan = ScalingPlanners.of(ScalingStrategy.CENTRALITY, CongestionConfiguration.DEFAULT)
            .plan(builder.build(), builder.goal(Direction.OUT, 1));

        assertEquals(new Slot("new", 6700), plan.placement().get(new ExecutorId("t", 2, 2)));
        assertEquals(1, plan.changed(builder.topology().placement()).size());
    }

    @Test
    void shouldPredictMoreThroughputWhenMovesRelieveMachinesWithTooFewCores() throws ScalingRefusedException {
        // Six executors, busy all the time, on two machines with one core each; two of them move to a third.
        SnapshotBuilder builder = new SnapshotBuilder("t")
            .operator("spout", 1, 1, rates(600, 600, 600))
            .operator("slow", 6, 6, rates(600, 600, 0, 1))
            .link("spout", "slow", 600)
            .host("m1", 1, 1).host("m2", 1, 1).machine("m3", 1, 1);

        ScalingPlan plan = ScalingPlanners.of(ScalingStrategy.CENTRALITY, CongestionConfiguration.DEFAULT)
            .plan(builder.build(), builder.goal(Direction.OUT, 1));

        assertEquals(600 * 3 / 2.0, plan.throughput().predictedPerSec(), 1e-6);
        assertTrue(plan.executorCounts().get("slow") == 6);
    }

    /** The first two moves in the topology spout -> hub -> {out1, filter}, filter -> out2, with one executor each. */
    private static List<String> moved(ScalingStrategy strategy) throws ScalingRefusedException {
        SnapshotBuilder builder = new SnapshotBuilder("t")
            .operator("spout", 1, 1, rates(1_000, 1_000, 1_000))
            .operator("hub", 1, 1, rates(1_000, 1_000, 1_100))
            .operator("out1", 1, 1, rates(50, 50, 0))
            .operator("filter", 1, 1, rates(1_050, 1_050, 10))
            .operator("out2", 1, 1, rates(10, 10, 0))
            .link("spout", "hub", 1_000).link("hub", "out1", 50).link("hub", "filter", 1_050).link("filter", "out2", 10)
            .host("m1", 1, 1).machine("new", 1, 1);
        ScalingPlan plan = ScalingPlanners.of(strategy, CongestionConfiguration.DEFAULT)
            .plan(builder.build(), builder.goal(Direction.OUT, 1));
        // Three of five executors move (half, rounded); the first two show the order.
        assertEquals(3, plan.choices().size());
        return plan.choices().stream().limit(2).map(ScalingPlan.Choice::target).toList();
    }
}
