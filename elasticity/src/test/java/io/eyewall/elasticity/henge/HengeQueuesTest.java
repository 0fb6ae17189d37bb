package io.eyewall.elasticity.henge;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.eyewall.elasticity.slo.LatencyStatistic;
import io.eyewall.elasticity.slo.Slo;
import io.eyewall.elasticity.slo.SloMetric;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What the state machine does while the queues of topologies grow or shrink, with both goals. */
class HengeQueuesTest {

    @ParameterizedTest
    @EnumSource
    void shouldKeepAStepByWhatItsTopologyProcessesWhileThatWorksOnItsQueues(Goal goal) {
        ScriptedCluster cluster = new ScriptedCluster(goal).topology("a", 5, 50).busy("a", "bolt0", 1);
        cluster.apply(cluster.awaitPlan());
        cluster.latencyMs.put("a", 500.0);
        cluster.executedPerSec.put("a", 110.0);

        HengePlan more = cluster.awaitPlan();

        assertEquals(Action.RECONFIGURATION, more.action());
        assertEquals(Map.of("bolt0", 24), more.changes().get("a").executors());
        assertTrue(cluster.has(HengeEvent.Kind.KEPT, "utility of a 1.00 -> 0.10"), cluster.events.toString());
    }

    @ParameterizedTest
    @EnumSource
    void shouldNotRepeatAStepAfterWhichASaturatedTopologyProcessesNoMore(Goal goal) {
        ScriptedCluster cluster = new ScriptedCluster(goal).topology("a", 5, 50).busy("a", "bolt0", 1);
        cluster.apply(cluster.awaitPlan());
        cluster.latencyMs.put("a", 500.0);
        cluster.executedPerSec.put("a", 104.0);

        assertTrue(cluster.awaitEnd().text().endsWith("a (more executors did not help)"), cluster.lastEvent().text());
    }

    @ParameterizedTest
    @EnumSource
    void shouldNotUndoAStepBecauseTheQueuesOfAnotherTopologyGrow(Goal goal) {
        ScriptedCluster cluster = new ScriptedCluster(goal).topology("a", 9, 50).topology("b", 5, 20)
            .busy("a", "bolt0", 0.8).busy("b", "bolt0", 1).withoutRoom();
        HengePlan first = cluster.awaitPlan();
        assertEquals(Set.of("a"), first.changes().keySet());
        cluster.apply(first);
        cluster.latencyMs.putAll(Map.of("a", 9.0, "b", 900.0));
        cluster.busy("a", "bolt0", 0.2);

        HengePlan second = cluster.awaitPlan();

        assertEquals(Action.RECONFIGURATION, second.action());
        assertEquals(Set.of("b"), second.changes().keySet());
    }

    @ParameterizedTest
    @EnumSource
    void shouldUndoAStepThatTakesThroughputFromASaturatedTopology(Goal goal) {
        ScriptedCluster cluster = new ScriptedCluster(goal).topology("a", 9, 11).topology("b", 9, 12)
            .busy("a", "bolt0", 0.8).busy("b", "bolt0", 1);
        cluster.topologies.get("b").on(List.of(ScriptedCluster.SECOND), SimulatedTopology.TASKS);
        HengePlan first = cluster.awaitPlan();
        assertEquals(Set.of("a"), first.changes().keySet());
        cluster.apply(first);
        cluster.latencyMs.put("b", 900.0);
        cluster.executedPerSec.put("b", 90.0);

        assertEquals(Action.REVERSION, cluster.awaitPlan().action());
    }

    @ParameterizedTest
    @EnumSource
    void shouldLeaveATopologyAloneWhileItWorksOffItsQueues(Goal goal) {
        ScriptedCluster cluster = new ScriptedCluster(goal).topology("a", 5, 500).busy("a", "bolt0", 1);
        cluster.executedPerSec.put("a", 130.0);
        for (int look = 0; look < 20; look++) {
            assertTrue(cluster.look(30_000).plan().isEmpty(), cluster.events.toString());
            assertFalse(cluster.state.converged());
        }
        cluster.executedPerSec.remove("a");
        cluster.busy("a", "bolt0", 0.7);
        cluster.latencyMs.put("a", 9.0);

        assertEquals("1 of 1 topologies meet their SLO", cluster.awaitEnd().text());
    }

