package io.eyewall.elasticity.henge;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.eyewall.elasticity.measure.Rates;
import io.eyewall.elasticity.model.ExecutorId;
import io.eyewall.elasticity.model.Slot;
import io.eyewall.elasticity.slo.LatencyStatistic;
import io.eyewall.elasticity.slo.Slo;
import io.eyewall.elasticity.slo.SloMetric;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Techniques that running workers switch. */
class HengeSwitchTest {

    private static final Set<Technique> TIMEOUT = Set.of(Technique.TIMEOUT);
    private static final Set<Technique> BALANCING = Set.of(Technique.BALANCING);

    @ParameterizedTest
    @EnumSource
    void shouldKeepTheAdaptiveTimeoutWhenItHelps(Goal goal) {
        ScriptedCluster cluster = late(new ScriptedCluster(goal));

        HengePlan plan = cluster.awaitPlan();

        assertEquals(Action.SWITCH, plan.action());
        assertEquals("a misses its SLO, no operator is congested, its machines are not busy and its p99 latency is too long",
            plan.diagnosis());
        TopologyChange change = plan.changes().get("a");
        assertEquals(TIMEOUT, change.techniques());
        assertEquals(cluster.topologies.get("a").placed.placement(), change.placement());
        assertEquals(Map.of(), change.executors());

        assertEquals(plan, cluster.look(10_000).plan().orElseThrow(), "the same plan until the workers have switched");
        cluster.apply(plan);
        cluster.latencyMs.put("a", 15.0);
        assertEquals(Set.of("a"), cluster.look(10_000).measuredAnew(), "no rebalance begins new windows");
        assertEquals("the workers have switched", cluster.lastEvent().text());
        cluster.applyAndAwaitEvent(plan, HengeEvent.Kind.KEPT);
        assertTrue(cluster.lastEvent().text().startsWith("utility of a 0.50 -> 0.67"), cluster.lastEvent().text());
        cluster.awaitEnd();
        assertEquals(Map.of("a", TIMEOUT), cluster.state.techniques());
    }

    @ParameterizedTest
    @EnumSource
    void shouldSwitchOffWhatDoesNotHelpAndNotTryItAgain(Goal goal) {
        ScriptedCluster cluster = late(new ScriptedCluster(goal));
        cluster.apply(cluster.awaitPlan());

        HengePlan back = cluster.awaitPlan();

        assertTrue(cluster.has(HengeEvent.Kind.REJECTED, "did not help, and is not repeated against this diagnosis"),
            cluster.events::toString);
        assertEquals(Action.REVERSION, back.action());
        assertEquals(Set.of(), back.changes().get("a").techniques());
        assertEquals(cluster.topologies.get("a").placed.placement(), back.changes().get("a").placement());
        cluster.applyAndAwaitEvent(back, HengeEvent.Kind.KEPT);
        cluster.awaitEnd();
        assertEquals(Map.of(), cluster.state.techniques());
    }

    @Test
    void shouldSwitchOffWhatDoesHarmWhereAGroupingCopiesTuples() {
        ScriptedCluster cluster = late(new ScriptedCluster(Goal.TOTAL));
        Slo slo = Slo.of(Map.of(SloMetric.LATENCY_MS, 300.0), LatencyStatistic.named("p99"), 1, "knee");
        cluster.topologies.put("a", SimulatedTopology.linear("a", slo, 100, 1)
            .on(List.copyOf(cluster.topologies.get("a").placed.placement().values()), 2));
        cluster.latencyMs.put("a", 700.0);
        cluster.executedPerSec.put("a", 200.0); // It seems to drain for ever.
        cluster.apply(cluster.awaitPlan());
        cluster.latencyMs.put("a", 3_000.0);

        assertEquals(Action.REVERSION, cluster.awaitPlan().action());

        assertTrue(cluster.has(HengeEvent.Kind.REJECTED, "utility of a 0.43 -> 0.10"), cluster.events::toString);
    }

    @ParameterizedTest
    @ValueSource(doubles = {20, 40})
    void shouldLeaveExecutorsWhereStormHasMovedThemWhenItSwitchesOff(double latencyMs) {
        ScriptedCluster cluster = late(new ScriptedCluster(Goal.TOTAL));
        cluster.apply(cluster.awaitPlan());
        cluster.look(10_000);
        cluster.topologies.get("a").on(List.of(ScriptedCluster.SECOND), 2);
        SortedMap<ExecutorId, Slot> moved = cluster.topologies.get("a").placed.placement();
        cluster.latencyMs.put("a", latencyMs);

        HengePlan back = cluster.awaitPlan();

        assertEquals(Action.REVERSION, back.action());
        assertEquals(moved, back.changes().get("a").placement());
        cluster.topologies.get("a").on(List.of(ScriptedCluster.FIRST), 2);
        assertTrue(cluster.look(10_000).plan().isPresent(), "the workers have not switched yet");
        cluster.techniques.clear();
        cluster.look(10_000);
        assertEquals("the workers have switched", cluster.lastEvent().text());
    }

