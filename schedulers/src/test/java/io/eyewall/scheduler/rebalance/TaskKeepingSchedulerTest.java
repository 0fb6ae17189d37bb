package io.eyewall.scheduler.rebalance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.eyewall.scheduler.cluster.StormFixture;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.apache.storm.generated.RebalanceOptions;
import org.apache.storm.metric.StormMetricsRegistry;
import org.apache.storm.scheduler.Cluster;
import org.apache.storm.scheduler.DefaultScheduler;
import org.apache.storm.scheduler.EvenScheduler;
import org.apache.storm.scheduler.ExecutorDetails;
import org.apache.storm.scheduler.IScheduler;
import org.apache.storm.scheduler.IsolationScheduler;
import org.apache.storm.scheduler.WorkerSlot;
import org.apache.storm.scheduler.multitenant.MultitenantScheduler;
import org.apache.storm.scheduler.resource.ResourceAwareScheduler;
import org.apache.storm.utils.Utils;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Machines have two slots each. What Storm's schedulers choose by themselves is compared with what they choose when they are wrapped. */
class TaskKeepingSchedulerTest {

    private static final int TASKS = 13;

    static List<Supplier<IScheduler>> schedulers() {
        return List.of(DefaultScheduler::new, EvenScheduler::new);
    }

    @ParameterizedTest
    @MethodSource("schedulers")
    void shouldLeaveAllTasksIfNothingChanges(Supplier<IScheduler> storms) {
        assertEquals(0, rebalance(storms.get(), Map.of()).staying, "as another topology has freed slots that come first");
        assertEquals(TASKS, rebalance(keeping(storms.get()), Map.of()).staying);
    }

    @ParameterizedTest
    @MethodSource("schedulers")
    void shouldMoveAsFewTasksAsANewNumberOfExecutorsAllows(Supplier<IScheduler> storms) {
        Outcome alone = rebalance(storms.get(), Map.of("work", 3));
        Outcome kept = rebalance(keeping(storms.get()), Map.of("work", 3));
        assertEquals(alone.spread, kept.spread);
        assertTrue(kept.staying > alone.staying, kept + " instead of " + alone);
    }

    @Test
    void shouldLeaveTheNodesToASchedulerThatKnowsResources() {
        Outcome alone = rebalance(new ResourceAwareScheduler(), Map.of("work", 3));
        Outcome kept = rebalance(keeping(new ResourceAwareScheduler()), Map.of("work", 3));
        assertEquals(alone.nodes, kept.nodes);
        assertEquals(alone.spread, kept.spread);
        assertTrue(kept.staying > alone.staying, kept + " instead of " + alone);
    }

    @Test
    void shouldMoveOneTaskIfThereIsOneExecutorMore() {
        assertEquals(TASKS - 1, rebalance(keeping(new DefaultScheduler()), Map.of("work", 3)).staying);
    }

    @Test
    void shouldGoToMachinesThatTheSchedulerChooses() {
        StormFixture storm = placed();
        IScheduler scheduler = keeping(new DefaultScheduler());
        Map<Integer, WorkerSlot> before = tasks(storm);
        storm.leave("m1");
        storm.join("m3");
        rebalance(storm, Map.of());
        run(scheduler, storm);

        assertEquals(Set.of("m2", "m3"), storm.placement().values().stream().map(WorkerSlot::getNodeId).collect(Collectors.toSet()));
        tasks(storm).forEach((task, slot) -> {
            if (before.get(task).getNodeId().equals("m2")) {
                assertEquals(before.get(task), slot, () -> "task " + task);
            }
        });
    }

    @Test
    void shouldLeaveASubclassOfStormsSchedulerToChooseTheNode() {
        StormFixture storm = placed();
        storm.join("m0");
        rebalance(storm, Map.of());
        run(keeping(new DefaultScheduler() { }), storm);
        assertEquals(Set.of("m0", "m1"), nodes(storm));
    }

    @Test
    void shouldLeaveAWorkerOnANodeThatIsAsGoodAsAnotherOne() {
        StormFixture storm = placed();
        Map<Integer, WorkerSlot> before = tasks(storm);
        storm.join("m0");
        rebalance(storm, Map.of());
        run(keeping(new DefaultScheduler()), storm);
        assertEquals(TASKS, staying(before, storm));
        assertEquals(Set.of("m1", "m2"), nodes(storm));
    }

    @Test
    void shouldPlaceATopologyAsTheSchedulerChoseIfNothingIsKnownOfTheTimeBefore() {
        StormFixture storm = placed();
        Map<Integer, WorkerSlot> before = tasks(storm);
        rebalance(storm, Map.of());
        run(new TaskKeepingScheduler(new DefaultScheduler(), id -> {
            throw new IllegalStateException("ZooKeeper cannot be reached, for a test");
        }), storm);
        assertEquals(0, staying(before, storm));

        rebalance(storm, Map.of());
        run(new TaskKeepingScheduler(new DefaultScheduler(), id -> Map.of()), storm);
        assertEquals(TASKS, tasks(storm).size());
    }

    @Test
    void shouldRestoreWhatTheSchedulerChoseIfAnAssignmentFails() {
        StormFixture storm = placed();
        Map<Integer, WorkerSlot> before = tasks(storm);
        rebalance(storm, Map.of());
        AtomicInteger assignments = new AtomicInteger();
        Cluster cluster = new Cluster(storm.cluster()) {
            @Override
            public void assign(WorkerSlot slot, String topologyId, Collection<ExecutorDetails> executors) {
                if (assignments.incrementAndGet() == 4) {
                    throw new IllegalStateException("for a test");
                }
                super.assign(slot, topologyId, executors);
            }
        };
        keeping(new DefaultScheduler()).schedule(cluster.getTopologies(), cluster);
        storm.keep(cluster);
        assertEquals(6, assignments.get());
        assertEquals(0, staying(before, storm));
    }

