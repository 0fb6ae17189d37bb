package io.eyewall.elasticity.plan;

import static io.eyewall.elasticity.plan.SnapshotBuilder.rates;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.eyewall.elasticity.measure.ClusterSnapshot;
import io.eyewall.elasticity.measure.Rates;
import io.eyewall.elasticity.model.ClusterState;
import io.eyewall.elasticity.model.ExecutorId;
import io.eyewall.elasticity.model.PlacedTopology;
import io.eyewall.elasticity.model.Slot;
import io.eyewall.elasticity.plan.ScalingGoal.Direction;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What every planner refuses, chooses and explains. {@link ScalingPlannerPropertyTest} has the properties of every plan. */
class ScalingPlannerContractTest {

    @ParameterizedTest
    @EnumSource
    void shouldRefuseAnUnknownTopology(ScalingStrategy strategy) {
        ScalingGoal goal = new ScalingGoal("nowhere", Direction.OUT, 1);

        assertRefused("No topology nowhere", strategy, cluster(), goal);
    }

    @ParameterizedTest
    @EnumSource
    void shouldRefuseWhenTooFewMachinesHaveAFreeSlot(ScalingStrategy strategy) {
        SnapshotBuilder builder = cluster().machine("full", 0, 1);

        assertRefused("only 1 other machine(s) have a free slot [spare]", strategy, builder, builder.goal(Direction.OUT, 2));
    }

    @ParameterizedTest
    @EnumSource
    void shouldRefuseWhenNoMachineWouldBeLeft(ScalingStrategy strategy) {
        SnapshotBuilder builder = cluster();

        assertRefused("it runs on 2 [m1, m2]", strategy, builder, builder.goal(Direction.IN, 2));
    }

    @ParameterizedTest
    @EnumSource
    void shouldRefuseWhenNothingHasBeenMeasured(ScalingStrategy strategy) {
        SnapshotBuilder builder = cluster().unmeasured(4);

        assertRefused("has not been measured yet", strategy, builder, builder.goal(Direction.OUT, 1));
    }

    @ParameterizedTest
    @EnumSource
    void shouldNoteWhenSomeExecutorsHaveNotBeenMeasured(ScalingStrategy strategy) throws ScalingRefusedException {
        SnapshotBuilder builder = cluster().unmeasured(1);

        ScalingPlan plan = plan(strategy, builder, builder.goal(Direction.OUT, 1));

        assertTrue(plan.notes().get(0).startsWith("1 of 4 executors have no recent measurement"), plan.notes().toString());
    }

    @ParameterizedTest
    @EnumSource
    void shouldRefuseWhenAnExecutorIsOnADeadMachine(ScalingStrategy strategy) {
        SnapshotBuilder builder = cluster().place(1, 4, new Slot("gone", 6700));

        assertRefused("on machine gone, which is not alive", strategy, builder, builder.goal(Direction.IN, 1));
    }

    @ParameterizedTest
    @EnumSource
    void shouldRefuseWhenNotAllTasksArePlaced(ScalingStrategy strategy) {
        PlacedTopology whole = cluster().topology();
        ClusterSnapshot snapshot = cluster().build();
        PlacedTopology part = PlacedTopology.of(whole.graph(), whole.placement().tailMap(new ExecutorId("t", 5, 5)));
        ClusterSnapshot partial = new ClusterSnapshot(
            new ClusterState(snapshot.state().machines(), List.of(part)), snapshot.rates());

        ScalingRefusedException refused = assertThrows(ScalingRefusedException.class,
            () -> ScalingPlanners.of(strategy, CongestionConfiguration.DEFAULT).plan(partial, new ScalingGoal("t", Direction.OUT, 1)));

        assertTrue(refused.getMessage().contains("Topology t: only 4 of the 8 tasks of component a have a slot"), refused.getMessage());
    }