    @Test
    void shouldSwitchOffWhatDoesHarm() {
        ScriptedCluster cluster = late(new ScriptedCluster(Goal.TOTAL));
        cluster.apply(cluster.awaitPlan());
        cluster.latencyMs.put("a", 40.0);

        HengePlan back = cluster.awaitPlan();

        assertTrue(cluster.has(HengeEvent.Kind.REJECTED, "utility of a 0.50 -> 0.25"), cluster.events::toString);
        assertEquals(Set.of(), back.changes().get("a").techniques());
        cluster.latencyMs.put("a", 20.0);
        cluster.applyAndAwaitEvent(back, HengeEvent.Kind.KEPT);
        cluster.awaitEnd();
    }

    @ParameterizedTest
    @EnumSource
    void shouldNotKeepTheTimeoutWhenLessCameMeanwhile(Goal goal) {
        ScriptedCluster cluster = late(new ScriptedCluster(goal));
        cluster.apply(cluster.awaitPlan());
        cluster.inputPerSec.put("a", 50.0);
        cluster.latencyMs.put("a", 15.0);

        HengePlan again = cluster.awaitPlan();

        assertTrue(cluster.has(HengeEvent.Kind.NOT_JUDGED, "the input of a changed from 100.0/s to 50.0/s"), cluster.events::toString);
        assertEquals(Action.SWITCH, again.action(), "it is judged at the new load");
        cluster.latencyMs.put("a", 10.0);
        cluster.applyAndAwaitEvent(again, HengeEvent.Kind.KEPT);
    }

    @ParameterizedTest
    @ValueSource(doubles = {20, 40})
    void shouldNotBlameTheTimeoutWhenMoreCameMeanwhile(double latencyMs) {
        ScriptedCluster cluster = late(new ScriptedCluster(Goal.TOTAL));
        cluster.apply(cluster.awaitPlan());
        cluster.inputPerSec.put("a", 150.0);
        cluster.latencyMs.put("a", latencyMs);

        assertEquals(HengeEvent.Kind.CONVERGED, cluster.awaitEnd().kind()); // It may be what is sent again, so it is not tried again.

        assertTrue(cluster.has(HengeEvent.Kind.NOT_JUDGED, "the input of a changed from 100.0/s to 150.0/s"), cluster.events::toString);
        assertEquals(Map.of(), cluster.state.techniques());
    }

    @Test
    void shouldKeepTheTimeoutThatHelpsAlthoughMoreCame() {
        ScriptedCluster cluster = late(new ScriptedCluster(Goal.TOTAL));
        HengePlan plan = cluster.awaitPlan();
        cluster.inputPerSec.put("a", 150.0);
        cluster.latencyMs.put("a", 15.0);

        cluster.applyAndAwaitEvent(plan, HengeEvent.Kind.KEPT);
    }

    @Test
    void shouldSwitchOffWhatCouldNotBeJudgedSinceAnotherTopologyCame() {
        ScriptedCluster cluster = late(new ScriptedCluster(Goal.TOTAL));
        cluster.apply(cluster.awaitPlan());
        assertEquals(Map.of("a", TIMEOUT), cluster.state.techniques());
        cluster.topology("b", 1, 5);

        cluster.look(10_000);

        assertTrue(cluster.has(HengeEvent.Kind.NOT_JUDGED, ""), cluster.events::toString);
        assertEquals(Map.of(), cluster.state.techniques());
    }

    @Test
    void shouldSwitchOffWhatWorkersDoNotSwitchInTime() {
        ScriptedCluster cluster = late(new ScriptedCluster(Goal.TOTAL));
        cluster.awaitPlan();

        cluster.look(HengeConfiguration.DEFAULT.timeoutMs() + 1);

        assertTrue(cluster.has(HengeEvent.Kind.ABORTED, "not applied within"), cluster.events::toString);
        assertEquals(Map.of(), cluster.state.techniques());
        cluster.look(10_000); // None of its workers has switched, so the way back is there at once.
        cluster.applyAndAwaitEvent(cluster.state.pending().orElseThrow().plan(), HengeEvent.Kind.KEPT);
        cluster.awaitEnd();
    }

