package io.eyewall.elasticity.plan;

import static io.eyewall.elasticity.plan.SnapshotBuilder.rates;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.eyewall.elasticity.model.ExecutorId;
import io.eyewall.elasticity.model.Slot;
import io.eyewall.elasticity.plan.ScalingGoal.Direction;
import java.util.Comparator;
import java.util.List;
import org.junit.jupiter.api.Test;

class StelaPlannerTest {

    private static final ScalingPlanner PLANNER = ScalingPlanners.of(ScalingStrategy.ETP, CongestionConfiguration.DEFAULT);

    @Test
    void shouldRankOperators3Then4Then6Then1WhenGivenFigure22() throws ScalingRefusedException {
        SnapshotBuilder figure = WorkedExample.snapshot();

        ScalingPlan plan = ScalingPlanners.of(ScalingStrategy.ETP, WorkedExample.CONFIGURATION)
            .plan(figure.build(), figure.goal(Direction.OUT, 1));

        List<String> order = plan.operators().stream()
            .filter(ScalingPlan.OperatorScore::congested)
            .sorted(Comparator.comparingDouble(operator -> -operator.score()))
            .map(operator -> operator.component().id())
            .toList();
        assertEquals(List.of("3", "4", "6", "1"), order);
        assertEquals("3", plan.choices().get(0).target());
        assertEquals(0.444, plan.choices().get(0).score(), 0.001);
        // 20 executors on 4 machines: 5 for the new one.
        assertEquals(5, plan.choices().size());
        assertEquals(List.of("m5"), plan.machines());
    }

    @Test
    void shouldProjectWhatEachExecutorDoesWhenChoosingTheNext() throws ScalingRefusedException {
        SnapshotBuilder figure = WorkedExample.snapshot();

        ScalingPlan plan = ScalingPlanners.of(ScalingStrategy.ETP, WorkedExample.CONFIGURATION)
            .plan(figure.build(), figure.goal(Direction.OUT, 1));

        // 3 and 4 both have 44 %; the input of 3 is 1.33 times what it processes, that of 4 only 1.25 times. Then 3 overloads 5 (an input
        // of 3,000, 2,000 processed), whose pressure is higher than that of 4, which is next. Now 4 keeps up and 1 reaches it: 3,000 of
        // 5,500. Then 1 overloads 2, which reaches 4.
        assertEquals(List.of("3", "5", "4", "1", "2"), targets(plan));
        assertEquals(List.of(2_000 / 4_500.0, 2_000 / 4_500.0, 2_000 / 4_500.0, 3_000 / 5_500.0, 3_000 / 5_500.0),
            plan.choices().stream().map(ScalingPlan.Choice::score).toList());
    }

    @Test
    void shouldGrowParallelBranchesTogetherWhenTheirEtpIsTheSame() throws ScalingRefusedException {
        SnapshotBuilder builder = new SnapshotBuilder("diamond")
            .operator("spout", 2, 12, rates(1_500, 1_500, 6_000))
            .operator("output", 2, 12, rates(1_900, 1_900, 0))
            .host("m1", 1, 1).host("m2", 1, 1).machine("new", 1, 1);
        for (String branch : List.of("bolt-1", "bolt-2", "bolt-3", "bolt-4")) {
            builder.operator(branch, 2, 12, rates(1_500, 475, 475)).link("spout", branch, 1_500).link(branch, "output", 475);
        }

        ScalingPlan plan = PLANNER.plan(builder.build(), builder.goal(Direction.OUT, 1));

        // With two larger branches the output is overloaded (2,375 of 1,900). With three executors it keeps up with all four branches.
        assertEquals(List.of("bolt-1", "bolt-2", "output", "bolt-3", "bolt-4", "bolt-1"), targets(plan));
    }

