package io.eyewall.elasticity.henge;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.eyewall.elasticity.model.Machine;
import io.eyewall.elasticity.model.Slot;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Topologies that have been submitted with fewer executors than they need, and are far from their SLOs. */
class HengeStartTest {

    private static final long SETTLE_MS = HengeConfiguration.DEFAULT.settleMs();
    private static final Set<String> ALL = Set.of("a", "b", "c", "d");

    @Test
    void shouldNotTakeNoiseNearZeroForHarm() {
        ScriptedCluster cluster = new ScriptedCluster(Goal.TOTAL).withoutRoom();
        cluster.topology("a", 35, 5_000).topology("b", 35, 5_000).busy("a", "bolt0", 1).busy("b", "bolt0", 1);
        HengePlan plan = cluster.awaitPlan();

        cluster.latencyMs.put("b", 9_000.0); // Its queue grows.

        cluster.applyAndAwaitEvent(plan, HengeEvent.Kind.KEPT);
    }

    @Test
    void shouldHelpAllAtOnceWhoseExecutorsWaitWhileTheyAreBusy() {
        ScriptedCluster cluster = busy(0.6);

        assertEquals(ALL, cluster.awaitPlan().changes().keySet());
    }

    @Test
    void shouldHelpFewerAtOnceWhoseExecutorsComputeWhileTheyAreBusy() {
        ScriptedCluster cluster = busy(0.85).topology("e", 35, 9);
        ALL.forEach(id -> cluster.busy(id, "bolt0", 0.8));

        Set<String> helped = cluster.awaitPlan().changes().keySet();

        assertTrue(ALL.containsAll(helped) && helped.size() < ALL.size(), helped::toString);
    }

    @ParameterizedTest
    @EnumSource
    void shouldHelpAllAtOnceOnBusyMachinesWhileThereIsNoUtilityToLose(Goal goal) {
        ScriptedCluster cluster = mostlyWaiting(goal);

        assertEquals(ALL, cluster.awaitPlan().changes().keySet());
    }

    @Test
    void shouldNotUndoAStepForAllWhoseTopologiesStillHaveLongQueues() {
        ScriptedCluster cluster = mostlyWaiting(Goal.TOTAL);
        HengePlan plan = cluster.awaitPlan();
        ALL.forEach(id -> cluster.busy(id, "bolt0", 0.5));
        ALL.forEach(id -> cluster.latencyMs.put(id, 50_000.0));

        cluster.applyAndAwaitEvent(plan, HengeEvent.Kind.KEPT);
        ALL.forEach(id -> cluster.busy(id, "bolt0", 0.1).busy(id, "bolt1", 0.1).busy(id, "output", 0.1));
        cluster.awaitEnd();

        assertFalse(cluster.has(HengeEvent.Kind.PLANNED, "reversion"), cluster.events.toString());
    }

    @Test
    void shouldStartNoWorkerForExecutorsThatMostlyWaitBeforeTheirMachineReportsAHighLoad() {
        assertEquals(Set.of("m1"), machinesOfA(0.89, 1.0));
        assertEquals(Set.of("m1", "m2"), machinesOfA(0.91, 1.0));
        assertEquals(Set.of("m1", "m2"), machinesOfA(0.89, 0.3), "executors that compute need the CPU time that they are busy");
    }

    @Test
    void shouldAddUpWhatExecutorsNeedThatComputeAlthoughThoseOnOtherMachinesMostlyWait() {
        ScriptedCluster cluster = new ScriptedCluster(Goal.TOTAL).topology("a", 35, 5_000).busy("a", "bolt0", 1).busy("a", "bolt1", 0.9)
            .busy("a", "output", 0.9).other("b").busy("b", "bolt0", 1).busy("b", "bolt1", 1).busy("b", "output", 1);
        cluster.executedPerSec.put("a", 33.0);
        cluster.topologies.get("a").graph.links().forEach(link -> cluster.linkLoads.put(link, link.from().equals("spout") ? 100.0 : 33.0));
        cluster.cpuLoad.put("m1", 0.89);
        cluster.cpuLoad.put("m2", 0.1);
        assertEquals(Set.of("m1", "m2"), machinesOfA(cluster));
    }