    @Test
    void shouldGoBackToTheTechniquesOfTheBestConfiguration() {
        ScriptedCluster cluster = late(new ScriptedCluster(Goal.TOTAL));
        cluster.latencyMs.put("a", 20.0);
        HengePlan timeout = cluster.awaitPlan();
        cluster.latencyMs.put("a", 15.0);
        cluster.applyAndAwaitEvent(timeout, HengeEvent.Kind.KEPT);
        cluster.busy("a", "bolt0", 0.8);
        HengePlan growth = cluster.awaitPlan();
        assertEquals(Action.RECONFIGURATION, growth.action());
        assertEquals(TIMEOUT, growth.changes().get("a").techniques(), "other steps leave techniques as they are");
        cluster.apply(growth);
        cluster.latencyMs.put("a", 40.0);

        HengePlan back = cluster.awaitPlan();

        assertEquals(Action.REVERSION, back.action());
        assertEquals("utility of all as before: 0.67", back.prediction());
        assertEquals(TIMEOUT, back.changes().get("a").techniques());
        assertEquals(2, back.changes().get("a").executors().get("bolt0"));
    }

    @Test
    void shouldBalanceBeforeAnExecutorThatIsSlowerThanItsSiblingsMoves() {
        ScriptedCluster cluster = uneven(new ScriptedCluster(Goal.TOTAL), "bolt1");

        HengePlan balancing = cluster.awaitPlan();

        assertEquals(Action.SWITCH, balancing.action());
        assertEquals(BALANCING, balancing.changes().get("a").techniques());
        assertEquals("a misses its SLO, no operator is congested, executors slower than their siblings: bolt1", balancing.diagnosis());
        assertTrue(balancing.prediction().matches("senders give less to bolt1 \\d+-\\d+"), balancing.prediction());
        cluster.apply(balancing);
        cluster.applyAndAwaitEvent(cluster.awaitPlan(), HengeEvent.Kind.KEPT);
        assertEquals(Action.RELOCATION, cluster.awaitPlan().action());
    }

    @Test
    void shouldNotTryTheSameAgainWhenAnotherExecutorOfTheComponentIsSlow() {
        ScriptedCluster cluster = uneven(new ScriptedCluster(Goal.TOTAL), "bolt1");
        cluster.apply(cluster.awaitPlan());
        cluster.applyAndAwaitEvent(cluster.awaitPlan(), HengeEvent.Kind.KEPT);

        uneven(cluster, "bolt1", 0);
        HengePlan relocation = cluster.awaitPlan();
        assertEquals(Action.RELOCATION, relocation.action());
        cluster.applyAndAwaitEvent(relocation, HengeEvent.Kind.KEPT);

        uneven(cluster, "bolt1", 3);
        cluster.awaitEnd();
    }

    @Test
    void shouldMoveAtOnceWhatNoShuffleGroupingSendsTo() {
        assertEquals(Action.RELOCATION, uneven(new ScriptedCluster(Goal.TOTAL), "bolt0").awaitPlan().action());
    }

    @Test
    void shouldGiveExecutorsToACongestedOperatorAndTryTheTimeoutWhenItIsNotCongestedAnyMore() {
        ScriptedCluster cluster = late(new ScriptedCluster(Goal.TOTAL)).busy("a", "bolt0", 0.8);
        HengePlan growth = cluster.awaitPlan();
        assertEquals(Action.RECONFIGURATION, growth.action());
        cluster.applyAndAwaitEvent(growth, HengeEvent.Kind.KEPT);
        cluster.busy("a", "bolt0", 0.2);

        assertEquals(TIMEOUT, cluster.awaitPlan().changes().get("a").techniques());
    }

    @Test
    void shouldNotSendAgainOnBusyMachines() {
        ScriptedCluster cluster = late(new ScriptedCluster(Goal.TOTAL));
        cluster.cpuLoad.put("m1", 0.95);
        cluster.cpuLoad.put("m2", 0.94);

        cluster.awaitEnd();
    }

    @ParameterizedTest
    @EnumSource
    void shouldSwitchTheTimeoutOffWhenItsMachinesGetBusyAndNotTryItAgainInTheSameSearch(Goal goal) {
        ScriptedCluster cluster = withTimeout(goal);
        cluster.cpuLoad.put("m2", 0.95);
        cluster.look(30_000);
        assertTrue(cluster.state.converged(), "it is not on that machine");
        cluster.cpuLoad.put("m1", 0.95);

        HengePlan off = cluster.awaitPlan();

        assertEquals(Action.REVERSION, off.action());
        assertEquals("with the adaptive timeout bolts execute some messages twice, and machines are busy now: those of a", off.diagnosis());
        assertEquals(Set.of(), off.changes().get("a").techniques());
        assertEquals(cluster.topologies.get("a").placed.placement(), off.changes().get("a").placement());
        cluster.latencyMs.put("a", 20.0);
        cluster.applyAndAwaitEvent(off, HengeEvent.Kind.KEPT);
        for (int turn = 0; turn < 20; turn++) {
            cluster.cpuLoad.put("m1", 0.5);
            cluster.awaitEnd();
            cluster.cpuLoad.put("m1", 0.95);
            cluster.awaitEnd();
        }
        cluster.cpuLoad.put("m1", 0.5);
        cluster.inputPerSec.put("a", 150.0);
        assertEquals(TIMEOUT, cluster.awaitPlan().changes().get("a").techniques(), "in another search it is tried again");
    }

