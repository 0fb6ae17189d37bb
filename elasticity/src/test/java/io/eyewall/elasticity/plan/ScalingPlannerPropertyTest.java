package io.eyewall.elasticity.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.eyewall.elasticity.measure.ClusterSnapshot;
import io.eyewall.elasticity.model.Component;
import io.eyewall.elasticity.model.ExecutorId;
import io.eyewall.elasticity.model.PlacedTopology;
import io.eyewall.elasticity.model.Slot;
import io.eyewall.elasticity.model.TopologyGraph;
import io.eyewall.elasticity.plan.ScalingGoal.Direction;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import net.jqwik.api.Assume;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

/** The properties that every plan of every planner must have, checked on random topologies in random clusters. */
class ScalingPlannerPropertyTest {

    @Property(tries = 1_000)
    void shouldKeepTheContractForAnyTopologyWithoutCycles(@ForAll ScalingStrategy strategy, @ForAll Direction direction,
            @ForAll @IntRange(min = 1, max = 3) int machines, @ForAll @IntRange(min = 1, max = 12) int operators, @ForAll long seed)
            throws ScalingRefusedException {
        ClusterSnapshot snapshot = RandomCluster.snapshot(seed, operators, false);
        PlacedTopology before = topology(snapshot);
        Set<String> hosts = machinesOf(before.placement());
        Assume.that(direction == Direction.OUT || machines < hosts.size());

        ScalingPlan plan = plan(strategy, snapshot, direction, machines);

        assertEveryTaskHasOneExecutor(before.graph(), plan);
        assertSlotsAreOursOrFree(snapshot, plan);
        assertEquals(machines, plan.machines().size());
        if (direction == Direction.OUT) {
            assertGrowsOnlyToNewMachines(before, plan, hosts, strategy);
        } else {
            assertLeavesExactlyTheMachinesRemoved(before, plan, hosts);
        }
        assertTrue(plan.throughput().predictedPerSec() >= 0 && Double.isFinite(plan.throughput().predictedPerSec()),
            () -> plan.throughput().toString());
    }

    @Property(tries = 500)
    void shouldMakeTheSamePlanWhateverTheOrderOfTheInput(@ForAll ScalingStrategy strategy, @ForAll Direction direction,
            @ForAll @IntRange(min = 1, max = 12) int operators, @ForAll long seed, @ForAll long order) throws ScalingRefusedException {
        ClusterSnapshot snapshot = RandomCluster.snapshot(seed, operators, false);
        Assume.that(direction == Direction.OUT || machinesOf(topology(snapshot).placement()).size() > 1);

        ScalingPlan plan = plan(strategy, snapshot, direction, 1);

        assertEquals(plan, plan(strategy, RandomCluster.shuffled(snapshot, order), direction, 1));
    }

    @Property(tries = 500)
    void shouldKeepTheContractOrRefuseClearlyWhenATopologyHasACycle(@ForAll ScalingStrategy strategy,
            @ForAll @IntRange(min = 3, max = 12) int operators, @ForAll long seed) {
        ClusterSnapshot snapshot = RandomCluster.snapshot(seed, operators, true);
        try {
            assertEveryTaskHasOneExecutor(topology(snapshot).graph(), plan(strategy, snapshot, Direction.OUT, 1));
        } catch (ScalingRefusedException refused) {
            assertTrue(refused.getMessage().contains("cycle") || refused.getMessage().contains("no sink"), refused.getMessage());
        }
    }

    @Property(tries = 1_000)
    void shouldPredictNoLessThroughputWhenExecutorsAreOnlyAdded(@ForAll boolean stela, @ForAll @IntRange(min = 1, max = 3) int machines,
            @ForAll @IntRange(min = 1, max = 12) int operators, @ForAll long seed) throws ScalingRefusedException {
        ClusterSnapshot snapshot = RandomCluster.snapshot(seed, operators, false);

        ScalingPlan plan = plan(stela ? ScalingStrategy.ETP : ScalingStrategy.DS2, snapshot, Direction.OUT, machines);

        assertTrue(plan.throughput().predictedPerSec() >= plan.throughput().measuredPerSec() * (1 - 1e-9), plan::explain);
    }

    @Property(tries = 1_000)
    void shouldReachTheSinksThatSomePathOfUncongestedOperatorsReaches(@ForAll @IntRange(min = 1, max = 9) int operators, @ForAll long seed,
            @ForAll boolean cyclic) {
        ClusterSnapshot snapshot = RandomCluster.snapshot(seed, operators, cyclic);
        OperatorLoads loads =
            new OperatorLoads(topology(snapshot), snapshot.rates().get(RandomCluster.TOPOLOGY), CongestionConfiguration.DEFAULT);
        boolean[] congested = loads.congested();
        for (int operator = 0; operator < operators; operator++) {
            Set<Integer> sinks = new HashSet<>();
            walk(loads.graph, operator, congested, new ArrayList<>(), sinks);
            double expected = sinks.stream().mapToDouble(sink -> loads.executedPerSec[sink]).sum();
            double etp = new EffectiveThroughput(loads.graph).of(operator, loads, congested);
            assertEquals(loads.throughputPerSec() == 0 ? 0 : expected / loads.throughputPerSec(), etp, 1e-9);
        }
    }

