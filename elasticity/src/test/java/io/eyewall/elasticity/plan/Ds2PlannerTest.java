package io.eyewall.elasticity.plan;

import static io.eyewall.elasticity.plan.SnapshotBuilder.rates;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.eyewall.elasticity.measure.Rates;
import io.eyewall.elasticity.model.Slot;
import io.eyewall.elasticity.plan.ScalingGoal.Direction;
import java.util.List;
import org.junit.jupiter.api.Test;

class Ds2PlannerTest {

    private static final ScalingPlanner PLANNER = ScalingPlanners.of(ScalingStrategy.DS2, CongestionConfiguration.DEFAULT);

    @Test
    void shouldGiveEachOperatorTheExecutorsThatItNeedsWhenTheDemandIsKnown() throws ScalingRefusedException {
        // The first operator is overloaded and passes on 400 of 1,000; at 1,000 the second would need 0.8 * 1,000 / 400 = 2 executors.
        SnapshotBuilder builder = line(rates(1_000, 400, 400), rates(400, 400, 0, 0.8)).machine("new", 4, 4);

        ScalingPlan plan = PLANNER.plan(builder.build(), builder.goal(Direction.OUT, 1));

        // 1,000 / 400 = 2.5, so 3; 1,000 / (400 / 0.8) = 2.
        assertEquals(3, plan.executorCounts().get("a"));
        assertEquals(2, plan.executorCounts().get("b"));
        assertEquals(1, plan.executorCounts().get("spout"));
        assertEquals(1_000, plan.throughput().predictedPerSec(), 1e-6);
    }

    @Test
    void shouldStopWhenEveryOperatorHasWhatItNeeds() throws ScalingRefusedException {
        SnapshotBuilder builder = line(rates(100, 100, 100, 0.5), rates(100, 100, 0, 0.2))
            .machine("new", 4, 4);

        ScalingPlan plan = PLANNER.plan(builder.build(), builder.goal(Direction.OUT, 1));

        assertTrue(plan.choices().isEmpty());
        assertEquals(List.of("no operator needs or can use more executors: 0 of 3 are added"), plan.notes());
    }

    @Test
    void shouldLevelTheLoadWhenBackPressureHidesTheTargetRate() throws ScalingRefusedException {
        SnapshotBuilder builder = line(rates(100, 100, 100, 1), rates(100, 100, 0, 0.6))
            .machine("new", 4, 4);

        ScalingPlan plan = PLANNER.plan(builder.build(), builder.goal(Direction.OUT, 1));

        // OperatorLoads 1 and 0.6; then 0.5 and 0.6; then 0.5 and 0.3; then 0.33 and 0.3.
        assertEquals(List.of("a", "b", "a"), plan.choices().stream().map(ScalingPlan.Choice::target).toList());
        assertEquals(300, plan.throughput().predictedPerSec(), 1e-6);
    }

    @Test
    void shouldAddNothingElsewhereWhenTheBottleneckCannotGrow() throws ScalingRefusedException {
        SnapshotBuilder builder = new SnapshotBuilder("bound")
            .operator("spout", 1, 1, rates(100, 100, 100))
            .operator("slow", 1, 1, rates(100, 100, 100, 1))
            .operator("fast", 1, 8, rates(100, 100, 0, 0.5))
            .link("spout", "slow", 100).link("slow", "fast", 100)
            .host("m1", 1, 1).machine("new", 1, 1);

        ScalingPlan plan = PLANNER.plan(builder.build(), builder.goal(Direction.OUT, 1));

        assertTrue(plan.choices().isEmpty());
        assertTrue(plan.notes().stream().anyMatch(note -> note.startsWith("slow cannot have more")), plan.notes().toString());
    }

    @Test
    void shouldDropExecutorsThatAreNotNeededWhenShrinking() throws ScalingRefusedException {
        // Each b is busy for 0.1 of the time, so one of the four would suffice. m2 is less needed than m1, where the spout is.
        SnapshotBuilder builder = new SnapshotBuilder("in")
            .operator("spout", 1, 1, rates(100, 100, 100))
            .operator("b", 4, 4, rates(100, 100, 0, 0.1))
            .link("spout", "b", 100)
            .host("m1", 1, 1).host("m2", 1, 1)
            .place(1, 1, new Slot("m1", 6700));
        for (int task = 2; task <= 5; task++) {
            builder.place(task, task, new Slot(task < 4 ? "m1" : "m2", 6700));
        }

        ScalingPlan plan = PLANNER.plan(builder.build(), builder.goal(Direction.IN, 1));

        assertEquals(List.of("m2"), plan.machines());
        assertEquals(2, plan.executorCounts().get("b"));
        assertEquals(3, plan.placement().size());
        assertEquals(plan.throughput().measuredPerSec(), plan.throughput().predictedPerSec(), 1e-6);
    }

    @Test
    void shouldKeepTheLastExecutorWhenAnOperatorIsIdle() throws ScalingRefusedException {
        SnapshotBuilder builder = new SnapshotBuilder("in")
            .operator("spout", 2, 2, rates(0, 0, 0))
            .operator("b", 3, 3, rates(0, 0, 0, 0))
            .link("spout", "b", 0)
            .host("m1", 1, 1).host("m2", 1, 1).host("m3", 1, 1);

        ScalingPlan plan = PLANNER.plan(builder.build(), builder.goal(Direction.IN, 2));

        assertEquals(1, plan.executorCounts().get("b"));
        assertEquals(2, plan.executorCounts().get("spout"));
    }

    /** A source and two operators, one executor each on one machine with cores enough. */
    private static SnapshotBuilder line(Rates a, Rates b) {
        return new SnapshotBuilder("line")
            .operator("spout", 1, 8, rates(a.inputPerSec(), a.inputPerSec(), a.inputPerSec()))
            .operator("a", 1, 8, a)
            .operator("b", 1, 8, b)
            .link("spout", "a", a.inputPerSec())
            .link("a", "b", b.inputPerSec())
            .host("m1", 1, 100);
    }
}