    @ParameterizedTest
    @EnumSource
    void shouldNotGoBackToTheTimeoutOnBusyMachines(Goal goal) {
        ScriptedCluster cluster = withTimeout(goal);
        cluster.cpuLoad.putAll(Map.of("m1", 0.95, "m2", 0.84));
        cluster.awaitPlan();
        cluster.look(HengeConfiguration.DEFAULT.timeoutMs() + 1);
        assertTrue(cluster.has(HengeEvent.Kind.ABORTED, "not applied within"), cluster.events::toString);
        cluster.techniques.clear();
        cluster.latencyMs.put("a", 20.0);

        cluster.awaitEnd(); // It was better with the timeout.

        assertEquals(Map.of(), cluster.state.techniques());
    }

    @ParameterizedTest
    @ValueSource(strings = {"mean", "p50", "p94.9"})
    void shouldNotSendAgainForAStatisticOfMostMessages(String statistic) {
        ScriptedCluster cluster = late(new ScriptedCluster(Goal.TOTAL));
        cluster.statistic = LatencyStatistic.named(statistic);

        cluster.awaitEnd();
    }

    @ParameterizedTest
    @EnumSource
    void shouldKeepTheTargetsOfDeadlinesOnBusyMachinesWhenTheyHelp(Goal goal) {
        ScriptedCluster cluster = competing(new ScriptedCluster(goal));

        HengePlan plan = cluster.awaitPlan();

        assertEquals(Action.SWITCH, plan.action());
        assertEquals("a misses its SLO, no operator is congested, its machines are busy, and its spouts have different targets",
            plan.diagnosis());
        assertEquals(Set.of(Technique.DEADLINES), plan.changes().get("a").techniques());
        cluster.latencyMs.put("a", 15.0);
        cluster.applyAndAwaitEvent(plan, HengeEvent.Kind.KEPT);
        assertEquals(Set.of(Technique.DEADLINES), cluster.state.techniques().get("a"));
    }

    @Test
    void shouldSwitchTheTargetsOfDeadlinesOffAgainWhenTheyDoNotHelp() {
        ScriptedCluster cluster = competing(new ScriptedCluster(Goal.TOTAL));
        cluster.apply(cluster.awaitPlan());

        HengePlan back = cluster.awaitPlan();

        assertEquals(Set.of(), back.changes().get("a").techniques());
        cluster.apply(back);
        cluster.awaitEnd();
    }

    @Test
    void shouldNotSwitchTheTargetsOfDeadlinesWhereNothingCompetes() {
        ScriptedCluster idle = competing(new ScriptedCluster(Goal.TOTAL));
        idle.cpuLoad.clear();
        idle.awaitEnd();

        ScriptedCluster met = competing(new ScriptedCluster(Goal.TOTAL));
        met.latencyMs.put("a", 9.0);
        met.awaitEnd();
    }

    @Test
    void shouldSwitchNothingThatIsNotAllowed() {
        Set<RemedyKind> others = Set.of(RemedyKind.EXECUTORS, RemedyKind.PLACE);
        late(new ScriptedCluster(HengeConfiguration.DEFAULT.withRemedies(others))).awaitEnd();
        assertEquals(Action.RELOCATION,
            uneven(new ScriptedCluster(HengeConfiguration.DEFAULT.withRemedies(others)), "bolt1").awaitPlan().action());

        ScriptedCluster notSwitchable = late(new ScriptedCluster(Goal.TOTAL));
        notSwitchable.switchable.clear();
        notSwitchable.awaitEnd();
    }

    @Test
    void shouldSwitchOffWhatIsNoLongerAllowed() {
        ScriptedCluster before = late(new ScriptedCluster(Goal.TOTAL));
        HengePlan plan = before.awaitPlan();
        before.latencyMs.put("a", 15.0);
        before.applyAndAwaitEvent(plan, HengeEvent.Kind.KEPT);

        ScriptedCluster after = late(new ScriptedCluster(HengeConfiguration.DEFAULT.withRemedies(Set.of(RemedyKind.PLACE))));
        after.state = before.state;
        after.look(10_000);

        assertEquals(Map.of(), after.state.techniques());
    }

