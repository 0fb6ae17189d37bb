package io.eyewall.elasticity.henge;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.eyewall.elasticity.model.ExecutorId;
import io.eyewall.elasticity.model.Machine;
import io.eyewall.elasticity.model.Slot;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What the state machine does, with both goals. */
class HengePlannerContractTest {

    @ParameterizedTest
    @EnumSource
    void shouldDoNothingWhenAllMeetTheirSlo(Goal goal) {
        ScriptedCluster cluster = new ScriptedCluster(goal).topology("a", 1, 9).busy("a", "bolt0", 0.95);

        assertEquals("1 of 1 topologies meet their SLO", cluster.awaitEnd().text());
    }

    @ParameterizedTest
    @EnumSource
    void shouldLeaveATopologyAloneWhenItsFiguresAreMissing(Goal goal) {
        ScriptedCluster cluster = new ScriptedCluster(goal).topology("a", 1, 20).topology("b", 1, 20)
            .busy("a", "bolt0", 0.95).busy("b", "bolt0", 0.95);
        cluster.latencyMs.remove("a");
        cluster.unmeasured.put("b", 1);

        assertEquals("0 of 2 topologies meet their SLO; left alone, since figures are missing or old: a, b", cluster.awaitEnd().text());
    }

    @ParameterizedTest
    @EnumSource
    void shouldSearchAgainWhenMissingFiguresBecomeKnown(Goal goal) {
        ScriptedCluster cluster = new ScriptedCluster(goal).topology("a", 1, 20).topology("b", 1, 9);
        cluster.latencyMs.remove("a");
        cluster.awaitEnd();
        cluster.latencyMs.put("a", 20.0);
        assertRestarts(cluster, "figures that were missing are known: a");
    }

    @ParameterizedTest
    @EnumSource
    void shouldNotEndTheSearchWhileAllFiguresAreMissing(Goal goal) {
        ScriptedCluster cluster = needy(goal);
        cluster.apply(cluster.awaitPlan());
        for (int look = 0; !cluster.has(HengeEvent.Kind.KEPT, "") && look < 20; look++) {
            cluster.look(30_000);
        }
        Map<String, Double> latencies = Map.copyOf(cluster.latencyMs);
        cluster.latencyMs.clear();
        for (int look = 0; look < 20; look++) {
            cluster.look(30_000);
        }
        assertFalse(cluster.has(HengeEvent.Kind.CONVERGED, ""));
        cluster.latencyMs.putAll(latencies);

        cluster.awaitEnd();
    }

    @ParameterizedTest
    @EnumSource
    void shouldGiveExecutorsInProportionToCongestion(Goal goal) {
        ScriptedCluster cluster = new ScriptedCluster(goal).topology("a", 1, 20, 4)
            .busy("a", "bolt0", 0.9).busy("a", "bolt1", 0.4).busy("a", "output", 0.29);

        HengePlan plan = cluster.awaitPlan();

        // 4 * (0.4 / 0.3 - 1) is 1.3, and 4 * (0.9 / 0.3 - 1) is 8.
        assertEquals(Map.of("bolt0", 12, "bolt1", 6), plan.changes().get("a").executors());
        assertEquals("bolt0 4 -> 12 executors, congestion 0.90 -> 0.30, bolt1 4 -> 6 executors, congestion 0.40 -> 0.27"
            + " at the present input",
            plan.prediction());
        assertEquals(Action.RECONFIGURATION, plan.action());
    }

    @ParameterizedTest
    @EnumSource
    void shouldGiveNoMoreExecutorsAtOnceThanTenForEachTimeTheCongestionExceedsTheThreshold(Goal goal) {
        ScriptedCluster cluster = new ScriptedCluster(goal).topology("a", 1, 20, 12).busy("a", "bolt0", 0.6);

        assertEquals(Map.of("bolt0", 22), cluster.awaitPlan().changes().get("a").executors());
    }

