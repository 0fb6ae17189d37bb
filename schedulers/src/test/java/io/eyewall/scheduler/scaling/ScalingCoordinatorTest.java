package io.eyewall.scheduler.scaling;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.eyewall.client.elasticity.ElasticityConfiguration;
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

class ScalingCoordinatorTest {

    private static final int ROUND_SECS = 10;

    private final StormFixture storm = new StormFixture("m1", "m2");
    private final FakeWorkers workers = new FakeWorkers(storm, 1_000_000);
    private final MemoryScalingStore board = new MemoryScalingStore();
    /** What the scheduler has asked Nimbus for by itself. */
    private final List<RebalanceOptions> rebalances = new ArrayList<>();
    private ScalingCoordinator desk = newDesk();
    private int orders;

    @Test
    void shouldPlanWithTheMeasuredRatesWhenAsked() {
        storm.join("m3");
        rounds(3);

        ScalingResponse answer = ask(order(Direction.OUT, 1, true));

        assertNull(answer.refusal());
        assertTrue(answer.text().startsWith("Scale linear-1-1 out by 1 machine, strategy etp: m3"), answer.text());
        assertTrue(answer.text().lines().anyMatch(line -> line.matches("work +2000\\.0 +800\\.0 +1\\.00 +2 -> 4 +4 +yes .*")),
            answer.text());
        assertTrue(answer.text().contains("throughput: 3200.0 tuples/s measured"), answer.text());
        assertEquals(Map.of("work", 4, "sink", 3), answer.executors());
        assertEquals(3, answer.workers());
        assertEquals("storm rebalance linear -w 0 -n 2 -e work=2 -e sink=2", answer.undo());
    }

    @Test
    void shouldLeaveARebalanceToStormAfterADryRun() {
        storm.join("m3");
        rounds(3);
        ScalingResponse answer = ask(order(Direction.OUT, 1, true));
        storm.rebalance(answer.rebalance());
        Cluster cluster = storm.cluster();

        desk.place(storm.details(), cluster);

        assertNull(cluster.getAssignmentById(StormFixture.ID));
    }

    @Test
    void shouldLeaveExecutorsWhereTheyAreAndPutNewOnesOnTheNewMachine() {
        storm.join("m3");
        rounds(3);
        Map<WorkerSlot, Map<String, Integer>> countsBefore = counts();
        Map<WorkerSlot, Set<Integer>> tasksBefore = tasks();

        apply(order(Direction.OUT, 1, false));

        Map<WorkerSlot, Map<String, Integer>> countsAfter = counts();
        countsBefore.forEach((slot, counts) -> {
            assertEquals(counts, countsAfter.get(slot), slot + " has as many executors of each component as before");
            assertTrue(tasksBefore.get(slot).containsAll(tasks().get(slot)), slot + " has got tasks of another");
        });
        Map<WorkerSlot, Map<String, Integer>> added = new HashMap<>(countsAfter);
        added.keySet().removeAll(countsBefore.keySet());
        assertEquals(List.of("m3"), added.keySet().stream().map(WorkerSlot::getNodeId).toList());
        assertEquals(Set.of(Map.of("work", 2, "sink", 1)), Set.copyOf(added.values()));
    }