    @Test
    void shouldUseAnyMachineOfTheTopologyWithoutAHighLoadBeforeItStartsAWorker() {
        ScriptedCluster cluster = new ScriptedCluster(Goal.TOTAL).topology("a", 35, 5_000).busy("a", "bolt0", 1).busy("a", "bolt1", 1)
            .busy("a", "output", 1).other("b").busy("b", "bolt0", 1).busy("b", "bolt1", 1).busy("b", "output", 1);
        cluster.topologies.get("a").on(List.of(ScriptedCluster.FIRST, new Slot("m2", 6701)), 2);
        cluster.machines.add(new Machine("m3", List.of(6700), 4));
        cluster.cpuLoad.put("m1", 0.95);
        cluster.cpuLoad.put("m2", 0.5);
        cluster.cpuLoad.put("m3", 0.1);
        assertEquals(Set.of("m1", "m2"), machinesOfA(cluster));
    }

    /** The machines that a topology on m1 has after its first step, by the load of m1 and by how busy each executor of the others is. */
    private static Set<String> machinesOfA(double load, double busyOthers) {
        ScriptedCluster cluster = new ScriptedCluster(Goal.TOTAL).topology("a", 35, 5_000).busy("a", "bolt0", 1);
        for (String other : Set.of("b", "c")) {
            cluster.other(other).busy(other, "bolt0", busyOthers).busy(other, "bolt1", busyOthers).busy(other, "output", busyOthers);
        }
        cluster.cpuLoad.put("m1", load);
        cluster.cpuLoad.put("m2", 0.1);
        return machinesOfA(cluster);
    }

    private static Set<String> machinesOfA(ScriptedCluster cluster) {
        return cluster.awaitPlan().changes().get("a").placement().values().stream().map(Slot::machine).collect(Collectors.toSet());
    }

    @ParameterizedTest
    @EnumSource
    void shouldHelpOneAtOnceOnBusyMachinesWhereAnotherHasUtilityToLose(Goal goal) {
        ScriptedCluster cluster = busy(goal, 0.95).topology("e", 35, 9);

        assertEquals(1, cluster.awaitPlan().changes().size());
    }

    @Test
    void shouldWaitForTopologiesThatAreNotMeasuredYet() {
        ScriptedCluster cluster = busy(0.1);
        cluster.latencyMs.remove("d");
        assertEquals(Optional.empty(), cluster.look(0).plan());
        assertEquals(Optional.empty(), cluster.look(SETTLE_MS).plan());

        cluster.latencyMs.put("d", 5_000.0);

        assertEquals(ALL, cluster.look(1).plan().orElseThrow().changes().keySet());
    }

    @Test
    void shouldLogTheHighestLoadOfTheMachinesBeforeAndAfterAStep() {
        ScriptedCluster cluster = new ScriptedCluster(Goal.TOTAL).topology("a", 1, 20).busy("a", "bolt0", 0.9);
        cluster.cpuLoad.put(ScriptedCluster.FIRST.machine(), 0.7);
        HengePlan plan = cluster.awaitPlan();
        assertTrue(cluster.has(HengeEvent.Kind.PLANNED, ", CPU load 0.70; "), cluster.events::toString);
        cluster.cpuLoad.put(ScriptedCluster.FIRST.machine(), 0.4);
        cluster.latencyMs.put("a", 5.0);

        cluster.applyAndAwaitEvent(plan, HengeEvent.Kind.KEPT);

        assertTrue(cluster.has(HengeEvent.Kind.KEPT, " -> 1.00, CPU load 0.40"), cluster.events::toString);
    }

    @Test
    void shouldNotWaitForLongForATopologyThatIsNotMeasured() {
        ScriptedCluster cluster = busy(0.1);
        cluster.latencyMs.remove("d");
        assertEquals(Optional.empty(), cluster.look(0).plan());

        assertEquals(Set.of("a", "b", "c"), cluster.look(2 * SETTLE_MS).plan().orElseThrow().changes().keySet());
    }

    /** Four topologies whose operators cannot process what comes, on two machines with that CPU load. */
    private static ScriptedCluster busy(double load) {
        return busy(Goal.TOTAL, load);
    }

    private static ScriptedCluster busy(Goal goal, double load) {
        ScriptedCluster cluster = new ScriptedCluster(goal);
        for (String id : ALL.stream().sorted().toList()) {
            cluster.topology(id, 35, 5_000).busy(id, "bolt0", 1);
        }
        cluster.cpuLoad.put("m1", load);
        cluster.cpuLoad.put("m2", load);
        return cluster;
    }

    /** The same on machines without room. All executors are busy, most of them without taking CPU time. */
    private static ScriptedCluster mostlyWaiting(Goal goal) {
        ScriptedCluster cluster = busy(goal, 0.95);
        ALL.forEach(id -> cluster.busy(id, "bolt1", 0.9).busy(id, "output", 0.9));
        return cluster;
    }
}
