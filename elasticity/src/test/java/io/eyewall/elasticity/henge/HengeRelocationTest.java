package io.eyewall.elasticity.henge;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.eyewall.elasticity.measure.Rates;
import io.eyewall.elasticity.model.ExecutorId;
import io.eyewall.elasticity.model.Slot;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Another place for executors. */
class HengeRelocationTest {

    private static final Slot NEW_WORKER = new Slot("m2", 6700);

    @ParameterizedTest
    @EnumSource
    void shouldMoveExecutorsAwayFromABusyMachineIfNoMoreExecutorsAreLeftToTry(Goal goal) {
        ScriptedCluster cluster = crowded(new ScriptedCluster(goal));

        HengePlan plan = cluster.awaitPlan();

        assertEquals(Action.RELOCATION, plan.action());
        assertEquals("a misses its SLO, no operator is congested, its machines are busy", plan.diagnosis());
        assertEquals("executors move: 1 of bolt0 from m1 to m2; CPU load 0.95 -> 0.89 on m1, 0.10 -> 0.16 on m2", plan.prediction());
        assertEquals(Map.of(), plan.changes().get("a").executors());
        assertEquals(Map.of("bolt0", 1L), moved(cluster, plan));

        assertEquals(plan, cluster.look(10_000).plan().orElseThrow(), "the same plan until the executors are there");
        cluster.latencyMs.put("a", 15.0);
        cluster.applyAndAwaitEvent(plan, HengeEvent.Kind.KEPT);
        assertTrue(cluster.lastEvent().text().startsWith("utility of a 0.50 -> 0.67"), cluster.lastEvent().text());
        cluster.cpuLoad.put("m1", 0.95);
        cluster.awaitEnd(); // Executors do not move twice for the same diagnosis.
    }

    @ParameterizedTest
    @EnumSource
    void shouldMoveThemBackWhenTheUtilityFalls(Goal goal) {
        ScriptedCluster cluster = crowded(new ScriptedCluster(goal));
        SortedMap<ExecutorId, Slot> before = cluster.topologies.get("a").placed.placement();
        HengePlan plan = cluster.awaitPlan();
        cluster.latencyMs.put("a", 40.0);

        cluster.apply(plan);
        HengePlan back = cluster.awaitPlan();

        assertTrue(cluster.has(HengeEvent.Kind.REJECTED, "utility of a 0.50 -> 0.25"), cluster.events::toString);
        assertEquals(Action.REVERSION, back.action());
        assertEquals(before, back.changes().get("a").placement());
        cluster.latencyMs.put("a", 20.0);
        cluster.applyAndAwaitEvent(back, HengeEvent.Kind.KEPT);
        cluster.awaitEnd();
    }

    @Test
    void shouldMoveThemBackWhenTheyDoNotArriveInTime() {
        ScriptedCluster cluster = crowded(new ScriptedCluster(Goal.TOTAL));
        cluster.awaitPlan();

        cluster.look(HengeConfiguration.DEFAULT.timeoutMs() + 1);

        assertTrue(cluster.has(HengeEvent.Kind.ABORTED, "not applied within"), cluster.events::toString);
        cluster.awaitEnd(); // Nothing has moved, so nothing moves back.
    }

    @Test
    void shouldLeaveExecutorsWhereNoMachineIsClearlyLessLoaded() {
        ScriptedCluster cluster = crowded(new ScriptedCluster(Goal.TOTAL));
        cluster.cpuLoad.put("m2", 0.84);

        cluster.awaitEnd();
    }

    @Test
    void shouldLeaveExecutorsOnAMachineThatReportsNoLoad() {
        ScriptedCluster cluster = crowded(new ScriptedCluster(Goal.TOTAL));
        cluster.cpuLoad.remove("m1");

        cluster.awaitEnd();
    }

    @Test
    void shouldGiveMoreExecutorsToACongestedOperatorFirst() {
        ScriptedCluster cluster = crowded(new ScriptedCluster(Goal.TOTAL)).busy("a", "bolt0", 0.8);
        cluster.applyAndAwaitEvent(cluster.awaitPlan(), HengeEvent.Kind.KEPT);
        assertEquals(6, cluster.executors("a", "bolt0"));

        assertEquals(Action.RELOCATION, cluster.awaitPlan().action());
    }