    /** Follows every path without a loop. */
    private static void walk(TopologyGraph graph, int operator, boolean[] congested, List<Integer> path, Set<Integer> sinks) {
        if (graph.isSink(operator)) {
            sinks.add(operator);
        }
        path.add(operator);
        for (int child : graph.children(operator)) {
            if (!congested[child] && !path.contains(child)) {
                walk(graph, child, congested, path, sinks);
            }
        }
        path.remove(path.size() - 1);
    }

    private static void assertEveryTaskHasOneExecutor(TopologyGraph graph, ScalingPlan plan) {
        for (Component component : graph.components()) {
            List<ExecutorId> executors = plan.placement().keySet().stream().filter(id -> graph.componentOf(id).equals(component)).toList();
            if (!component.isSystem()) {
                assertEquals(plan.executorCounts().get(component.id()), executors.size(), component.id());
            }
            assertTrue(executors.size() >= 1 && executors.size() <= component.taskCount(), component.id());
            int next = component.firstTask();
            for (ExecutorId executor : executors) {
                assertEquals(next, executor.firstTask());
                next = executor.lastTask() + 1;
            }
            assertEquals(component.lastTask() + 1, next);
        }
    }

    private static void assertSlotsAreOursOrFree(ClusterSnapshot snapshot, ScalingPlan plan) {
        Set<Slot> existing = snapshot.state().machines().stream()
            .flatMap(machine -> machine.ports().stream().map(port -> new Slot(machine.id(), port)))
            .collect(Collectors.toSet());
        Set<Slot> othersSlots = snapshot.state().topologies().stream()
            .filter(topology -> !topology.graph().id().equals(RandomCluster.TOPOLOGY))
            .flatMap(topology -> topology.placement().values().stream())
            .collect(Collectors.toSet());
        for (Slot slot : plan.placement().values()) {
            assertTrue(existing.contains(slot) && !othersSlots.contains(slot), slot.toString());
        }
    }

    private static void assertGrowsOnlyToNewMachines(PlacedTopology before, ScalingPlan plan, Set<String> hosts, ScalingStrategy strategy) {
        int operatorExecutors = Arrays.stream(before.executorCounts()).sum();
        long perMachine = Math.max(1, Math.round((double) operatorExecutors / hosts.size()));
        assertTrue(plan.choices().size() <= perMachine * plan.machines().size());
        boolean adds = strategy == ScalingStrategy.ETP || strategy == ScalingStrategy.DS2;
        for (Component component : before.graph().components()) {
            List<Slot> old = slotsOf(before.graph(), before.placement(), component);
            List<Slot> stayed = slotsOf(before.graph(), plan.placement(), component).stream()
                .filter(slot -> !plan.machines().contains(slot.machine())).sorted().toList();
            if (adds) {
                assertEquals(old, stayed, component.id());
            } else {
                assertEquals(old.size(), slotsOf(before.graph(), plan.placement(), component).size(), "moves only");
                assertTrue(stayed.size() <= old.size() && old.containsAll(stayed), component.id());
            }
        }
    }

    private static void assertLeavesExactlyTheMachinesRemoved(PlacedTopology before, ScalingPlan plan, Set<String> hosts) {
        Set<String> after = machinesOf(plan.placement());
        assertTrue(hosts.containsAll(plan.machines()));
        assertTrue(hosts.containsAll(after), "nothing moves to a machine that the topology was not on");
        plan.machines().forEach(machine -> assertFalse(after.contains(machine), machine));
        for (Component component : before.graph().components()) {
            List<Slot> old = slotsOf(before.graph(), before.placement(), component).stream()
                .filter(slot -> !plan.machines().contains(slot.machine())).toList();
            List<Slot> now = new ArrayList<>(slotsOf(before.graph(), plan.placement(), component));
            for (Slot slot : old) {
                assertTrue(now.remove(slot), "an executor of " + component.id() + " has left " + slot + ", which was not removed");
            }
        }
        before.placement().forEach((executor, slot) -> {
            Component component = before.graph().componentOf(executor);
            boolean unchanged = slotsOf(before.graph(), plan.placement(), component).size()
                == slotsOf(before.graph(), before.placement(), component).size();
            if (unchanged && !plan.machines().contains(slot.machine())) {
                assertEquals(slot, plan.placement().get(executor));
            }
        });
    }

    private static List<Slot> slotsOf(TopologyGraph graph, Map<ExecutorId, Slot> placement, Component component) {
        return placement.entrySet().stream().filter(entry -> graph.componentOf(entry.getKey()).equals(component))
            .map(Map.Entry::getValue).sorted().toList();
    }

    private static Set<String> machinesOf(Map<ExecutorId, Slot> placement) {
        return placement.values().stream().map(Slot::machine).collect(Collectors.toSet());
    }

    private static PlacedTopology topology(ClusterSnapshot snapshot) {
        return snapshot.state().topologies().stream()
            .filter(one -> one.graph().id().equals(RandomCluster.TOPOLOGY))
            .findFirst()
            .orElseThrow();
    }

    private static ScalingPlan plan(ScalingStrategy strategy, ClusterSnapshot snapshot, Direction direction, int machines)
            throws ScalingRefusedException {
        return ScalingPlanners.of(strategy, CongestionConfiguration.DEFAULT)
            .plan(snapshot, new ScalingGoal(RandomCluster.TOPOLOGY, direction, machines));
    }
}
