package io.eyewall.scheduler.rebalance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.eyewall.scheduler.cluster.StormFixture;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.apache.storm.generated.RebalanceOptions;
import org.apache.storm.metric.StormMetricsRegistry;
import org.apache.storm.scheduler.Cluster;
import org.apache.storm.scheduler.DefaultScheduler;
import org.apache.storm.scheduler.EvenScheduler;
import org.apache.storm.scheduler.ExecutorDetails;
import org.apache.storm.scheduler.IScheduler;
import org.apache.storm.scheduler.WorkerSlot;
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
        assertEquals(TASKS, rebalance(new TaskKeepingScheduler(storms.get()), Map.of()).staying);
    }

    @ParameterizedTest
    @MethodSource("schedulers")
    void shouldMoveAsFewTasksAsANewNumberOfExecutorsAllows(Supplier<IScheduler> storms) {
        Outcome alone = rebalance(storms.get(), Map.of("work", 3));
        Outcome kept = rebalance(new TaskKeepingScheduler(storms.get()), Map.of("work", 3));
        assertEquals(alone.spread, kept.spread);
        assertTrue(kept.staying > alone.staying, kept + " instead of " + alone);
    }

    @Test
    void shouldLeaveTheNodesToASchedulerThatKnowsResources() {
        Outcome alone = rebalance(new ResourceAwareScheduler(), Map.of("work", 3));
        Outcome kept = rebalance(new TaskKeepingScheduler(new ResourceAwareScheduler()), Map.of("work", 3));
        assertEquals(alone.nodes, kept.nodes);
        assertEquals(alone.spread, kept.spread);
        assertTrue(kept.staying > alone.staying, kept + " instead of " + alone);
    }

    @Test
    void shouldMoveOneTaskIfThereIsOneExecutorMore() {
        assertEquals(TASKS - 1, rebalance(new TaskKeepingScheduler(new DefaultScheduler()), Map.of("work", 3)).staying);
    }

    @Test
    void shouldGoToMachinesThatTheSchedulerChooses() {
        StormFixture storm = placed();
        IScheduler scheduler = new TaskKeepingScheduler(new DefaultScheduler());
        run(scheduler, storm);
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
    void shouldKnowNothingOfWhatAnotherNimbusPlaced() {
        StormFixture storm = placed();
        Map<Integer, WorkerSlot> before = tasks(storm);
        rebalance(storm, Map.of());
        IScheduler scheduler = new TaskKeepingScheduler(new DefaultScheduler());
        run(scheduler, storm);
        assertEquals(0, staying(before, storm));
    }

    @Test
    void shouldLeaveATopologyWhoseWorkersRestartToTheScheduler() {
        StormFixture storm = placed();
        storm.set("topology.rebalance.hot", false);
        IScheduler scheduler = new TaskKeepingScheduler(new DefaultScheduler());
        run(scheduler, storm);
        Map<Integer, WorkerSlot> before = tasks(storm);
        rebalance(storm, Map.of());
        run(scheduler, storm);
        assertEquals(0, staying(before, storm));
    }

    @Test
    void shouldPlaceATopologyWhoseRebalanceFoundNoRoom() {
        StormFixture storm = placed();
        IScheduler scheduler = new TaskKeepingScheduler(new DefaultScheduler());
        run(scheduler, storm);
        storm.leave("m1");
        storm.leave("m2");
        rebalance(storm, Map.of());
        Cluster cluster = storm.cluster();
        scheduler.schedule(cluster.getTopologies(), cluster);
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

    /** Runs a round in which nothing is to be done, and one of a rebalance. */
    private static Outcome rebalance(IScheduler scheduler, Map<String, Integer> executors) {
        scheduler.prepare(Utils.readDefaultConfig(), new StormMetricsRegistry());
        StormFixture storm = placed();
        run(scheduler, storm);
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