    @ParameterizedTest
    @EnumSource
    void shouldGiveNoMoreExecutorsThanThereAreTasks(Goal goal) {
        ScriptedCluster cluster = new ScriptedCluster(goal).topology("a", 1, 20, 30).busy("a", "bolt0", 0.9);

        assertEquals(Map.of("bolt0", SimulatedTopology.TASKS), cluster.awaitPlan().changes().get("a").executors());
        cluster.topologies.get("a").on(List.of(ScriptedCluster.FIRST), SimulatedTopology.TASKS);
        ScriptedCluster full = new ScriptedCluster(goal).topology("a", 1, 20, SimulatedTopology.TASKS).busy("a", "bolt0", 0.9);
        assertTrue(full.awaitEnd().text().endsWith("a (no tasks for more executors of bolt0)"), full.lastEvent().text());
        ScriptedCluster busy =
            new ScriptedCluster(goal).topology("a", 1, 20, SimulatedTopology.TASKS).busy("a", "bolt0", 0.9).withoutRoom();
        assertTrue(busy.awaitEnd().text().endsWith("a (no tasks for more executors of bolt0; its machines are busy)"),
            busy.lastEvent().text());
    }

    @Test
    void shouldHelpTheHighestMaximumUtilityFirstWhenTheGoalIsTheTotal() {
        assertEquals(Set.of("dear"), threeNeedy(Goal.TOTAL).awaitPlan().changes().keySet());
    }

    @Test
    void shouldHelpTheLowestShareFirstWhenTheGoalIsTheMinimum() {
        assertEquals(Set.of("far"), threeNeedy(Goal.MINIMUM).awaitPlan().changes().keySet());
    }

    @ParameterizedTest
    @EnumSource
    void shouldHelpTheFarthestFirstWhenMaximumUtilitiesAreEqual(Goal goal) {
        ScriptedCluster cluster = new ScriptedCluster(goal).topology("near", 5, 12).topology("far", 5, 50)
            .busy("near", "bolt0", 0.9).busy("far", "bolt0", 0.9).withoutRoom();

        assertEquals(Set.of("far"), cluster.awaitPlan().changes().keySet());
    }

    @ParameterizedTest
    @EnumSource
    void shouldNotTakeFiguresOfAnEarlierLookForSettled(Goal goal) {
        ScriptedCluster cluster = needy(goal);
        HengePlan plan = cluster.awaitPlan();
        cluster.latencyMs.put("a", 5.0);
        cluster.held.add("a");
        cluster.apply(plan);
        for (long waitedMs = 0; waitedMs <= HengeConfiguration.DEFAULT.timeoutMs(); waitedMs += 30_000) {
            cluster.look(30_000);
            assertEquals(HengeEvent.Kind.APPLIED, cluster.lastEvent().kind());
        }
        cluster.look(30_000);

        assertEquals(HengeEvent.Kind.KEPT, cluster.lastEvent().kind(), "it is judged by the last known figures when the time is over");
    }

    @ParameterizedTest
    @EnumSource
    void shouldReturnTheSamePlanUntilItIsApplied(Goal goal) {
        ScriptedCluster cluster = needy(goal);
        HengePlan plan = cluster.awaitPlan();

        assertEquals(plan, cluster.look(10_000).plan().orElseThrow());
        cluster.apply(plan);
        assertTrue(cluster.look(10_000).plan().isEmpty());
        assertEquals(HengeEvent.Kind.APPLIED, cluster.lastEvent().kind());
    }

    @ParameterizedTest
    @EnumSource
    void shouldGiveUpAPlanWhenItIsNotAppliedInTime(Goal goal) {
        ScriptedCluster cluster = needy(goal);
        cluster.awaitPlan();

        HengeStep step = cluster.look(HengeConfiguration.DEFAULT.timeoutMs() + 1);

        assertTrue(step.plan().isEmpty());
        assertEquals(HengeEvent.Kind.ABORTED, cluster.lastEvent().kind());
        assertTrue(cluster.awaitEnd().text().endsWith("a (more executors did not help)"), cluster.lastEvent().text());
    }