    @Test
    void shouldChangeNothingInTheNextRounds() {
        for (IScheduler scheduler : List.of(new DefaultScheduler(), new EvenScheduler(), new ResourceAwareScheduler(),
                new MultitenantScheduler(), new IsolationScheduler())) {
            Map<String, Object> conf = Utils.readDefaultConfig();
            conf.put("isolation.scheduler.machines", Map.of("another-topology", 1));
            IScheduler keeping = keeping(scheduler);
            keeping.prepare(conf, new StormMetricsRegistry());
            StormFixture storm = placed();
            rebalance(storm, Map.of("work", 3));
            run(keeping, storm);
            Map<Integer, WorkerSlot> after = tasks(storm);
            run(keeping, storm);
            run(keeping, storm);
            assertEquals(after, tasks(storm), () -> scheduler.getClass().getName());
        }
    }

    @Test
    void shouldLeaveATopologyWhoseWorkersRestartToTheScheduler() {
        StormFixture storm = placed();
        storm.set("topology.rebalance.hot", false);
        IScheduler scheduler = keeping(new DefaultScheduler());
        Map<Integer, WorkerSlot> before = tasks(storm);
        rebalance(storm, Map.of());
        run(scheduler, storm);
        assertEquals(0, staying(before, storm));
    }

    @Test
    void shouldPlaceATopologyWhoseRebalanceFoundNoRoom() {
        StormFixture storm = placed();
        IScheduler scheduler = keeping(new DefaultScheduler());
        storm.leave("m1");
        storm.leave("m2");
        rebalance(storm, Map.of());
        Cluster cluster = storm.cluster();
        scheduler.schedule(cluster.getTopologies(), cluster);
        assertNull(cluster.getAssignmentById(StormFixture.ID));
        storm.join("m3");
        run(scheduler, storm);
        assertEquals(TASKS, tasks(storm).size());
    }

    /**
     * What a rebalance did.
     *
     * @param staying the number of tasks in the slot in which they were
     * @param spread how many executors the workers have, and how many of each component
     * @param nodes the node of each task
     */
    private record Outcome(int staying, Map<String, List<Long>> spread, Map<Integer, String> nodes) {
    }

    /** Knows where {@link #placed()} has put the tasks. */
    private static IScheduler keeping(IScheduler scheduler) {
        return new TaskKeepingScheduler(scheduler, id -> tasks(placed()));
    }

    private static Set<String> nodes(StormFixture storm) {
        return storm.placement().values().stream().map(WorkerSlot::getNodeId).collect(Collectors.toSet());
    }

    /** Runs the round of a rebalance. */
    private static Outcome rebalance(IScheduler scheduler, Map<String, Integer> executors) {
        scheduler.prepare(Utils.readDefaultConfig(), new StormMetricsRegistry());
        StormFixture storm = placed();
        Map<Integer, WorkerSlot> before = tasks(storm);
        rebalance(storm, executors);
        run(scheduler, storm);
        Map<Integer, String> nodes = new TreeMap<>();
        tasks(storm).forEach((task, slot) -> nodes.put(task, slot.getNodeId()));
        return new Outcome(staying(before, storm), spread(storm), nodes);
    }

    /** A topology that Storm has placed, except that it uses the last slot of each machine. */
    private static StormFixture placed() {
        StormFixture storm = new StormFixture("m1", "m2");
        storm.set("topology.rebalance.hot", true);
        storm.set("topology.component.resources.onheap.memory.mb", 10.0);
        Map<ExecutorDetails, WorkerSlot> placement = new HashMap<>(storm.placement());
        placement.replaceAll((executor, slot) -> new WorkerSlot(slot.getNodeId(), 6701));
        storm.place(placement);
        return storm;
    }

    private static void rebalance(StormFixture storm, Map<String, Integer> executors) {
        RebalanceOptions options = new RebalanceOptions();
        options.set_num_executors(executors);
        options.set_num_workers(2);
        storm.rebalance(options);
    }

    private static void run(IScheduler scheduler, StormFixture storm) {
        Cluster cluster = storm.cluster();
        scheduler.schedule(cluster.getTopologies(), cluster);
        storm.keep(cluster);
    }

    private static int staying(Map<Integer, WorkerSlot> before, StormFixture storm) {
        Map<Integer, WorkerSlot> after = tasks(storm);
        assertEquals(before.keySet(), after.keySet(), "each task has a slot");
        return (int) before.entrySet().stream().filter(task -> task.getValue().equals(after.get(task.getKey()))).count();
    }

    private static Map<Integer, WorkerSlot> tasks(StormFixture storm) {
        Map<Integer, WorkerSlot> tasks = new TreeMap<>();
        storm.placement().forEach((executor, slot) -> KeptTasks.tasks(executor).forEach(task -> tasks.put(task, slot)));
        return tasks;
    }

    private static Map<String, List<Long>> spread(StormFixture storm) {
        Map<String, List<Long>> spread = new TreeMap<>();
        storm.placement().entrySet().stream().collect(Collectors.groupingBy(
            entry -> storm.componentOf(entry.getKey().getStartTask()), Collectors.groupingBy(Map.Entry::getValue, Collectors.counting())))
            .forEach((component, workers) -> spread.put(component, workers.values().stream().sorted().toList()));
        spread.put("all", storm.placement().values().stream().collect(Collectors.groupingBy(slot -> slot, Collectors.counting())).values()
            .stream().sorted().toList());
        return spread;
    }
}