    @ParameterizedTest
    @EnumSource
    void shouldNotWaitUntilATopologyThatAStepHasHelpedHasWorkedOffItsQueues(Goal goal) {
        ScriptedCluster cluster = new ScriptedCluster(goal).topology("a", 5, 9_000).busy("a", "bolt0", 1).topology("b", 5, 20)
            .busy("b", "bolt0", 0.8).withoutRoom();
        cluster.apply(cluster.awaitPlan());
        cluster.executedPerSec.put("a", 130.0);
        for (int look = 0; look < 6 && !cluster.has(HengeEvent.Kind.KEPT, ""); look++) {
            cluster.latencyMs.compute("a", (id, latencyMs) -> latencyMs - 1_000);
            cluster.look(30_000);
        }

        assertTrue(cluster.has(HengeEvent.Kind.KEPT, "utility of a"), cluster.events.toString());
        assertFalse(cluster.has(HengeEvent.Kind.KEPT, "did not help"), cluster.events.toString());
        assertEquals(Set.of("b"), cluster.awaitPlan().changes().keySet());
    }

    @ParameterizedTest
    @EnumSource
    void shouldHelpTheNextTopologyAsSoonAsTheFirstOneEmptiesItsQueues(Goal goal) {
        ScriptedCluster cluster = oneAfterTheOther(goal);
        HengePlan first = cluster.awaitPlan();
        assertEquals(Set.of("a"), first.changes().keySet());
        cluster.applyAndAwaitEvent(first, HengeEvent.Kind.APPLIED);
        cluster.executedPerSec.put("a", 130.0);

        cluster.look(1_000);

        assertTrue(cluster.has(HengeEvent.Kind.KEPT, "utility of a"), cluster.events.toString());
        assertFalse(cluster.has(HengeEvent.Kind.KEPT, "did not help"), cluster.events.toString());
        HengePlan second = cluster.look(1_000).plan().orElseThrow();
        assertEquals(Set.of("b"), second.changes().keySet());
        cluster.apply(second);
        cluster.latencyMs.put("b", 9.0);
        cluster.busy("b", "bolt0", 0.2).busy("a", "bolt0", 0.7);
        Set<String> measuredAnew = Set.of();
        for (int look = 0; look < 10 && measuredAnew.isEmpty(); look++) {
            if (look == 3) { // More than the 6,000 tuples have left.
                cluster.executedPerSec.remove("a");
            }
            HengeStep step = cluster.look(30_000);
            assertTrue(step.plan().isEmpty(), "a is left alone until what waited has left: " + cluster.events);
            measuredAnew = step.measuredAnew();
            assertTrue(look >= 3 || measuredAnew.isEmpty(), "a is not measured before its queues are empty");
        }
        assertEquals(Set.of("a"), measuredAnew);
        cluster.latencyMs.put("a", 9.0);
        assertEquals("2 of 2 topologies meet their SLO", cluster.awaitEnd().text());
    }

    @ParameterizedTest
    @EnumSource
    void shouldNotKeepAStepSoonWhoseTopologyStillFallsBehind(Goal goal) {
        ScriptedCluster cluster = oneAfterTheOther(goal);
        cluster.applyAndAwaitEvent(cluster.awaitPlan(), HengeEvent.Kind.APPLIED);
        cluster.executedPerSec.put("a", 110.0);

        assertTrue(cluster.look(1_000).plan().isEmpty());

        assertEquals(HengeEvent.Kind.APPLIED, cluster.lastEvent().kind(), cluster.events.toString());
    }

    @ParameterizedTest
    @EnumSource
    void shouldNotJudgeAStepByTheTuplesThatWaitedBeforeIt(Goal goal) {
        // At a rate of 100 per second and a latency of 110 s, 11,000 tuples wait.
        ScriptedCluster cluster = new ScriptedCluster(goal).topology("a", 5, 110_000).busy("a", "bolt0", 0.8);
        cluster.applyAndAwaitEvent(cluster.awaitPlan(), HengeEvent.Kind.APPLIED);
        cluster.latencyMs.put("a", 200_000.0);
        cluster.executedPerSec.put("a", 102.0);
        for (int look = 0; look < 3; look++) {
            assertEquals(Set.of(), cluster.look(30_000).measuredAnew());
        }
        assertEquals(HengeEvent.Kind.APPLIED, cluster.lastEvent().kind(), "no verdict, although two looks showed the same");

        assertEquals(Set.of("a"), cluster.look(30_000).measuredAnew());
        cluster.latencyMs.put("a", 9.0);

        assertEquals("1 of 1 topologies meet their SLO", cluster.awaitEnd().text());
        assertTrue(cluster.has(HengeEvent.Kind.KEPT, "utility of a 0.00 -> 5.00"), cluster.events.toString());
    }