    @ParameterizedTest
    @EnumSource
    void shouldNotJudgeBeforeTwoLooksShowTheSame(Goal goal) {
        ScriptedCluster cluster = needy(goal);
        cluster.apply(cluster.awaitPlan());
        cluster.look(1_000);
        cluster.look(HengeConfiguration.DEFAULT.settleMs() - 1);
        for (double latencyMs = 40; latencyMs > 15; latencyMs -= 10) {
            cluster.latencyMs.put("a", latencyMs);
            cluster.look(30_000);
            assertEquals(HengeEvent.Kind.APPLIED, cluster.lastEvent().kind(), "the latency still falls");
        }

        cluster.look(30_000);

        assertTrue(cluster.has(HengeEvent.Kind.KEPT, "utility of a 0.50 -> 0.50"), cluster.events.toString());
    }

    @ParameterizedTest
    @EnumSource
    void shouldJudgeAStepByWhatIsSeenAtTheEndWhenTheUtilityNeverRests(Goal goal) {
        ScriptedCluster cluster = new ScriptedCluster(goal).topology("a", 1, 100).busy("a", "bolt0", 0.5);
        cluster.apply(cluster.awaitPlan());
        cluster.look(1_000);
        for (long waitedMs = 0; waitedMs <= HengeConfiguration.DEFAULT.timeoutMs(); waitedMs += 30_000) {
            assertEquals(HengeEvent.Kind.APPLIED, cluster.lastEvent().kind(), cluster.events::toString);
            cluster.latencyMs.put("a", cluster.latencyMs.get("a") == 30.0 ? 40.0 : 30.0);
            cluster.look(30_000);
        }

        assertTrue(cluster.has(HengeEvent.Kind.KEPT, "utility of a 0.10 -> 0."), cluster.events.toString());
        assertFalse(cluster.has(HengeEvent.Kind.KEPT, "did not help"), cluster.events.toString());
    }

    @ParameterizedTest
    @EnumSource
    void shouldUndoAStepWhenItsFiguresStayAway(Goal goal) {
        ScriptedCluster cluster = needy(goal);
        cluster.apply(cluster.awaitPlan());
        cluster.look(1_000);
        cluster.latencyMs.remove("a");

        HengePlan undo = cluster.look(HengeConfiguration.DEFAULT.timeoutMs() + 1).plan().orElseThrow();

        assertEquals(Action.REVERSION, undo.action());
        cluster.apply(undo);
        assertEquals(2, cluster.executors("a", "bolt0"));
        assertTrue(cluster.has(HengeEvent.Kind.REJECTED, "figures are missing"));
        cluster.latencyMs.put("a", 20.0);
        assertTrue(cluster.awaitEnd().text().endsWith("a (more executors did not help)"), cluster.lastEvent().text());
    }

    @ParameterizedTest
    @EnumSource
    void shouldUndoTheAppliedPartWhenAPlanIsAppliedInPart(Goal goal) {
        ScriptedCluster cluster = reducible(goal).topology("donor2", 1, 5, 10);
        HengePlan plan = cluster.awaitPlan();
        assertEquals(Set.of("donor", "donor2"), plan.changes().keySet());
        cluster.topologies.get("donor").place(plan.changes().get("donor").placement());

        HengePlan undo = cluster.look(HengeConfiguration.DEFAULT.timeoutMs() + 1).plan().orElseThrow();

        assertEquals(Set.of("donor"), undo.changes().keySet());
        assertEquals(10, undo.changes().get("donor").executors().get("bolt0"));
    }

    @ParameterizedTest
    @EnumSource
    void shouldNotRepeatAnActionThatDidNotHelpAgainstTheSameDiagnosis(Goal goal) {
        ScriptedCluster cluster = needy(goal);
        cluster.apply(cluster.awaitPlan());

        assertTrue(cluster.awaitEnd().text().endsWith("a (more executors did not help)"), cluster.lastEvent().text());
        assertTrue(cluster.has(HengeEvent.Kind.KEPT, "did not help"));
    }