    @Test
    void shouldForgetWhatATopologyNoLongerLetsTheSchedulerSwitch() {
        ScriptedCluster cluster = late(new ScriptedCluster(Goal.TOTAL));
        HengePlan timeout = cluster.awaitPlan();
        cluster.latencyMs.put("a", 15.0);
        cluster.applyAndAwaitEvent(timeout, HengeEvent.Kind.KEPT);
        cluster.busy("a", "bolt0", 0.8);
        HengePlan growth = cluster.awaitPlan();
        cluster.possible = BALANCING;
        cluster.techniques.clear();
        cluster.topologies.get("a").place(growth.changes().get("a").placement());
        cluster.latencyMs.put("a", 40.0);

        HengePlan back = cluster.awaitPlan();

        assertEquals(Map.of(), cluster.state.techniques());
        assertEquals(Action.REVERSION, back.action());
        assertEquals(Set.of(), back.changes().get("a").techniques());
        cluster.applyAndAwaitEvent(back, HengeEvent.Kind.KEPT);
    }

    @Test
    void shouldNotWaitForWhatATopologyNoLongerLetsTheSchedulerSwitch() {
        ScriptedCluster cluster = late(new ScriptedCluster(Goal.TOTAL));
        cluster.awaitPlan();
        cluster.possible = BALANCING;

        cluster.look(10_000);

        assertEquals(HengeEvent.Kind.APPLIED, cluster.lastEvent().kind(), cluster.events::toString);
        assertEquals(Map.of(), cluster.state.techniques());
        for (int look = 0; look < 4; look++) {
            assertTrue(cluster.look(30_000).plan().isEmpty());
        }
        assertTrue(cluster.has(HengeEvent.Kind.REJECTED, "did not help"), cluster.events::toString);
        cluster.awaitEnd();
    }

    @Test
    void shouldSwitchOffWhatATopologyHasThatLosesItsSlo() {
        ScriptedCluster cluster = late(new ScriptedCluster(Goal.TOTAL));
        cluster.topology("b", 1, 5);
        HengePlan plan = cluster.awaitPlan();
        cluster.latencyMs.put("a", 15.0);
        cluster.applyAndAwaitEvent(plan, HengeEvent.Kind.KEPT);

        List<Slot> slots = List.copyOf(cluster.topologies.get("a").placed.placement().values());
        cluster.topologies.put("a", SimulatedTopology.linear("a", null, 100, 1).on(slots, 2));
        cluster.look(10_000);

        assertEquals(Map.of(), cluster.state.techniques());
    }

    /** A topology that meets its SLO with the adaptive timeout, at the end of a search. */
    private static ScriptedCluster withTimeout(Goal goal) {
        ScriptedCluster cluster = late(new ScriptedCluster(goal));
        HengePlan plan = cluster.awaitPlan();
        cluster.latencyMs.put("a", 9.0);
        cluster.applyAndAwaitEvent(plan, HengeEvent.Kind.KEPT);
        cluster.awaitEnd();
        return cluster;
    }

    /** A topology of whose messages a few are late, although nothing is busy. */
    private static ScriptedCluster late(ScriptedCluster cluster) {
        cluster.statistic = LatencyStatistic.named("p99");
        cluster.switchable.add("a");
        return cluster.topology("a", 1, 20);
    }

    /** A topology whose messages compete for busy machines, and whose spouts have different targets. */
    private static ScriptedCluster competing(ScriptedCluster cluster) {
        cluster.possible = Set.of(Technique.values());
        cluster.switchable.add("a");
        return cluster.withoutRoom().topology("a", 1, 20);
    }

    /** A topology one of whose executors of a component is slower than the others. */
    private static ScriptedCluster uneven(ScriptedCluster cluster, String component) {
        cluster.topology("a", 1, 20, 4).switchable.add("a");
        uneven(cluster, component, 2);
        return cluster;
    }

    private static void uneven(ScriptedCluster cluster, String component, int slow) {
        List<ExecutorId> executors = cluster.topologies.get("a").placed.placement().keySet().stream()
            .filter(executor -> cluster.topologies.get("a").graph.componentOf(executor).id().equals(component)).toList();
        executors.forEach(executor -> cluster.executorRates.put(executor, new Rates(25, 25, 25, 0.05, 0)));
        cluster.executorRates.put(executors.get(slow), new Rates(25, 25, 25, 0.15, 0));
    }
}
