package io.eyewall.scheduler.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.eyewall.elasticity.model.Component;
import io.eyewall.elasticity.model.ExecutorId;
import io.eyewall.elasticity.model.Link;
import io.eyewall.elasticity.model.Machine;
import io.eyewall.elasticity.model.PlacedTopology;
import io.eyewall.elasticity.model.TopologyGraph;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.storm.generated.ComponentCommon;
import org.apache.storm.generated.SpoutSpec;
import org.apache.storm.scheduler.Cluster;
import org.apache.storm.scheduler.SupervisorDetails;
import org.junit.jupiter.api.Test;

class ClusterViewTest {

    private final StormFixture storm = new StormFixture("m1", "m2");

    @Test
    void shouldHaveTheGraphOfATopology() {
        TopologyGraph graph = storm.view().placed(StormFixture.ID).orElseThrow().graph();

        assertEquals(List.of("source", "work", "sink"), graph.operators().stream().map(Component::id).toList());
        assertTrue(graph.operators().stream().allMatch(operator -> operator.taskCount() == 4));
        assertEquals(Set.of(new Link("source", "default", "work", 1), new Link("work", "default", "sink", 4)), Set.copyOf(graph.links()),
            "an all grouping copies a tuple for each of the four tasks");
        assertEquals(1, graph.components().stream().filter(Component::isSystem).count(), "the acker");
    }

    @Test
    void shouldHaveTheSlotOfEveryExecutor() {
        PlacedTopology placed = storm.view().placed(StormFixture.ID).orElseThrow();

        assertEquals(7, placed.placement().size());
        storm.placement().forEach((executor, slot) -> assertEquals(ClusterView.slot(slot),
            placed.placement().get(new ExecutorId(StormFixture.ID, executor.getStartTask(), executor.getEndTask()))));
    }

    @Test
    void shouldHaveMachinesWithSlotsAndCores() {
        storm.join("m3");

        assertEquals(Set.of("m1", "m2", "m3"), storm.view().machines());
        assertTrue(storm.view().state().machines().stream().allMatch(machine -> machine.cores() == 2 && machine.ports().size() == 2));
    }

    @Test
    void shouldHaveNoFreeSlotsOfABlacklistedMachine() {
        storm.join("m3");
        Cluster cluster = storm.cluster();
        cluster.blacklistHost("m2");
        cluster.blacklistHost("m3");

        List<Machine> machines = ClusterView.of(cluster.getTopologies(), cluster).state().machines();

        assertEquals(List.of("m1", "m2"), machines.stream().map(Machine::id).toList());
        assertEquals(List.of(2, 1), machines.stream().map(machine -> machine.ports().size()).toList(), "m2 keeps the slot that is in use");
    }

    @Test
    void shouldReadTheConfigurationsOfSpoutsOnlyOfATopologyThatTakesOrders() {
        storm.spout("urgent", Map.of("topology.deadline.target.ms", 20));
        AtomicInteger reads = new AtomicInteger();
        SpoutSpec urgent = storm.details().getTopology().get_spouts().get("urgent");
        urgent.set_common(new ComponentCommon(urgent.get_common()) {
            @Override
            public String get_json_conf() {
                reads.incrementAndGet();
                return super.get_json_conf();
            }
        });
        for (String tail : List.of("manual", "auto", "slo", "wrong")) {
            storm.set("topology.tail.latency", tail);
            Cluster cluster = storm.cluster();
            reads.set(0);

            ClusterView.Topology topology = ClusterView.of(cluster.getTopologies(), cluster).named(StormFixture.NAME).orElseThrow();

            boolean takesOrders = tail.equals("slo");
            assertEquals(takesOrders, topology.takesOrders(), tail);
            assertEquals(takesOrders, topology.hasTargets(), tail);
            assertEquals(takesOrders ? 1 : 0, reads.get(), tail);
        }
    }

    @Test
    void shouldLeaveOutATopologyWithoutAnAssignment() {
        Cluster cluster = storm.cluster();
        cluster.unassign(StormFixture.ID);

        ClusterView view = ClusterView.of(cluster.getTopologies(), cluster);

        assertTrue(view.named(StormFixture.NAME).isEmpty());
        assertTrue(view.state().topologies().isEmpty());
    }

    @Test
    void shouldWantAMachineMoreForATopologyWithoutAnAssignment() {
        ClusterMeter meter = new ClusterMeter((topology, slot) -> null);
        assertEquals(2, storm.view().wantedMachines(meter.measure(storm.view(), 0), false));
        assertEquals(3, storm.view().wantedMachines(meter.measure(storm.view(), 0), true));
        Cluster cluster = storm.cluster();
        cluster.unassign(StormFixture.ID);
        ClusterView view = ClusterView.of(cluster.getTopologies(), cluster);

        assertEquals(1, view.wantedMachines(meter.measure(view, 0), false));
    }

    @Test
    void shouldNameMachinesByHostUnlessTheyShareOne() {
        MachineNames names = new MachineNames(List.of(
            supervisor("0123456789-a", "alone"), supervisor("abcdefghij-b", "shared"), supervisor("bbcdefghij-c", "shared")));

        assertEquals("alone and shared/abcdefgh and shared/bbcdefgh", names.replaceIds("0123456789-a and abcdefghij-b and bbcdefghij-c"));
        assertEquals("unknown", names.nameOf("unknown"));
    }

    private static SupervisorDetails supervisor(String id, String host) {
        return new SupervisorDetails(id, host, null, List.of(6700), null);
    }
}