    @ParameterizedTest
    @EnumSource
    void shouldTryAgainWhenTheDiagnosisIsAnother(Goal goal) {
        ScriptedCluster cluster = needy(goal);
        cluster.apply(cluster.awaitPlan());
        cluster.busy("a", "bolt0", 0.1).busy("a", "output", 0.6);

        assertEquals(Set.of("output"), cluster.awaitPlan().changes().get("a").executors().keySet());
    }

    @ParameterizedTest
    @EnumSource
    void shouldPreferOthersWhenATopologyStopsImproving(Goal goal) {
        ScriptedCluster cluster = new ScriptedCluster(goal).topology("a", 5, 50).topology("b", 5, 20)
            .busy("a", "bolt0", 0.9).busy("b", "bolt0", 0.9).withoutRoom();
        HengePlan first = cluster.awaitPlan();
        assertEquals(Set.of("a"), first.changes().keySet());
        cluster.apply(first);
        // Less than 5 % better, and congested elsewhere now.
        cluster.latencyMs.put("a", 49.0);
        cluster.busy("a", "output", 0.9);

        HengePlan second = cluster.awaitPlan();
        assertEquals(Set.of("b"), second.changes().keySet());
        cluster.apply(second);
        assertEquals(Set.of("a"), cluster.awaitPlan().changes().keySet());
    }

    @ParameterizedTest
    @EnumSource
    void shouldGoBackToTheBestWhenUtilityFalls(Goal goal) {
        ScriptedCluster cluster = new ScriptedCluster(goal).topology("a", 5, 20).topology("b", 5, 9).busy("a", "bolt0", 0.9);
        cluster.apply(cluster.awaitPlan());
        assertEquals(6, cluster.executors("a", "bolt0"));
        cluster.latencyMs.put("b", 90.0);

        HengePlan reversion = cluster.awaitPlan();
        assertEquals(Action.REVERSION, reversion.action());
        cluster.apply(reversion);
        assertEquals(2, cluster.executors("a", "bolt0"));
        cluster.latencyMs.put("b", 9.0);

        assertTrue(cluster.awaitEnd().text().endsWith("a (more executors did not help)"), cluster.lastEvent().text());
        assertTrue(cluster.has(HengeEvent.Kind.REJECTED, "the best seen is"));
    }

    @ParameterizedTest
    @EnumSource
    void shouldGoBackByNumbersWhenASlotOfTheBestIsTaken(Goal goal) {
        ScriptedCluster cluster = new ScriptedCluster(goal).topology("a", 5, 20).topology("b", 5, 9).busy("a", "bolt0", 0.9);
        cluster.topologies.get("a").on(List.of(ScriptedCluster.FIRST, new Slot("m1", 6701)), 2);
        HengePlan plan = cluster.awaitPlan();
        TreeMap<ExecutorId, Slot> together = new TreeMap<>(plan.changes().get("a").placement());
        together.replaceAll((executor, slot) -> ScriptedCluster.FIRST);
        cluster.topologies.get("a").place(together);
        cluster.topologies.get("b").on(List.of(ScriptedCluster.SECOND, new Slot("m1", 6701)), 2);
        cluster.latencyMs.put("b", 90.0);

        HengePlan reversion = cluster.awaitPlan();

        assertEquals(Map.of("bolt0", 2), reversion.changes().get("a").executors());
        assertEquals(Set.of(ScriptedCluster.FIRST), Set.copyOf(reversion.changes().get("a").placement().values()));
    }

    @ParameterizedTest
    @EnumSource
    void shouldReduceWhenNothingElseHelpsAndMostMachinesAreBusy(Goal goal) {
        ScriptedCluster cluster = reducible(goal);

        HengePlan plan = cluster.awaitPlan();

        assertEquals(Action.REDUCTION, plan.action());
        // 10 executors at 0.1 are 4 at 0.25; the spout's busy time is unknown.
        assertEquals(Map.of("bolt0", 4, "bolt1", 4, "output", 4), plan.changes().get("donor").executors());
        assertEquals(Set.of("donor"), plan.changes().keySet());
    }