    @ParameterizedTest
    @EnumSource
    void shouldJudgeAStepByWhatIsProcessedWhenTheTuplesThatWaitedDoNotLeaveInTime(Goal goal) {
        ScriptedCluster cluster = new ScriptedCluster(goal).topology("a", 5, 900_000).busy("a", "bolt0", 0.8);
        cluster.applyAndAwaitEvent(cluster.awaitPlan(), HengeEvent.Kind.APPLIED);
        cluster.latencyMs.put("a", 1_200_000.0);
        long waitedMs = 0;
        while (cluster.lastEvent().kind() == HengeEvent.Kind.APPLIED) {
            assertEquals(Set.of(), cluster.look(30_000).measuredAnew());
            waitedMs += 30_000;
        }

        assertTrue(cluster.has(HengeEvent.Kind.KEPT, "did not help"), cluster.events.toString());
        assertFalse(cluster.has(HengeEvent.Kind.REJECTED, ""), cluster.events.toString());
        assertTrue(waitedMs > HengeConfiguration.DEFAULT.settleMs() && waitedMs <= HengeConfiguration.DEFAULT.timeoutMs(),
            "judged after " + waitedMs + " ms");
    }

    @Test
    void shouldNotWaitForTheTuplesOfATopologyThatTheStepDoesNotChange() {
        ScriptedCluster cluster = new ScriptedCluster(Goal.TOTAL).topology("a", 9, 50).topology("b", 5, 900_000)
            .busy("a", "bolt0", 0.8).busy("b", "bolt0", 0.8).withoutRoom();
        HengePlan plan = cluster.awaitPlan();
        assertEquals(Set.of("a"), plan.changes().keySet());
        cluster.apply(plan);
        cluster.latencyMs.putAll(Map.of("a", 9.0, "b", 950_000.0));
        cluster.busy("a", "bolt0", 0.2);
        for (int look = 0; look < 5; look++) {
            cluster.look(30_000);
        }

        assertTrue(cluster.has(HengeEvent.Kind.KEPT, "utility of a 1.80 -> 9.00"), cluster.events.toString());
    }

    @Test
    void shouldUndoAStepThatTakesJuiceFromATopologyWhoseQueuesGrow() {
        ScriptedCluster cluster = new ScriptedCluster(Goal.TOTAL).topology("a", 9, 11).topology("b", 9, 12)
            .busy("a", "bolt0", 0.8).busy("b", "bolt0", 1);
        SimulatedTopology b = SimulatedTopology.linear("b", Slo.of(Map.of(SloMetric.LATENCY_MS, 10.0, SloMetric.JUICE, 0.9),
            LatencyStatistic.MEAN, 9, "knee"), 100, 1);
        cluster.topologies.put("b", b.on(List.of(ScriptedCluster.SECOND), SimulatedTopology.TASKS));
        cluster.juice.put("b", 0.9);
        HengePlan first = cluster.awaitPlan();
        assertEquals(Set.of("a"), first.changes().keySet());
        cluster.apply(first);
        cluster.latencyMs.putAll(Map.of("a", 9.0, "b", 900.0));
        cluster.juice.put("b", 0.3);

        assertEquals(Action.REVERSION, cluster.awaitPlan().action());
    }