    @Test
    void shouldDoNothingThatIsNotAllowed() {
        ScriptedCluster executors = crowded(new ScriptedCluster(HengeConfiguration.DEFAULT.withRemedies(Set.of(RemedyKind.EXECUTORS))));
        executors.awaitEnd();

        ScriptedCluster place = crowded(new ScriptedCluster(HengeConfiguration.DEFAULT.withRemedies(Set.of(RemedyKind.PLACE))))
            .busy("a", "bolt0", 0.8);
        HengePlan plan = place.awaitPlan();
        assertEquals(Action.RELOCATION, plan.action());
        place.applyAndAwaitEvent(plan, HengeEvent.Kind.KEPT);
        assertTrue(place.awaitEnd().text().endsWith("nothing is left to try for a (more executors are not allowed)"),
            place.lastEvent().text());
    }

    @Test
    void shouldMoveAnExecutorThatIsSlowerThanItsSiblings() {
        ScriptedCluster cluster = new ScriptedCluster(Goal.TOTAL).topology("a", 1, 20, 4);
        List<ExecutorId> executors = cluster.topologies.get("a").placed.placement().keySet().stream()
            .filter(executor -> component(cluster, executor).equals("bolt1")).toList();
        executors.forEach(executor -> cluster.executorRates.put(executor, new Rates(25, 25, 25, 0.05, 0)));
        ExecutorId slow = executors.get(2);
        cluster.executorRates.put(slow, new Rates(25, 25, 25, 0.15, 0));

        HengePlan plan = cluster.awaitPlan();

        assertEquals(Action.RELOCATION, plan.action());
        assertEquals("a misses its SLO, no operator is congested, executors slower than their siblings: bolt1", plan.diagnosis());
        assertEquals(Map.of("bolt1", 1L), moved(cluster, plan));
        assertEquals(NEW_WORKER, plan.changes().get("a").placement().get(slow));
    }

    @Test
    void shouldNotMoveASlowExecutorThatIsHardlyBusy() {
        ScriptedCluster cluster = new ScriptedCluster(Goal.TOTAL).topology("a", 1, 20, 4);
        double busy = 0.09;
        for (ExecutorId executor : cluster.topologies.get("a").placed.placement().keySet()) {
            if (component(cluster, executor).equals("bolt1")) {
                cluster.executorRates.put(executor, new Rates(5, 5, 5, busy, 0));
                busy = 0.01;
            }
        }
        cluster.awaitEnd();
        assertFalse(cluster.has(HengeEvent.Kind.PLANNED, ""));
    }

    @Test
    void shouldNotMoveAnExecutorThatIsLittleSlowerThanItsSiblings() {
        ScriptedCluster cluster = new ScriptedCluster(Goal.TOTAL).topology("a", 1, 20, 4);
        double busy = 0.05;
        for (ExecutorId executor : cluster.topologies.get("a").placed.placement().keySet()) {
            if (component(cluster, executor).equals("bolt1")) {
                cluster.executorRates.put(executor, new Rates(25, 25, 25, busy, 0));
                busy += 0.02;
            }
        }
        cluster.awaitEnd();
        assertFalse(cluster.has(HengeEvent.Kind.PLANNED, ""));
    }

    /** A topology on a machine with a high CPU load, with no operator that is congested. */
    private static ScriptedCluster crowded(ScriptedCluster cluster) {
        cluster.topology("a", 1, 20).busy("a", "bolt0", 0.25);
        cluster.cpuLoad.putAll(Map.of("m1", 0.95, "m2", 0.1));
        return cluster;
    }

    private static Map<String, Long> moved(ScriptedCluster cluster, HengePlan plan) {
        SortedMap<ExecutorId, Slot> before = cluster.topologies.get("a").placed.placement();
        return plan.changes().get("a").placement().entrySet().stream().filter(entry -> !before.get(entry.getKey()).equals(entry.getValue()))
            .collect(Collectors.groupingBy(entry -> component(cluster, entry.getKey()), Collectors.counting()));
    }

    private static String component(ScriptedCluster cluster, ExecutorId executor) {
        return cluster.topologies.get("a").graph.componentOf(executor).id();
    }
}