    @ParameterizedTest
    @EnumSource
    void shouldKeepAShareOfTheFirstExecutorsWhenItReduces(Goal goal) {
        ScriptedCluster cluster = reducible(goal).busy("donor", "bolt0", 0.0).busy("donor", "bolt1", 0.0);
        HengePlan first = cluster.awaitPlan();
        assertEquals(2, first.changes().get("donor").executors().get("bolt0"), "80 % of 10 are taken");
        cluster.apply(first);
        cluster.awaitEnd();
        cluster.inputPerSec.put("donor", 500.0);

        assertFalse(cluster.awaitPlan().changes().get("donor").executors().containsKey("bolt0"), "20 % of the first 10 are kept");
    }

    @ParameterizedTest
    @EnumSource
    void shouldNotReduceWhenMachinesAreIdle(Goal goal) {
        ScriptedCluster cluster = reducible(goal);
        // Too busy for another executor to move there.
        cluster.cpuLoad.put("m2", 0.84);

        cluster.awaitEnd();
    }

    @ParameterizedTest
    @EnumSource
    void shouldNotReduceATopologyThatGotExecutors(Goal goal) {
        ScriptedCluster cluster = new ScriptedCluster(goal).topology("a", 1, 20, 10).topology("b", 1, 20).busy("a", "bolt0", 0.9);
        cluster.cpuLoad.putAll(Map.of("m1", 0.95, "m2", 0.95));
        cluster.apply(cluster.awaitPlan());
        cluster.latencyMs.put("a", 5.0);
        cluster.busy("a", "bolt0", 0.05);

        assertTrue(cluster.awaitEnd().text().startsWith("1 of 2 topologies meet their SLO"), cluster.lastEvent().text());
    }

    @ParameterizedTest
    @EnumSource
    void shouldTryAgainToHelpWhenAReductionFreedMachines(Goal goal) {
        ScriptedCluster cluster = needy(goal).topology("donor", 1, 5, 10);
        cluster.cpuLoad.putAll(Map.of("m1", 0.95, "m2", 0.95));
        cluster.apply(cluster.awaitPlan());
        HengePlan reduction = cluster.awaitPlan();
        assertEquals(Action.REDUCTION, reduction.action());
        cluster.apply(reduction);

        assertEquals(Set.of("a"), cluster.awaitPlan().changes().keySet());
    }

    @ParameterizedTest
    @EnumSource
    void shouldUseTheLeastLoadedMachineAndStartAWorkerWhenItsOwnAreBusy(Goal goal) {
        ScriptedCluster cluster = needy(goal);
        cluster.cpuLoad.putAll(Map.of("m1", 0.95, "m2", 0.1));

        TopologyChange change = cluster.awaitPlan().changes().get("a");

        assertEquals(2, change.workers());
        assertTrue(change.placement().containsValue(ScriptedCluster.SECOND));
    }

    @ParameterizedTest
    @EnumSource
    void shouldStayOnItsMachinesWhenTheyAreNotBusy(Goal goal) {
        ScriptedCluster cluster = needy(goal);
        cluster.cpuLoad.putAll(Map.of("m1", 0.5, "m2", 0.1));

        assertEquals(1, cluster.awaitPlan().changes().get("a").workers());
    }

    @ParameterizedTest
    @EnumSource
    void shouldSearchAgainWhenSomethingChanges(Goal goal) {
        ScriptedCluster cluster = new ScriptedCluster(goal).topology("a", 5, 9);
        cluster.awaitEnd();
        cluster.topology("b", 1, 9);
        assertRestarts(cluster, "topologies changed: [b] came");
        cluster.machines.add(new Machine("m3", List.of(6700), 4));
        assertRestarts(cluster, "machines changed: [m3] came");
        cluster.inputPerSec.put("a", 150.0);
        assertRestarts(cluster, "the input of a changed from 100.0/s to 150.0/s");
        cluster.latencyMs.put("a", 20.0);
        assertRestarts(cluster, "the utility fell from");
        cluster.latencyMs.put("a", 9.0);
        cluster.topologies.remove("b");
        assertRestarts(cluster, "topologies changed: [b] left");
        cluster.topologies.put("a", SimulatedTopology.linear("a", ScriptedCluster.slo(7), 100, 1).on(List.of(ScriptedCluster.FIRST), 2));
        assertRestarts(cluster, "an SLO changed: a has mean latency at most 10 ms, worth 7 (knee)");
    }