    @Test
    void shouldNotUndoAStepThatTakesFromOthersWhileItsTopologyEmptiesItsQueues() {
        ScriptedCluster cluster = new ScriptedCluster(Goal.TOTAL).topology("a", 9, 60_000).topology("b", 9, 9).busy("a", "bolt0", 0.8);
        cluster.applyAndAwaitEvent(cluster.awaitPlan(), HengeEvent.Kind.APPLIED);
        cluster.busy("a", "bolt0", 1);
        cluster.inputPerSec.put("a", 100.0);
        cluster.executedPerSec.put("a", 130.0);
        cluster.latencyMs.put("b", 90.0);
        for (int look = 0; look < 8; look++) {
            cluster.look(30_000);
            assertEquals(HengeEvent.Kind.APPLIED, cluster.lastEvent().kind(), cluster.events.toString());
        }
        cluster.busy("a", "bolt0", 0.3);
        cluster.executedPerSec.remove("a");
        cluster.latencyMs.putAll(Map.of("a", 9.0, "b", 9.0));

        assertEquals("2 of 2 topologies meet their SLO", cluster.awaitEnd().text());
    }

    @ParameterizedTest
    @EnumSource
    void shouldWaitUntilTheExecutorsThatATopologyHadBeforeHaveEmptiedTheirQueues(Goal goal) {
        // When the step was planned, most of what counted for the latency had come before the load rose: it seems that 170 tuples wait.
        ScriptedCluster cluster = new ScriptedCluster(goal).topology("a", 5, 1_700).busy("a", "bolt0", 0.63);
        cluster.applyAndAwaitEvent(cluster.awaitPlan(), HengeEvent.Kind.APPLIED);
        cluster.busy("a", "bolt0", 0.28); // One executor is always busy, the new ones hardly are.
        cluster.executedPerSec.put("a", 136.0);
        cluster.latencyMs.put("a", 9_500.0);
        for (int look = 0; cluster.lastEvent().kind() == HengeEvent.Kind.APPLIED; look++) {
            assertTrue(look < 10, cluster.events.toString());
            cluster.look(30_000);
        }
        assertFalse(cluster.has(HengeEvent.Kind.KEPT, "did not help"), cluster.events.toString());
        for (int look = 0; look < 2; look++) {
            HengeStep step = cluster.look(30_000);
            assertEquals(Set.of(), step.measuredAnew(), cluster.events.toString());
            assertEquals(Optional.empty(), step.plan());
        }
        cluster.executedPerSec.remove("a");

        assertEquals(Set.of("a"), cluster.look(30_000).measuredAnew());
        cluster.latencyMs.put("a", 9.0);

        assertEquals("1 of 1 topologies meet their SLO", cluster.awaitEnd().text());
        assertFalse(cluster.has(HengeEvent.Kind.PLANNED, "reversion"), cluster.events.toString());
    }

    @Test
    void shouldNotWaitForEverForOperatorsThatSeemToCatchUp() {
        // A custom grouping sends each tuple to two tasks.
        ScriptedCluster cluster = new ScriptedCluster(Goal.TOTAL).topology("a", 5, 1_700).busy("a", "bolt0", 0.63);
        cluster.executedPerSec.put("a", 200.0);
        cluster.applyAndAwaitEvent(cluster.awaitPlan(), HengeEvent.Kind.APPLIED);
        cluster.busy("a", "bolt0", 0.28);
        cluster.latencyMs.put("a", 9.0);

        assertEquals("1 of 1 topologies meet their SLO", cluster.awaitEnd().text());
    }

    @Test
    void shouldMeasureAnewTheTopologiesThatMissTheirSloSinceTheLoadChanged() {
        ScriptedCluster cluster = new ScriptedCluster(Goal.TOTAL).topology("a", 5, 9).topology("b", 5, 9).topology("c", 5, 9);
        cluster.awaitEnd();
        cluster.inputPerSec.put("a", 300.0);
        cluster.inputPerSec.put("b", 300.0);
        cluster.latencyMs.put("a", 500.0);

        HengeStep step = cluster.look(30_000);

        assertEquals(HengeEvent.Kind.RECONVERGENCE, cluster.lastEvent().kind(), cluster.events.toString());
        assertEquals(Set.of("a"), step.measuredAnew());
        assertEquals(Set.of("a"), cluster.busy("a", "bolt0", 0.8).awaitPlan().changes().keySet());
    }

    @Test
    void shouldCountAsWaitingWhatComesWhileOneTupleStays() {
        // Example of the documentation: 100 per second are half of the input, and stay for 20 s.
        Backlog backlog = new Backlog(4_000, 100);

        assertFalse(backlog.isWorkedOff(200, 19_999));
        assertTrue(backlog.isWorkedOff(200, 20_000));
    }