    @ParameterizedTest
    @EnumSource
    void shouldRefuseWhenEveryOperatorFeedsAnother(ScalingStrategy strategy) {
        SnapshotBuilder builder = cluster().link("b", "a", 1);

        assertRefused("has no sink", strategy, withSource(builder), builder.goal(Direction.OUT, 1));
    }

    @ParameterizedTest
    @EnumSource
    void shouldRefuseWhenNoOperatorIsASource(ScalingStrategy strategy) {
        SnapshotBuilder builder = cluster().operator("c", 1, 1, Rates.ZERO).link("b", "a", 1).link("b", "c", 1);

        assertRefused("has no source", strategy, builder, builder.goal(Direction.OUT, 1));
    }

    @ParameterizedTest
    @EnumSource
    void shouldGrowToTheEmptiestMachineWhenThereIsAChoice(ScalingStrategy strategy) throws ScalingRefusedException {
        SnapshotBuilder neighbour = new SnapshotBuilder("neighbour").operator("x", 1, 1, rates(1, 1, 0)).host("spare", 1, 1);
        SnapshotBuilder builder = cluster().machine("zz-empty", 1, 1).machine("zz-empty-with-more-cores", 1, 2)
            .other(neighbour.topology(), neighbour.topologyRates());
        builder.machine("without-slots", 0, 64);

        ScalingPlan plan = plan(strategy, builder, builder.goal(Direction.OUT, 2));

        assertEquals(List.of("zz-empty-with-more-cores", "zz-empty"), plan.machines());
    }

    @ParameterizedTest
    @EnumSource
    void shouldExplainThePlan(ScalingStrategy strategy) throws ScalingRefusedException {
        SnapshotBuilder builder = cluster();

        ScalingPlan plan = plan(strategy, builder, builder.goal(Direction.OUT, 1));

        String text = plan.explain();
        assertTrue(text.startsWith("Scale t out by 1 machine, strategy " + strategy + ": spare"), text);
        for (ScalingPlan.OperatorScore operator : plan.operators()) {
            assertTrue(text.lines().anyMatch(line -> line.startsWith(operator.component().id() + " ")), text);
        }
        for (ScalingPlan.Choice choice : plan.choices()) {
            assertTrue(text.lines().anyMatch(line -> line.contains(choice.target()) && line.endsWith(choice.action())), text);
        }
        assertTrue(text.contains("throughput: 500.0 tuples/s measured"), text);
    }

    @Test
    void shouldListTheNamesWhenAStrategyIsUnknown() {
        IllegalArgumentException unknown = assertThrows(IllegalArgumentException.class, () -> ScalingStrategy.named("best"));

        assertTrue(unknown.getMessage().contains("etp, ds2, spout-distance"), unknown.getMessage());
        assertEquals(ScalingStrategy.LEAST_LINK_LOAD, ScalingStrategy.named("least-link-load"));
    }

    /** a -> b with two executors each, on two machines, and a third machine to grow to; b is congested. */
    private static SnapshotBuilder cluster() {
        return new SnapshotBuilder("t")
            .operator("a", 2, 8, rates(1_000, 1_000, 1_000))
            .operator("b", 2, 8, rates(1_000, 500, 0))
            .link("a", "b", 1_000)
            .host("m1", 1, 2)
            .host("m2", 1, 2)
            .machine("spare", 1, 1);
    }

    private static SnapshotBuilder withSource(SnapshotBuilder builder) {
        return builder.operator("source", 1, 1, rates(1, 1, 1)).link("source", "a", 1);
    }

    private static ScalingPlan plan(ScalingStrategy strategy, SnapshotBuilder builder, ScalingGoal goal)
            throws ScalingRefusedException {
        return ScalingPlanners.of(strategy, CongestionConfiguration.DEFAULT).plan(builder.build(), goal);
    }

    private static void assertRefused(String reason, ScalingStrategy strategy, SnapshotBuilder builder, ScalingGoal goal) {
        ScalingRefusedException refused = assertThrows(ScalingRefusedException.class, () -> plan(strategy, builder, goal));
        assertTrue(refused.getMessage().contains(reason), refused.getMessage());
    }
}