    @ParameterizedTest
    @EnumSource
    void shouldNotSearchAgainWhenTheLoadChangesLittle(Goal goal) {
        ScriptedCluster cluster = needy(goal);
        cluster.apply(cluster.awaitPlan());
        cluster.awaitEnd();
        cluster.inputPerSec.put("a", 120.0);

        cluster.look(30_000);

        assertTrue(cluster.state.converged());
    }

    @ParameterizedTest
    @EnumSource
    void shouldNotJudgeAStepWhenTheLoadOfOthersChanges(Goal goal) {
        ScriptedCluster cluster = needy(goal).topology("b", 1, 9);
        cluster.apply(cluster.awaitPlan());
        cluster.look(1_000);
        cluster.inputPerSec.put("b", 300.0);
        cluster.look(70_000);
        cluster.look(30_000);

        assertTrue(cluster.has(HengeEvent.Kind.NOT_JUDGED, "the input of b changed"), cluster.events.toString());
        assertEquals(HengeEvent.Kind.RECONVERGENCE, cluster.lastEvent().kind());
    }

    @ParameterizedTest
    @EnumSource
    void shouldJudgeAStepWhenItChangesTheInputOfItsOwnTopology(Goal goal) {
        ScriptedCluster cluster = needy(goal).busy("a", "bolt0", 0.5);
        cluster.apply(cluster.awaitPlan());
        cluster.inputPerSec.put("a", 300.0);
        cluster.latencyMs.put("a", 9.0);

        assertEquals("1 of 1 topologies meet their SLO", cluster.awaitEnd().text());
        assertTrue(cluster.has(HengeEvent.Kind.KEPT, "utility of a 0.50 -> 1.00, all"), cluster.events.toString());
    }

    @ParameterizedTest
    @EnumSource
    void shouldDropAStepWhenAMachineFails(Goal goal) {
        ScriptedCluster cluster = needy(goal);
        cluster.awaitPlan();
        cluster.machines.remove(1);

        HengeStep step = cluster.look(10_000);

        assertTrue(step.plan().isEmpty());
        assertTrue(cluster.has(HengeEvent.Kind.NOT_JUDGED, "machines changed: [m2] left"));
    }

    private static void assertRestarts(ScriptedCluster cluster, String why) {
        cluster.look(30_000);
        assertEquals(HengeEvent.Kind.RECONVERGENCE, cluster.lastEvent().kind());
        assertTrue(cluster.lastEvent().text().startsWith(why), cluster.lastEvent().text());
        cluster.awaitEnd();
    }

    /** One topology, which has a congested operator and misses its SLO. */
    private static ScriptedCluster needy(Goal goal) {
        return new ScriptedCluster(goal).topology("a", 1, 20).busy("a", "bolt0", 0.9);
    }

    private static ScriptedCluster threeNeedy(Goal goal) {
        return new ScriptedCluster(goal).topology("dear", 10, 12).topology("far", 1, 50).topology("near", 1, 15)
            .busy("dear", "bolt0", 0.9).busy("far", "bolt0", 0.9).busy("near", "bolt0", 0.9).withoutRoom();
    }

    /** A topology that misses its SLO without a congested operator, and one that meets its own with few of its executors. */
    private static ScriptedCluster reducible(Goal goal) {
        ScriptedCluster cluster = new ScriptedCluster(goal).topology("a", 1, 20).topology("donor", 1, 5, 10);
        cluster.cpuLoad.putAll(Map.of("m1", 0.95, "m2", 0.95));
        return cluster;
    }
}