    @Test
    void shouldWaitForNewFiguresAfterWhatWaitedHasLeft() {
        ScriptedCluster cluster = new ScriptedCluster(Goal.TOTAL).topology("a", 5, 30_000).topology("b", 5, 30_000)
            .busy("a", "bolt0", 0.8);
        HengePlan plan = cluster.awaitPlan();
        assertEquals(Set.of("a"), plan.changes().keySet());
        cluster.applyAndAwaitEvent(plan, HengeEvent.Kind.APPLIED);

        assertEquals(Set.of("a"), cluster.look(30_000).measuredAnew(), "the step is not for b");
        cluster.unmeasured.put("a", 1);
        for (int look = 0; look < 5; look++) {
            assertEquals(Set.of(), cluster.look(30_000).measuredAnew());
            assertEquals(HengeEvent.Kind.APPLIED, cluster.lastEvent().kind(), cluster.events.toString());
        }
        cluster.unmeasured.remove("a");
        cluster.latencyMs.put("a", 9.0);

        assertTrue(cluster.awaitEnd().text().startsWith("1 of 2 topologies meet their SLO"), cluster.lastEvent().text());
        assertTrue(cluster.has(HengeEvent.Kind.KEPT, "utility of a 0.00 -> 5.00"), cluster.events.toString());
    }

    @Test
    void shouldMeasureAnewAgainWhileMoreLeavesThanWaited() {
        ScriptedCluster cluster = new ScriptedCluster(Goal.TOTAL).topology("a", 5, 30_000).busy("a", "bolt0", 0.8);
        cluster.applyAndAwaitEvent(cluster.awaitPlan(), HengeEvent.Kind.APPLIED);
        cluster.unmeasured.put("a", 1);
        assertEquals(Set.of(), cluster.look(30_000).measuredAnew(), "its new executors have not reported");
        cluster.unmeasured.remove("a");
        cluster.executedPerSec.put("a", 200.0);

        for (int look = 0; look < 2; look++) {
            assertEquals(Set.of("a"), cluster.look(10_000).measuredAnew());
            assertEquals(HengeEvent.Kind.APPLIED, cluster.lastEvent().kind(), cluster.events.toString());
        }
        cluster.executedPerSec.remove("a");
        assertEquals(Set.of("a"), cluster.look(10_000).measuredAnew());
        cluster.latencyMs.put("a", 9.0);
        assertEquals(Set.of(), cluster.look(10_000).measuredAnew());

        assertEquals("1 of 1 topologies meet their SLO", cluster.awaitEnd().text());
        assertTrue(cluster.has(HengeEvent.Kind.KEPT, "utility of a 0.00 -> 5.00"), cluster.events.toString());
    }

    @ParameterizedTest
    @EnumSource
    void shouldHelpTheNextTopologyAlthoughTheFirstOneHasMoreToWorkOffThanItSeems(Goal goal) {
        ScriptedCluster cluster = new ScriptedCluster(goal).topology("a", 5, 1_700).busy("a", "bolt0", 1).topology("b", 5, 20)
            .busy("b", "bolt0", 0.8).withoutRoom();
        cluster.applyAndAwaitEvent(cluster.awaitPlan(), HengeEvent.Kind.APPLIED);
        cluster.executedPerSec.put("a", 136.0);
        cluster.busy("a", "bolt0", 0.28); // After a hot rebalance the first executors have the queues.

        cluster.look(30_000);

        assertTrue(cluster.has(HengeEvent.Kind.KEPT, "utility of a"), cluster.events.toString());
        assertEquals(Set.of("b"), cluster.look(30_000).plan().orElseThrow().changes().keySet());
    }

    /** Two topologies that are helped in turns. At a rate of 100 per second and a latency of 60 s, 6,000 tuples wait in the first one. */
    private static ScriptedCluster oneAfterTheOther(Goal goal) {
        return new ScriptedCluster(goal).topology("a", 5, 60_000).busy("a", "bolt0", 1).topology("b", 5, 20).busy("b", "bolt0", 0.8)
            .withoutRoom();
    }
}