    @Test
    void shouldGiveExecutorsToSourcesWhenNothingIsCongested() throws ScalingRefusedException {
        SnapshotBuilder builder = line(1_000, 0.1).machine("new", 1, 1);

        ScalingPlan plan = PLANNER.plan(builder.build(), builder.goal(Direction.OUT, 1));

        assertEquals("spout", plan.choices().get(0).target());
        assertTrue(plan.choices().get(0).action().startsWith("nothing is congested"), plan.choices().get(0).action());
    }

    @Test
    void shouldRelieveTheBottleneckWhenBackPressureHidesCongestion() throws ScalingRefusedException {
        SnapshotBuilder builder = line(1_000, 0.98).machine("new", 1, 4);

        ScalingPlan plan = PLANNER.plan(builder.build(), builder.goal(Direction.OUT, 1));

        assertEquals(List.of("slow", "slow", "slow"), targets(plan));
        assertEquals(5, plan.executorCounts().get("slow"));
        // Five executors instead of two.
        assertEquals(2_500, plan.throughput().predictedPerSec(), 1e-6);
        assertTrue(plan.notes().get(0).contains("back-pressure"), plan.notes().toString());
    }

    @Test
    void shouldNoteThatTasksAreTheLimitWhenTheCongestedOperatorHasNoMore() throws ScalingRefusedException {
        SnapshotBuilder builder = new SnapshotBuilder("bound")
            .operator("spout", 1, 1, rates(1_000, 1_000, 1_000))
            .operator("slow", 2, 3, rates(1_000, 500, 0))
            .link("spout", "slow", 1_000)
            .host("m1", 1, 1)
            .machine("new", 1, 1);

        ScalingPlan plan = PLANNER.plan(builder.build(), builder.goal(Direction.OUT, 1));

        assertEquals(List.of("slow"), targets(plan));
        assertTrue(plan.notes().contains("no operator that needs executors has tasks for more: 1 of 3 are added"), plan.notes().toString());
        assertTrue(plan.notes().stream().anyMatch(note -> note.startsWith("slow cannot have more executors than its 3 task(s)")),
            plan.notes().toString());
    }

    @Test
    void shouldAddNothingAndNoteItWhenEveryCongestedOperatorHasAsManyExecutorsAsTasks() throws ScalingRefusedException {
        SnapshotBuilder builder = new SnapshotBuilder("bound")
            .operator("spout", 1, 1, rates(1_000, 1_000, 1_000))
            .operator("slow", 2, 2, rates(1_000, 500, 0))
            .link("spout", "slow", 1_000)
            .host("m1", 1, 1)
            .machine("new", 1, 1);

        ScalingPlan plan = PLANNER.plan(builder.build(), builder.goal(Direction.OUT, 1));

        assertTrue(plan.choices().isEmpty());
        assertTrue(plan.changed(builder.topology().placement()).isEmpty());
        assertEquals(plan.throughput().measuredPerSec(), plan.throughput().predictedPerSec());
        assertFalse(plan.notes().isEmpty());
    }

    @Test
    void shouldDistributeExecutorsRoundRobinWhenThereAreSeveralNewMachines() throws ScalingRefusedException {
        SnapshotBuilder builder = line(2_000, Double.NaN).machine("new1", 1, 1).machine("new2", 1, 1);

        ScalingPlan plan = PLANNER.plan(builder.build(), builder.goal(Direction.OUT, 2));

        long onFirst = plan.placement().values().stream().filter(slot -> slot.machine().equals("new1")).count();
        long onSecond = plan.placement().values().stream().filter(slot -> slot.machine().equals("new2")).count();
        assertEquals(6, plan.choices().size());
        assertEquals(3, onFirst);
        assertEquals(3, onSecond);
    }

