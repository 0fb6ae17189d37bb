package io.eyewall.integration.system;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.eyewall.integration.cluster.ClusterExtension;
import io.eyewall.integration.cluster.ClusterSpecification;
import io.eyewall.integration.cluster.ProcessCluster;
import io.eyewall.integration.cluster.RedisServer;
import io.eyewall.integration.cluster.WorkerProcess;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.storm.generated.ExecutorSummary;
import org.apache.storm.generated.RebalanceOptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Topologies with a replayable source run in two workers, under a Supervisor each, and are rebalanced on the way. */
@Tag("system")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class HotRebalanceSystemTest {

    private static final Path DIRECTORY = Installations.workDirectory("hot-rebalance");
    private static final String TOPOLOGY = "replay";
    private static final String STATEFUL = "tally";
    private static final String CONGESTED = "congested";
    private static final int CONGESTED_COUNT = 2_000;
    /** It takes so long to execute them that a shuffle knows the loads of executors. */
    private static final int CONGESTED_SOME = 700;
    /** A message that is lost fails then: long enough for a busy machine, short enough to wait for it. */
    private static final String TIMEOUT_SECS = "20";
    /** Two seconds' worth. */
    private static final int SOME = 200;

    @RegisterExtension
    static final ClusterExtension CLUSTER = new ClusterExtension(() -> ClusterSpecification.of(Installations.eyewall(), DIRECTORY)
        .withSupervisors(2, 2).withSettings(QuickSettings.all()));

    private ProcessCluster processes;
    private DropInCluster cluster;

    @BeforeAll
    void submit() {
        processes = CLUSTER.cluster();
        cluster = new DropInCluster(processes, DIRECTORY,
            Map.of("dropin.replay.count", "1000000", "dropin.replay.timeout.secs", TIMEOUT_SECS));
        cluster.submit(TOPOLOGY);
        processes.awaitRunning(TOPOLOGY, 2);
        awaitMore();
    }

    @Test
    @Order(1)
    void shouldKeepItsWorkersWhenExecutorsJoinAndSplitAndMove() {
        Set<Long> workers = pids(TOPOLOGY);
        Map<List<Integer>, String> before = places(TOPOLOGY);
        assertEquals(2, workersOf("first"), "no task would go from one worker to the other");
        assertEquals(2, workersOf("second"), "no task would go from one worker to the other");

        rebalance(6, Map.of("first", 1));
        rebalance(5, Map.of("second", 1));
        rebalance(7, Map.of("first", 2, "second", 2));

        assertEquals(workers, pids(TOPOLOGY));
        assertEquals(before.keySet(), places(TOPOLOGY).keySet());
        assertEquals(before.get(firstOf("numbers")), places(TOPOLOGY).get(firstOf("numbers")), "the spout need not have moved");
        assertEquals(2, workersOf("first"));
        assertEquals(2, workersOf("second"));
        assertNothingFailedOrCameTwice();
    }

    @Test
    @Order(2)
    void shouldKeepTheOtherWorkerWhenOneGoesAndComes() {
        Set<Long> workers = pids(TOPOLOGY);

        rebalanceToWorkers(1);
        Set<Long> left = pids(TOPOLOGY);
        assertTrue(workers.containsAll(left), workers + " became " + left);
        rebalanceToWorkers(2);

        assertTrue(pids(TOPOLOGY).containsAll(left), left + " became " + pids(TOPOLOGY));
        assertNothingFailedOrCameTwice();
    }

    /** {@link FailuresSystemTest} kills workers among changes, too, with a shorter timeout. */
    @Test
    @Order(3)
    @Tag("long")
    void shouldLoseNothingWhenAWorkerIsKilledOnTheWay() {
        Set<Long> workers = pids(TOPOLOGY);
        WorkerProcess victim = processes.workers(TOPOLOGY).get(0);
        processes.topologies().rebalance(TOPOLOGY, 0, Map.of("first", 1));
        victim.kill();
        processes.await("another worker has taken its place", () -> pids(TOPOLOGY).size() == 2 && !pids(TOPOLOGY).equals(workers));
        awaitExecutors(TOPOLOGY, 6);
        awaitAllAcked();
    }

    @Test
    @Order(4)
    void shouldTakeStateWithBoltsThatMove() {
        String missing = RedisServer.unavailabilityCause().orElse("");
        assumeTrue(missing.isEmpty(), missing);
        try (RedisServer redis = RedisServer.start(DIRECTORY)) {
            DropInCluster stateful = new DropInCluster(processes, DIRECTORY, Map.of("dropin.redis", "localhost:" + redis.port()));
            stateful.submit(STATEFUL);
            processes.awaitRunning(STATEFUL, 2);
            stateful.awaitAcks(STATEFUL, SOME);
            Set<Long> workers = pids(STATEFUL);
            assertEquals(2, processes.topologies().executors(STATEFUL, "tally").stream().map(ExecutorSummary::get_port).distinct().count(),
                "both tasks are in one worker, and neither would have to move");
            for (int number : List.of(1, 2, 1, 2)) {
                processes.topologies().rebalance(STATEFUL, 0, Map.of("tally", number));
                awaitExecutors(STATEFUL, 6 + number);
                stateful.awaitAcks(STATEFUL, (int) stateful.count(STATEFUL, "numbers", "ack ") + SOME);
            }

            assertEquals(workers, pids(STATEFUL));
            assertEquals(List.of(), stateful.lines(STATEFUL, "numbers").stream().filter(line -> line.startsWith("fail ")).toList());
            Lines.byFile(stateful.output(STATEFUL), "tally").forEach((task, counts) ->
                assertEquals(IntStream.rangeClosed(1, counts.size()).mapToObj(String::valueOf).toList(), counts, task));
            List<String> after = stateful.lines(STATEFUL, "after");
            assertEquals(after.stream().distinct().count(), after.size(), "a number came twice");
            stateful.end(STATEFUL);
        }
    }

    @Test
    @Order(5)
    void shouldKeepItsSlotsAndSendOnWhatACongestedExecutorHasNotBegun() {
        DropInCluster congested = new DropInCluster(processes, DIRECTORY, Map.of());
        congested.submit(CONGESTED);
        processes.awaitRunning(CONGESTED, 2);
        congested.awaitAcks(CONGESTED, CONGESTED_SOME);
        Set<Long> workers = pids(CONGESTED);
        int executors = processes.topologies().info(CONGESTED).orElseThrow().get_executors_size();
        cluster.end(TOPOLOGY); // It frees slots that Storm's scheduler prefers.

        processes.topologies().rebalance(CONGESTED, 0, Map.of("slow", 4));
        awaitExecutors(CONGESTED, executors + 3);
        congested.awaitAcks(CONGESTED, CONGESTED_COUNT);

        assertEquals(workers, pids(CONGESTED));
        assertEquals(List.of(), congested.lines(CONGESTED, "numbers").stream().filter(line -> line.startsWith("fail ")).toList());
        List<String> executed = congested.lines(CONGESTED, "slow");
        assertEquals(CONGESTED_COUNT, executed.size(), "a number was executed twice");
        Map<String, Long> byPort =
            executed.stream().collect(Collectors.groupingBy(line -> line.substring(line.indexOf(' ') + 1), Collectors.counting()));
        assertTrue(byPort.size() == 2 && byPort.values().stream().allMatch(numbers -> numbers > CONGESTED_COUNT / 5),
            "the new executors got neither what waited nor what came: " + byPort);
        congested.end(CONGESTED);
    }

    @Test
    @Order(6)
    void shouldAckEachMessageOnceWhenSpoutsMoveThatReplayLateMessages() {
        cluster = new DropInCluster(processes, DIRECTORY.resolve("adaptive"), Map.of("dropin.replay.count", "1000000",
            "dropin.replay.timeout.secs", TIMEOUT_SECS, "topology.adaptive.timeout", "true", "topology.adaptive.timeout.samples", "10",
            "topology.adaptive.timeout.percent", "50"));
        cluster.submit(TOPOLOGY);
        processes.awaitRunning(TOPOLOGY, 2);
        awaitMore();
        Set<Long> workers = pids(TOPOLOGY);
        String before = places(TOPOLOGY).get(firstOf("numbers"));

        StormCommand storm = new StormCommand(Installations.eyewall(), DIRECTORY.resolve("client.yaml"));
        assertEquals(0, storm.run("drain", supervisorOf(before), "--timeout", "120").exitCode());
        awaitMore();
        rebalance(6, Map.of("first", 1));

        assertNotEquals(before, places(TOPOLOGY).get(firstOf("numbers")), "the spout has stayed");
        assertEquals(1, pids(TOPOLOGY).stream().filter(workers::contains).count(), "the other worker runs on");
        processes.await("a late message is sent again",
            () -> cluster.lines(TOPOLOGY, "first").size() > Set.copyOf(cluster.lines(TOPOLOGY, "first")).size());
        awaitAllAcked();
        List<String> outcomes = cluster.lines(TOPOLOGY, "numbers");
        assertEquals(outcomes.size(), outcomes.stream().filter(line -> line.startsWith("ack ")).distinct().count(),
            "failed, or acked twice");
    }

    private void rebalance(int allExecutors, Map<String, Integer> executors) {
        processes.topologies().rebalance(TOPOLOGY, 0, executors);
        awaitExecutors(TOPOLOGY, allExecutors);
        awaitMore();
    }

    private void rebalanceToWorkers(int number) {
        RebalanceOptions options = new RebalanceOptions();
        options.set_wait_secs(0);
        options.set_num_workers(number);
        processes.topologies().rebalance(TOPOLOGY, options);
        processes.await("the topology has " + number + " workers",
            () -> processes.topologies().find(TOPOLOGY).orElseThrow().get_num_workers() == number);
        processes.awaitRunning(TOPOLOGY, number);
        awaitMore();
    }

    /** Waits until Nimbus has given out so many executors, before it is asked which: upstream's may remember the old ones otherwise. */
    private void awaitExecutors(String topology, int all) {
        processes.await(topology + " has " + all + " executors",
            () -> processes.topologies().find(topology).orElseThrow().get_num_executors() == all);
        processes.awaitRunning(topology, 2);
    }

    private void awaitMore() {
        long enough = acks() + SOME;
        processes.await(SOME + " more messages are acked", () -> acks() >= enough);
    }

    private long acks() {
        return cluster.count(TOPOLOGY, "numbers", "ack ");
    }

    /** Waits until every number up to the last that has been emitted is acked; then both bolts must have got them all. */
    private void awaitAllAcked() {
        awaitMore();
        int end = cluster.lines(TOPOLOGY, "first").stream().mapToInt(Integer::parseInt).max().orElseThrow() + 1;
        Set<String> all = IntStream.range(0, end).mapToObj(String::valueOf).collect(Collectors.toSet());
        processes.await("all numbers below " + end + " are acked", () -> cluster.lines(TOPOLOGY, "numbers").stream()
            .filter(line -> line.startsWith("ack ")).map(line -> line.substring("ack ".length())).collect(Collectors.toSet())
            .containsAll(all));
        assertTrue(Set.copyOf(cluster.lines(TOPOLOGY, "first")).containsAll(all));
        assertTrue(Set.copyOf(cluster.lines(TOPOLOGY, "second")).containsAll(all));
    }

    private void assertNothingFailedOrCameTwice() {
        awaitAllAcked();
        assertEquals(List.of(), cluster.lines(TOPOLOGY, "numbers").stream().filter(line -> line.startsWith("fail ")).toList());
        assertOnce("first");
        assertOnce("second");
    }

    private void assertOnce(String component) {
        List<String> lines = cluster.lines(TOPOLOGY, component);
        assertEquals(lines.stream().distinct().count(), lines.size(), component + " got a number twice");
    }

    private Set<Long> pids(String topology) {
        return WorkerProcess.pids(processes.workers(topology));
    }

    private List<Integer> firstOf(String component) {
        return processes.topologies().executors(TOPOLOGY, component).stream().map(HotRebalanceSystemTest::tasks)
            .sorted((one, other) -> one.get(0) - other.get(0)).findFirst().orElseThrow();
    }

    private long workersOf(String component) {
        return processes.topologies().executors(TOPOLOGY, component).stream().map(ExecutorSummary::get_port).distinct().count();
    }

    /** The id of the Supervisor with a worker, HOST:PORT. */
    private String supervisorOf(String worker) {
        String id = processes.topologies().find(TOPOLOGY).orElseThrow().get_id();
        return processes.topologies().ask("the workers of " + TOPOLOGY, nimbus -> nimbus.getTopologyPageInfo(id, ":all-time", false))
            .get_workers().stream().filter(one -> worker.equals(one.get_host() + ":" + one.get_port())).findFirst().orElseThrow()
            .get_supervisor_id();
    }

    private Map<List<Integer>, String> places(String topology) {
        return processes.topologies().info(topology).orElseThrow().get_executors().stream().collect(
            Collectors.toMap(HotRebalanceSystemTest::tasks, executor -> executor.get_host() + ":" + executor.get_port()));
    }

    private static List<Integer> tasks(ExecutorSummary executor) {
        return List.of(executor.get_executor_info().get_task_start(), executor.get_executor_info().get_task_end());
    }
}