    @Test
    void shouldMoveOnlyWhatWasOnTheMachineThatIsLeft() {
        storm.join("m3");
        rounds(3);
        apply(order(Direction.OUT, 1, false));
        rounds(5);
        Map<ExecutorDetails, WorkerSlot> before = Map.copyOf(storm.placement());

        apply(order(Direction.IN, 1, false));

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
    void shouldMeasureWhatCameOfIt() {
        storm.join("m3");
        rounds(3);
        ScalingRequest order = order(Direction.OUT, 1, false);
        apply(order);
        workers.sleep(4);
        workers.restart(storm.placement().values().stream().filter(slot -> slot.getNodeId().equals("m1")).map(ClusterView::slot).toList());
        rounds(4);

        assertEquals(List.of(ScalingEvent.Kind.COMMITTED, ScalingEvent.Kind.MEASURED), kinds());
        assertTrue(board.events().stream().allMatch(event -> event.action().equals(order.id()) && event.topologyName().equals("linear")
            && event.order().equals("scale out by 1 (etp)")));
        assertEquals("to m3, work 2 -> 4 executors, sink 2 -> 3 executors, 3 of 13 tasks move", board.events().get(0).text());
        String measured = board.events().get(1).text();
        assertTrue(measured.startsWith("throughput 3200.0/s before, 4800.0/s after, "), measured);
        assertTrue(measured.endsWith("; 1 of 2 workers restarted, the last one 4 s after the change"), measured);
    }

    @Test
    void shouldSayThatNothingWasMeasuredWhenHeartbeatsStayAway() {
        storm.join("m3");
        rounds(3);
        apply(order(Direction.OUT, 1, false));
        desk.work(storm.view());
        // The first heartbeats after the change: no step yet that a rate could be told from.
        workers.sleep(600);
        desk.work(storm.view());
        desk.work(storm.view());

        assertEquals(ScalingEvent.Kind.MEASURED, board.events().get(1).kind());
        assertTrue(board.events().get(1).text().contains("not measured after"), board.events().get(1).text());
    }

    @Test
    void shouldAbortWhenAMachineGoesBeforeTheRebalance() {
        storm.join("m3");
        rounds(3);
        ScalingResponse answer = ask(order(Direction.OUT, 1, false));
        storm.leave("m3");

        rebalance(answer.rebalance());
        desk.work(storm.view());

        assertEquals(List.of(ScalingEvent.Kind.ABORTED), kinds());
        assertTrue(board.events().get(0).text().startsWith("machine m3 has gone since the plan was made"), board.events().get(0).text());
        assertTrue(board.events().get(0).text().endsWith(answer.undo()), board.events().get(0).text());
    }

    @Test
    void shouldAbortWhenTheRebalanceAsksForSomethingElse() {
        storm.join("m3");
        rounds(3);
        ScalingResponse answer = ask(order(Direction.OUT, 1, false));

        RebalanceOptions other = answer.rebalance();
        other.put_to_num_executors("source", 4);
        rebalance(other);
        desk.work(storm.view());

        assertEquals(List.of(ScalingEvent.Kind.ABORTED), kinds());
    }

    @Test
    void shouldForgetAPlanForWhichNoRebalanceComes() {
        storm.join("m3");
        rounds(3);
        ScalingResponse answer = ask(order(Direction.OUT, 1, false));
        workers.sleep(61);
        desk.work(storm.view());
        storm.rebalance(answer.rebalance());
        Cluster cluster = storm.cluster();

        desk.place(storm.details(), cluster);

        assertNull(cluster.getAssignmentById(StormFixture.ID));
    }

    @Test
    void shouldRefuseWithTheReasonWhenThereIsNoPlan() {
        desk.work(storm.view());
        assertRefused(order(Direction.OUT, 1, true), "has not been measured yet");
        rounds(3);
        assertRefused(order(Direction.OUT, 1, true), "cannot grow by 1 machine(s): no other machine has a free slot");
        assertRefused(order(Direction.IN, 2, true), "cannot shrink by 2 machine(s): it runs on 2 [m1, m2]");
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

        assertRefused(order(Direction.OUT, 1, true), "would stay as it is: ");
        assertRefused(order(Direction.OUT, 1, true), "work cannot have more executors than its 4 task(s)");
    }

    @Test
    void shouldRefuseASecondOrderWhileAPlanWaits() {
        storm.join("m3");
        rounds(3);
        ask(order(Direction.OUT, 1, false));

        assertRefused(order(Direction.OUT, 1, false), "is about to be applied");
    }

    @Test
    void shouldSayThatAPlanIsLostWhenAnotherNimbusTakesOver() {
        storm.join("m3");
        rounds(3);
        ask(order(Direction.OUT, 1, false));

        desk = newDesk();
        rounds(3);

        assertEquals(List.of(ScalingEvent.Kind.ABORTED), kinds());
        assertTrue(board.events().get(0).text().contains("another leads now"), board.events().get(0).text());
    }

    @Test
    void shouldSayThatNothingWasMeasuredWhenAnotherNimbusTakesOverAfterTheCommit() {
        storm.join("m3");
        rounds(3);
        ScalingResponse answer = ask(order(Direction.OUT, 1, false));
        rebalance(answer.rebalance());
        rounds(1);
        assertEquals(List.of(ScalingEvent.Kind.COMMITTED), kinds());

        desk = newDesk();
        rounds(3);
        desk = newDesk();
        rounds(3);

        assertEquals(List.of(ScalingEvent.Kind.COMMITTED, ScalingEvent.Kind.MEASURED), kinds());
        assertTrue(board.events().get(1).text().startsWith("not what came of it"), board.events().get(1).text());
    }

    @Test
    void shouldWriteToTheLogLaterWhenItCannotNow() {
        storm.join("m3");
        rounds(3);
        ScalingResponse answer = ask(order(Direction.OUT, 1, false));
        rebalance(answer.rebalance());
        board.fail(true);
        assertThrows(IllegalStateException.class, () -> desk.work(storm.view()));
        board.fail(false);
        desk.work(storm.view());

        assertEquals(List.of(ScalingEvent.Kind.COMMITTED), kinds());
    }

    @Test
    void shouldTakeAnOrderAwayWhenNobodyFetchesTheAnswer() {
        ScalingRequest order = order(Direction.OUT, 1, true);
        ask(order);
        workers.sleep(601);
        desk.work(storm.view());

        assertFalse(board.has(order));
    }

    @Test
    void shouldGrowToAMachineThatJoinsWhenTheTopologySaysSo() {
        storm.set("topology.elastic", "auto");
        storm.join("m0");
        rounds(3);
        assertEquals(List.of(), rebalances, "m0 was there from the beginning");

        storm.join("m3");
        rounds(1);
        assertEquals(1, rebalances.size());
        rebalance(rebalances.get(0));
        rounds(6);

        assertEquals(Set.of("m1", "m2", "m3"), machines());
        assertEquals(1, rebalances.size(), "it has grown to all that joined");
        assertEquals(List.of(ScalingEvent.Kind.COMMITTED, ScalingEvent.Kind.MEASURED), kinds());
    }

    @Test
    void shouldNotGrowByItselfUnlessTheTopologySaysSo() {
        rounds(3);
        storm.join("m3");
        rounds(3);

        assertEquals(List.of(), rebalances);
    }

    @Test
    void shouldSayOnceWhyATopologyDoesNotGrowByItself() {
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
        assertTrue(board.events().get(0).text().startsWith("machines joined, but: "), board.events().get(0).text());
    }

    @Test
    void shouldRefuseATopologyWhoseConfigurationIsWrongAndGoOnWithTheOthers() {
        storm.set("topology.elastic", "sometimes");
        rounds(3);
        storm.join("m3");
        rounds(1);

        assertRefused(order(Direction.OUT, 1, true), "topology.elastic is 'sometimes', but must be manual or auto.");
        assertEquals(List.of(), rebalances);
    }

    @Test
    void shouldKnowTheStrategiesThatTopologiesMayName() {
        assertEquals(ElasticityConfiguration.STRATEGIES, Arrays.stream(ScalingStrategy.values()).map(ScalingStrategy::toString).toList());
        assertEquals(CongestionConfiguration.DEFAULT.congestionRate(), new ElasticityConfiguration().congestionRate());
    }

    private ScalingCoordinator newDesk() {
        return new ScalingCoordinator(board, workers, (name, options) -> {
            assertEquals(StormFixture.NAME, name);
            rebalances.add(options);
        }, workers::nowMs);
    }

    private Set<String> machines() {
        return storm.placement().values().stream().map(WorkerSlot::getNodeId).collect(Collectors.toSet());
    }

    private List<ScalingEvent.Kind> kinds() {
        return board.events().stream().map(ScalingEvent::kind).toList();
    }

    private ScalingRequest order(Direction direction, int machines, boolean dryRun) {
        return new ScalingRequest("order-" + ++orders, StormFixture.NAME, direction, machines, ScalingStrategy.ETP, dryRun);
    }

    private ScalingResponse ask(ScalingRequest order) {
        board.post(order);
        desk.work(storm.view());
        return board.answer(order);
    }

    private void assertRefused(ScalingRequest order, String why) {
        ScalingResponse answer = ask(order);
        assertTrue(answer.isRefused(), answer::text);
        assertTrue(answer.refusal().contains(why), answer::refusal);
    }

    private void apply(ScalingRequest order) {
        ScalingResponse answer = ask(order);
        assertNull(answer.refusal());
        rebalance(answer.rebalance());
        assertFalse(storm.cluster().needsScheduling(storm.details()), "Storm would place it anew in its next round");
    }

    private void rebalance(RebalanceOptions options) {
        storm.rebalance(options);
        Cluster cluster = storm.cluster();
        desk.place(storm.details(), cluster);
        new DefaultScheduler().schedule(cluster.getTopologies(), cluster);
        storm.keep(cluster);
    }

    private void rounds(int count) {
        for (int round = 0; round < count; round++) {
            desk.work(storm.view());
            workers.sleep(ROUND_SECS);
        }
        desk.work(storm.view());
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