    @Test
    void shouldLeaveTheMachineWithTheLowestEtpSumWhenShrinking() throws ScalingRefusedException {
        // a -> busy (congested) -> sink: the ETP of a is 0, that of the others 1. m2 has only executors of a.
        SnapshotBuilder builder = new SnapshotBuilder("in")
            .operator("a", 2, 2, rates(1_000, 1_000, 1_000))
            .operator("busy", 2, 2, rates(1_000, 500, 500))
            .operator("sink", 1, 1, rates(500, 500, 0))
            .link("a", "busy", 1_000).link("busy", "sink", 500)
            .host("m1", 1, 4).host("m2", 1, 4).host("m3", 1, 4)
            .place(1, 1, new Slot("m2", 6700)).place(2, 2, new Slot("m2", 6700))
            .place(3, 3, new Slot("m1", 6700)).place(4, 4, new Slot("m3", 6700)).place(5, 5, new Slot("m3", 6700));

        ScalingPlan plan = PLANNER.plan(builder.build(), builder.goal(Direction.IN, 1));

        assertEquals(List.of("m2"), plan.machines());
        assertEquals(0, plan.choices().get(0).score());
        // Round robin in increasing order of ETPSum: m1 has 1, m3 has 2.
        assertEquals("m1", plan.placement().get(new ExecutorId("in", 1, 1)).machine());
        assertEquals("m3", plan.placement().get(new ExecutorId("in", 2, 2)).machine());
        assertEquals(2, plan.changed(builder.topology().placement()).size());
    }

    @Test
    void shouldRecomputeEtpSumsWhenShrinkingByAnotherMachine() throws ScalingRefusedException {
        // ETP 1 each. m1 has one executor, m2 and m3 have two, m4 has three. m1's goes to m2, which then has three; m3 is next.
        SnapshotBuilder builder = new SnapshotBuilder("in")
            .operator("a", 8, 8, rates(100, 100, 0))
            .host("m1", 1, 4).host("m2", 1, 4).host("m3", 1, 4).host("m4", 1, 4);
        String[] machines = {"m1", "m2", "m2", "m3", "m3", "m4", "m4", "m4"};
        for (int task = 1; task <= machines.length; task++) {
            builder.place(task, task, new Slot(machines[task - 1], 6700));
        }

        ScalingPlan plan = PLANNER.plan(builder.build(), builder.goal(Direction.IN, 2));

        assertEquals(List.of("m1", "m3"), plan.machines());
        assertEquals(List.of(1.0, 2.0), plan.choices().stream().filter(choice -> choice.action().equals("leave the machine"))
            .map(ScalingPlan.Choice::score).toList());
    }

    @Test
    void shouldKeepTheBusierMachineWhenEtpSumsAreTheSame() throws ScalingRefusedException {
        // ETP 1 each; m1, whose id comes first, has the executor that is busy all the time.
        SnapshotBuilder builder = new SnapshotBuilder("in")
            .operator("busy", 1, 500, 500, 1.0)
            .operator("sink", 1, 500, 500, 0.1)
            .link("busy", "sink", 500)
            .host("m1", 1, 1).host("m2", 1, 1);

        ScalingPlan plan = PLANNER.plan(builder.build(), builder.goal(Direction.IN, 1));

        assertEquals(List.of(1.0, 1.0), plan.operators().stream().map(ScalingPlan.OperatorScore::score).toList());
        assertEquals(List.of("m2"), plan.machines());
    }

    /**
     * A source, an operator whose input is {@code inputPerSec} and that processes 1,000, and a sink; two executors each, on two machines.
     */
    private static SnapshotBuilder line(double inputPerSec, double busy) {
        return new SnapshotBuilder("line")
            .operator("spout", 2, inputPerSec, inputPerSec, Double.NaN)
            .operator("slow", 2, inputPerSec, 1_000, busy)
            .operator("sink", 2, 1_000, 1_000, 0.1)
            .link("spout", "slow", inputPerSec)
            .link("slow", "sink", 1_000)
            .host("m1", 1, Double.POSITIVE_INFINITY)
            .host("m2", 1, Double.POSITIVE_INFINITY);
    }

    private static List<String> targets(ScalingPlan plan) {
        return plan.choices().stream().map(ScalingPlan.Choice::target).toList();
    }
}
