package io.eyewall.scheduler.scaling;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.eyewall.client.settings.elasticity.ElasticityConfiguration;
import io.eyewall.elasticity.plan.CongestionConfiguration;
import io.eyewall.elasticity.plan.ScalingGoal.Direction;
import io.eyewall.elasticity.plan.ScalingStrategy;
import io.eyewall.scheduler.cluster.ClusterView;
import io.eyewall.scheduler.cluster.FakeWorkers;
import io.eyewall.scheduler.cluster.StormFixture;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.apache.storm.generated.RebalanceOptions;
import org.apache.storm.scheduler.Cluster;
import org.apache.storm.scheduler.DefaultScheduler;
import org.apache.storm.scheduler.ExecutorDetails;
import org.apache.storm.scheduler.WorkerSlot;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ScalingCoordinatorTest {

    private static final int ROUND_SECS = 10;

    private final StormFixture storm = new StormFixture("m1", "m2");
    private final FakeWorkers workers = new FakeWorkers(storm, 1_000_000);
    private final MemoryScalingStore store = new MemoryScalingStore();
    /** The rebalances for which the coordinator has asked Nimbus. */
    private final List<RebalanceOptions> rebalances = new ArrayList<>();
    private ScalingCoordinator coordinator = newCoordinator();
    private int requests;

    @Test
    void shouldPlanWithMeasuredRates() {
        storm.join("m3");
        rounds(3);

        ScalingResponse response = ask(request(Direction.OUT, 1, true));

        assertNull(response.refusal());
        assertTrue(response.text().startsWith("Scale linear-1-1 out by 1 machine, strategy etp: m3"), response.text());
        assertTrue(response.text().lines().anyMatch(line -> line.matches("work +2000\\.0 +800\\.0 +1\\.00 +2 -> 4 +4 +yes .*")),
            response.text());
        assertTrue(response.text().contains("throughput: 3200.0 tuples/s measured"), response.text());
        assertEquals(Map.of("work", 4, "sink", 3), response.executors());
        assertEquals(3, response.workers());
        assertEquals("storm rebalance linear -w 0 -n 2 -e work=2 -e sink=2", response.undo());
    }

    @Test
    void shouldLeaveTheRebalanceToStormAfterADryRun() {
        storm.join("m3");
        rounds(3);
        ScalingResponse response = ask(request(Direction.OUT, 1, true));
        storm.rebalance(response.rebalance());
        Cluster cluster = storm.cluster();

        coordinator.place(storm.details(), cluster);

        assertNull(cluster.getAssignmentById(StormFixture.ID));
    }

    @Test
    void shouldKeepExecutorsAndPlaceNewOnesOnTheNewMachineWhenGrowing() {
        storm.join("m3");
        rounds(3);
        Map<WorkerSlot, Map<String, Integer>> countsBefore = counts();
        Map<WorkerSlot, Set<Integer>> tasksBefore = tasks();

        apply(request(Direction.OUT, 1, false));

        Map<WorkerSlot, Map<String, Integer>> countsAfter = counts();
        countsBefore.forEach((slot, counts) -> {
            assertEquals(counts, countsAfter.get(slot), slot + " must keep its number of executors of each component");
            assertTrue(tasksBefore.get(slot).containsAll(tasks().get(slot)), slot + " must get no tasks from others");
        });
        Map<WorkerSlot, Map<String, Integer>> added = new HashMap<>(countsAfter);
        added.keySet().removeAll(countsBefore.keySet());
        assertEquals(List.of("m3"), added.keySet().stream().map(WorkerSlot::getNodeId).toList());
        assertEquals(Set.of(Map.of("work", 2, "sink", 1)), Set.copyOf(added.values()));
    }

    @Test
    void shouldMoveOnlyExecutorsOfTheRemovedMachineWhenShrinking() {
        storm.join("m3");
        rounds(3);
        apply(request(Direction.OUT, 1, false));
        rounds(5);
        Map<ExecutorDetails, WorkerSlot> before = Map.copyOf(storm.placement());

        apply(request(Direction.IN, 1, false));

        Set<String> left = new HashSet<>(Set.of("m1", "m2", "m3"));
        storm.placement().values().forEach(slot -> left.remove(slot.getNodeId()));
        assertEquals(1, left.size(), left::toString);
        assertEquals(before.keySet(), storm.placement().keySet());
        before.forEach((executor, slot) -> {
            if (!left.contains(slot.getNodeId())) {
                assertEquals(slot, storm.placement().get(executor));
            }
        });
    }

    @Test
    void shouldMeasureTheResult() {
        storm.join("m3");
        rounds(3);
        ScalingRequest request = request(Direction.OUT, 1, false);
        apply(request);
        workers.sleep(4);
        workers.restart(storm.placement().values().stream().filter(slot -> slot.getNodeId().equals("m1")).map(ClusterView::slot).toList());
        rounds(4);

        assertEquals(List.of(ScalingEvent.Kind.COMMITTED, ScalingEvent.Kind.MEASURED), kinds());
        assertTrue(store.events().stream().allMatch(event -> event.requestId().equals(request.id()) && event.topologyName().equals("linear")
            && event.request().equals("scale out by 1 (etp)")));
        assertEquals("to m3, work 2 -> 4 executors, sink 2 -> 3 executors, 3 of 13 tasks move", store.events().get(0).text());
        String measured = store.events().get(1).text();
        assertTrue(measured.startsWith("throughput 3200.0/s before, 4800.0/s after, "), measured);
        assertTrue(measured.endsWith("; 1 of 2 workers restarted, the last one 4 s after the change"), measured);
    }

    @Test
    void shouldLogThatNothingWasMeasuredWhenHeartbeatsAreMissing() {
        storm.join("m3");
        rounds(3);
        apply(request(Direction.OUT, 1, false));
        coordinator.runRound(storm.view());
        // After the first heartbeats since the change there is no difference to compute a rate from.
        workers.sleep(600);
        coordinator.runRound(storm.view());
        coordinator.runRound(storm.view());

        assertEquals(ScalingEvent.Kind.MEASURED, store.events().get(1).kind());
        assertTrue(store.events().get(1).text().contains("not measured after"), store.events().get(1).text());
    }

    @Test
    void shouldAbortWhenAMachineLeavesBeforeTheRebalance() {
        storm.join("m3");
        rounds(3);
        ScalingResponse response = ask(request(Direction.OUT, 1, false));
        storm.leave("m3");

        rebalance(response.rebalance());
        coordinator.runRound(storm.view());

        assertEquals(List.of(ScalingEvent.Kind.ABORTED), kinds());
        String text = store.events().get(0).text();
        assertTrue(text.startsWith("machine m3 has left the cluster since the plan was made"), text);
        assertTrue(text.endsWith(response.undo()), text);
    }

    @Test
    void shouldAbortWhenTheRebalanceHasOtherNumbers() {
        storm.join("m3");
        rounds(3);
        ScalingResponse response = ask(request(Direction.OUT, 1, false));

        RebalanceOptions other = response.rebalance();
        other.put_to_num_executors("source", 4);
        rebalance(other);
        coordinator.runRound(storm.view());

        assertEquals(List.of(ScalingEvent.Kind.ABORTED), kinds());
    }

    /** Without a round, as after a time in which another Nimbus led. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldForgetAPlanWhenNoRebalanceComes(boolean hasRound) {
        storm.join("m3");
        rounds(3);
        ScalingResponse response = ask(request(Direction.OUT, 1, false));
        workers.sleep(61);
        if (hasRound) {
            coordinator.runRound(storm.view());
        }
        storm.rebalance(response.rebalance());
        Cluster cluster = storm.cluster();

        coordinator.place(storm.details(), cluster);

        assertNull(cluster.getAssignmentById(StormFixture.ID));
    }

    @Test
    void shouldRefuseWithTheReasonWhenThereIsNoPlan() {
        coordinator.runRound(storm.view());
        assertRefused(request(Direction.OUT, 1, true), "has not been measured yet");
        rounds(3);
        assertRefused(request(Direction.OUT, 1, true), "cannot grow by 1 machine(s): no other machine has a free slot");
        assertRefused(request(Direction.IN, 2, true), "cannot shrink by 2 machine(s): it runs on 2 [m1, m2]");
        assertRefused(new ScalingRequest("other", "other", Direction.OUT, 1, ScalingStrategy.ETP, true), "Topology other has no workers");
    }

    @Test
    void shouldRefuseWhenNoOperatorHasTasksForMoreExecutors() {
        RebalanceOptions options = new RebalanceOptions();
        options.set_num_workers(2);
        options.set_num_executors(Map.of("source", 4, "work", 4, "sink", 4));
        rebalance(options);
        storm.join("m3");
        rounds(3);

        assertRefused(request(Direction.OUT, 1, true), "would not change: ");
        assertRefused(request(Direction.OUT, 1, true), "work cannot have more executors than its 4 task(s)");
    }

    @Test
    void shouldRefuseASecondRequestWhileAPlanWaits() {
        storm.join("m3");
        rounds(3);
        ask(request(Direction.OUT, 1, false));

        assertRefused(request(Direction.OUT, 1, false), "is about to be applied");
    }

    @Test
    void shouldRefuseARequestByOneWhoMayNotRebalance() {
        storm.join("m3");
        rounds(3);
        store.setByStranger();

        assertRefused(request(Direction.OUT, 1, true), "You may not rebalance topology " + StormFixture.NAME);
        assertRefused(request(Direction.OUT, 1, false), "You may not rebalance topology " + StormFixture.NAME);
    }

    @Test
    void shouldLogThatAPlanIsLostWhenAnotherNimbusTakesOver() {
        storm.join("m3");
        rounds(3);
        ask(request(Direction.OUT, 1, false));

        coordinator = newCoordinator();
        rounds(3);

        assertEquals(List.of(ScalingEvent.Kind.ABORTED), kinds());
        assertTrue(store.events().get(0).text().contains("another Nimbus became the leader"), store.events().get(0).text());
    }

    @Test
    void shouldLogThatNothingWasMeasuredWhenAnotherNimbusTakesOverAfterTheCommit() {
        storm.join("m3");
        rounds(3);
        ScalingResponse response = ask(request(Direction.OUT, 1, false));
        rebalance(response.rebalance());
        rounds(1);
        assertEquals(List.of(ScalingEvent.Kind.COMMITTED), kinds());

        coordinator = newCoordinator();
        rounds(3);
        coordinator = newCoordinator();
        rounds(3);

        assertEquals(List.of(ScalingEvent.Kind.COMMITTED, ScalingEvent.Kind.MEASURED), kinds());
        assertTrue(store.events().get(1).text().startsWith("result unknown: "), store.events().get(1).text());
    }

    @Test
    void shouldWriteToTheLogLaterWhenItFailsNow() {
        storm.join("m3");
        rounds(3);
        ScalingResponse response = ask(request(Direction.OUT, 1, false));
        rebalance(response.rebalance());
        store.setBroken(true);
        assertThrows(IllegalStateException.class, () -> coordinator.runRound(storm.view()));
        store.setBroken(false);
        coordinator.runRound(storm.view());

        assertEquals(List.of(ScalingEvent.Kind.COMMITTED), kinds());
    }

    @Test
    void shouldRemoveARequestWhenNoClientFetchesTheResponse() {
        ScalingRequest request = request(Direction.OUT, 1, true);
        ask(request);
        workers.sleep(601);
        coordinator.runRound(storm.view());

        assertFalse(store.has(request));
    }

    @Test
    void shouldGrowToAMachineThatJoinsWhenElasticIsAuto() {
        storm.set("topology.elastic", "auto");
        storm.join("m0");
        rounds(3);
        assertEquals(List.of(), rebalances, "m0 was there before the first round");

        storm.join("m3");
        rounds(1);
        assertEquals(1, rebalances.size());
        rebalance(rebalances.get(0));
        rounds(6);

        assertEquals(Set.of("m1", "m2", "m3"), machines());
        assertEquals(1, rebalances.size(), "it has grown to all machines that joined");
        assertEquals(List.of(ScalingEvent.Kind.COMMITTED, ScalingEvent.Kind.MEASURED), kinds());
    }

    @Test
    void shouldNotGrowAutomaticallyByDefault() {
        rounds(3);
        storm.join("m3");
        rounds(3);

        assertEquals(List.of(), rebalances);
        assertEquals(2, coordinator.wantedMachines(), "it uses two, and would not use more");
    }

    @Test
    void shouldLogOnceWhyATopologyDoesNotGrowAutomatically() {
        RebalanceOptions options = new RebalanceOptions();
        options.set_num_workers(2);
        options.set_num_executors(Map.of("source", 4, "work", 4, "sink", 4));
        rebalance(options);
        storm.set("topology.elastic", "auto");
        rounds(3);
        storm.join("m3");
        rounds(5);

        assertEquals(List.of(), rebalances);
        assertEquals(List.of(ScalingEvent.Kind.REFUSED), kinds());
        String text = store.events().get(0).text();
        assertTrue(text.startsWith("the topology does not grow to the machines that joined: "), text);
    }

    @Test
    void shouldRefuseATopologyWithAnInvalidConfiguration() {
        storm.set("topology.elastic", "sometimes");
        rounds(3);
        storm.join("m3");
        rounds(1);

        assertRefused(request(Direction.OUT, 1, true), "topology.elastic is 'sometimes', but must be manual or auto.");
        assertEquals(List.of(), rebalances);
    }

    @Test
    void shouldHaveTheStrategiesThatTopologiesCanConfigure() {
        assertEquals(ElasticityConfiguration.STRATEGIES, Arrays.stream(ScalingStrategy.values()).map(ScalingStrategy::toString).toList());
        assertEquals(CongestionConfiguration.DEFAULT.congestionRate(), new ElasticityConfiguration().congestionRate());
    }

    private ScalingCoordinator newCoordinator() {
        return new ScalingCoordinator(store, workers, (name, options) -> {
            assertEquals(StormFixture.NAME, name);
            rebalances.add(options);
        }, workers::nowMs);
    }

    private Set<String> machines() {
        return storm.placement().values().stream().map(WorkerSlot::getNodeId).collect(Collectors.toSet());
    }

    private List<ScalingEvent.Kind> kinds() {
        return store.events().stream().map(ScalingEvent::kind).toList();
    }

    private ScalingRequest request(Direction direction, int machines, boolean dryRun) {
        return new ScalingRequest("request-" + ++requests, StormFixture.NAME, direction, machines, ScalingStrategy.ETP, dryRun);
    }

    private ScalingResponse ask(ScalingRequest request) {
        store.submit(request);
        coordinator.runRound(storm.view());
        return store.response(request);
    }

    private void assertRefused(ScalingRequest request, String why) {
        ScalingResponse response = ask(request);
        assertTrue(response.isRefused(), response::text);
        assertTrue(response.refusal().contains(why), response::refusal);
    }

    private void apply(ScalingRequest request) {
        ScalingResponse response = ask(request);
        assertNull(response.refusal());
        rebalance(response.rebalance());
        assertFalse(storm.cluster().needsScheduling(storm.details()), "Storm would place it again in its next round");
    }

    private void rebalance(RebalanceOptions options) {
        storm.rebalance(options);
        Cluster cluster = storm.cluster();
        coordinator.place(storm.details(), cluster);
        new DefaultScheduler().schedule(cluster.getTopologies(), cluster);
        storm.keep(cluster);
    }

    private void rounds(int count) {
        for (int round = 0; round < count; round++) {
            coordinator.runRound(storm.view());
            workers.sleep(ROUND_SECS);
        }
        coordinator.runRound(storm.view());
    }

    private Map<WorkerSlot, Map<String, Integer>> counts() {
        Map<WorkerSlot, Map<String, Integer>> counts = new HashMap<>();
        storm.placement().forEach((executor, slot) -> counts.computeIfAbsent(slot, key -> new TreeMap<>())
            .merge(storm.componentOf(executor.getStartTask()), 1, Integer::sum));
        return counts;
    }

    private Map<WorkerSlot, Set<Integer>> tasks() {
        Map<WorkerSlot, Set<Integer>> tasks = new HashMap<>();
        storm.placement().forEach((executor, slot) -> {
            for (int task = executor.getStartTask(); task <= executor.getEndTask(); task++) {
                tasks.computeIfAbsent(slot, key -> new TreeSet<>()).add(task);
            }
        });
        return tasks;
    }
}
