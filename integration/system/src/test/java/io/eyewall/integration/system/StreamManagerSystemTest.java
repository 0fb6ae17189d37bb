package io.eyewall.integration.system;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.eyewall.client.engine.EngineConfiguration;
import io.eyewall.client.stream.StreamConfiguration;
import io.eyewall.integration.cluster.ClusterExtension;
import io.eyewall.integration.cluster.ClusterSpecification;
import io.eyewall.integration.cluster.Daemon;
import io.eyewall.integration.cluster.ProcessCluster;
import io.eyewall.integration.cluster.Signals;
import io.eyewall.integration.cluster.Submission;
import io.eyewall.integration.cluster.WorkerFiles;
import io.eyewall.integration.cluster.WorkerProcess;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.storm.generated.ExecutorSummary;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A topology with a replayable source runs in containers with stream managers, whose processes die, and whose executors move. */
@Tag("system")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class StreamManagerSystemTest {

    private static final Path DIRECTORY = Installations.workDirectory("stream-manager");
    private static final String TOPOLOGY = "replay";
    private static final String MANAGER = ContainerChildren.STREAM_MANAGERS;
    private static final String INSTANCE = ContainerChildren.INSTANCES;
    private static final String SOAK_SECS = "eyewall.soak.secs";
    private static final String SEED = "eyewall.seed";
    private static final String HELD_BACK = "held-back";
    private static final int MANY = 300;
    /** A number for which a bolt reports an error. */
    private static final String ERROR = "77";
    private static final int KINDS = 4;
    private static final int ENDPOINT_OFFSET = 10_000;
    /** Places topologies that it does not isolate as Storm's default does, and nothing brings tasks back to the node where they were. */
    private static final String SCHEDULER = "org.apache.storm.scheduler.IsolationScheduler";

    @RegisterExtension
    static final ClusterExtension CLUSTER = new ClusterExtension(() -> ClusterSpecification.of(Installations.eyewall(), DIRECTORY)
        .withSupervisors(2, 2).withSettings(QuickSettings.all()).withSettings(Map.of(StreamConfiguration.MODE, "stream-manager",
            "topology.component.resources.onheap.memory.mb", 128.0, "blacklist.scheduler.tolerance.count", 1_000,
            "storm.scheduler", SCHEDULER, "isolation.scheduler.machines", Map.of("another-topology", 1))));

    private ProcessCluster processes;
    private DropInCluster cluster;
    private StormCommand storm;
    private boolean isSubmitted;

    @BeforeAll
    void submit() {
        processes = CLUSTER.cluster();
        storm = new StormCommand(Installations.eyewall(), DIRECTORY.resolve("client.yaml"));
        cluster = new DropInCluster(processes, DIRECTORY, Map.of("dropin.replay.count", "1000000", "dropin.replay.account", "true",
            "dropin.replay.error", ERROR, "topology.worker.gc.childopts", "-Xlog:gc:file=artifacts/gc.log"));
        cluster.submit(TOPOLOGY);
        processes.awaitRunning(TOPOLOGY, 2);
        awaitManyMore();
    }

    @Test
    @Order(1)
    void shouldRunAProcessForEachExecutorAndAStreamManagerForEachSlot() {
        assertEquals(2, children(MANAGER).size());
        assertEquals(Set.of("first", "numbers", "second"), children(INSTANCE).values().stream()
            .map(name -> name.substring(0, name.indexOf('-'))).collect(Collectors.toSet()));
        assertEquals(5, children(INSTANCE).size(), () -> "acker executors have none of their own: " + children(INSTANCE));
        processes.await("Nimbus knows what every executor has done", () -> executors().stream()
            .filter(executor -> !executor.get_component_id().startsWith("__"))
            .allMatch(executor -> executor.is_set_stats() && executor.get_stats().get_emitted().get(":all-time").values().stream()
                .mapToLong(Long::longValue).sum() > 0));
    }

    @Test
    @Order(2)
    void shouldGiveEachProcessLogsAndAHeapOfItsOwn() throws IOException {
        Set<String> logs = new TreeSet<>();
        try (var files = Files.walk(DIRECTORY)) {
            files.filter(file -> file.toString().endsWith(".log")).forEach(file -> {
                logs.add(file.getFileName().toString());
                logs.add(file.getParent().getFileName() + "/" + file.getFileName());
            });
        }
        Set<String> names = new TreeSet<>(children(INSTANCE).values());
        names.add("stream-manager");
        names.forEach(name -> assertTrue(logs.containsAll(List.of(name + ".log", name + "/gc.log")), () -> name + " in " + logs));
        assertEquals(Set.of("-Xmx176m"), children(INSTANCE).keySet().stream().map(StreamManagerSystemTest::heap)
            .collect(Collectors.toSet()), "48 MB and an executor's");
    }

    /** The JVM takes the last option. */
    private static String heap(long pid) {
        return ContainerChildren.commandLine(pid).stream().filter(word -> word.startsWith("-Xmx")).reduce((before, last) -> last)
            .orElseThrow();
    }

    @Test
    @Order(2)
    void shouldShowErrorsThatBoltsReport() {
        processes.await("Nimbus has the error", () -> processes.topologies().info(TOPOLOGY).orElseThrow().get_errors()
            .getOrDefault("first", List.of()).stream().anyMatch(error -> error.get_error().contains("IllegalArgumentException: " + ERROR)
                && processes.workers(TOPOLOGY).stream().anyMatch(container -> container.port() == error.get_port())));
        processes.awaitCommand("the command shows it", () -> storm.run("get-errors", TOPOLOGY).output().stream()
            .anyMatch(line -> line.contains("IllegalArgumentException: " + ERROR)));
    }

    @Test
    @Order(2)
    void shouldSetLogLevelsInAllInstances() {
        StormCommand.Outcome outcome = storm.run("set_log_level", "-l", "ROOT=DEBUG:10", TOPOLOGY);
        assertEquals(0, outcome.exitCode(), outcome.errors()::toString);

        children(INSTANCE).values().forEach(name -> processes.await(name + " logs more", () ->
            WorkerFiles.named(name + ".log", processes.logs(), TOPOLOGY + "-").stream()
                .anyMatch(log -> WorkerFiles.contains(log, "[DEBUG]"))));
    }

    /** Before Supervisors are killed: Nimbus forgets one that is back when the session of the killed one ends, for some seconds. */
    @Test
    @Order(3)
    void shouldMoveExecutorsWithoutRestartingContainers() {
        Set<Long> containers = processes.workers(TOPOLOGY).stream().map(WorkerProcess::pid).collect(Collectors.toSet());
        Set<String> before = Set.copyOf(children(INSTANCE).values());

        processes.topologies().rebalance(TOPOLOGY, 0, Map.of("first", 1));

        processes.await("one process has both tasks of a bolt", () -> children(INSTANCE).size() == before.size() - 1);
        awaitManyMore();
        assertEquals(containers, processes.workers(TOPOLOGY).stream().map(WorkerProcess::pid).collect(Collectors.toSet()));
        awaitSettled("after a rebalance");
    }

    /** 15 seconds of it and each kind at least once, or as long as {@value #SOAK_SECS} says. */
    @Test
    @Order(4)
    void shouldLoseNothingWhenProcessesOfEveryKindAreKilled() {
        long seed = Long.getLong(SEED, System.currentTimeMillis());
        System.out.println("Kills from -D" + SEED + "=" + seed);
        Random random = new Random(seed);
        Map<String, Integer> killed = new TreeMap<>();
        long endMs = System.currentTimeMillis() + TimeUnit.SECONDS.toMillis(Integer.getInteger(SOAK_SECS, 15));
        do {
            String kind = List.of(MANAGER, INSTANCE, "container", "supervisor").get(random.nextInt(KINDS));
            if (kind.equals("supervisor")) {
                Daemon supervisor = processes.supervisors().get(random.nextInt(2));
                supervisor.kill(); // Instances then read their assignment in ZooKeeper.
                awaitManyMore();
                supervisor.start();
                killed.merge(kind, 1, Integer::sum);
                continue;
            }
            List<Long> pids = kind.equals("container") ? processes.workers(TOPOLOGY).stream().map(WorkerProcess::pid).toList()
                : List.copyOf(children(kind).keySet());
            if (!pids.isEmpty()) {
                long victim = pids.get(random.nextInt(pids.size()));
                ProcessHandle.of(victim).ifPresent(ProcessHandle::destroyForcibly);
                killed.merge(kind, 1, Integer::sum);
            }
            long enough = acks() + random.nextInt(MANY);
            processes.await("messages are acked again", () -> acks() >= enough);
        } while (System.currentTimeMillis() < endMs || killed.size() < KINDS);
        awaitManyMore();
        awaitSettled(killed.toString());
    }

    /** Its container kills it when its heartbeats stop, which takes half a minute. */
    @Test
    @Tag("long")
    @Order(4)
    void shouldReplaceAStreamManagerThatHangs() {
        long hanging = children(MANAGER).keySet().iterator().next();
        Signals.send("STOP", hanging);

        processes.await("the stream manager that hangs has been killed", () -> ProcessHandle.of(hanging).isEmpty());
        awaitManyMore();
        awaitSettled("after a stream manager that hung");
    }

    @Test
    @Order(5)
    void shouldLeaveNothingBehindWhenTheTopologyEnds() {
        if (EngineConfiguration.AUTO.equals(System.getProperty("eyewall.shared.memory"))) {
            SharedMemory.assertUsedAndLeft(processes, TOPOLOGY);
        }
        Set<Long> pids = new TreeSet<>(children(INSTANCE).keySet());
        pids.addAll(children(MANAGER).keySet());

        processes.topologies().kill(TOPOLOGY, 0);
        processes.awaitGone(TOPOLOGY);

        processes.await("all processes have ended", () -> pids.stream().noneMatch(pid -> ProcessHandle.of(pid).isPresent()));
    }

    /** They are larger than what a socket takes at once, so that instances and stream managers wait for space. */
    @Test
    @Order(6)
    void shouldCarryTuplesThatAreLargerThanASocketTakes() throws IOException {
        submitSideBySide();
        cluster.awaitAcks("sizes", 18);

        assertTrue(cluster.lines("sizes", "back").stream().anyMatch(line -> line.endsWith(": 8388608 bytes intact")));
        assertTrue(cluster.lines("sizes", "back").stream().allMatch(line -> line.endsWith("intact")));
        processes.topologies().kill("sizes", 0);
        processes.awaitGone("sizes");
    }

    /** A bolt that sleeps for 4 ms over each tuple passes 250 in a second at most. */
    @Test
    @Order(7)
    void shouldShowWhoHoldsOthersBackAndWhereTimeGoes() throws Exception {
        String name = HELD_BACK;
        submitSideBySide();
        processes.awaitRunning(name, 2);

        processes.awaitCommand("bolt-0 holds the spout", () -> storm.run("back-pressure", name).output().stream()
            .anyMatch(line -> line.startsWith("bolt-0 holds back spout, for ")));
        processes.awaitCommand("the way between two containers is recorded", () -> {
            List<String> table = storm.run("latency", name).output();
            return Stream.of("execute", "to-stream-manager", "between-stream-managers", "network", "in-stream-manager").allMatch(point ->
                table.stream().anyMatch(line -> line.startsWith(point + " ")));
        });
        processes.await("the time in back-pressure is counted", () -> processes.workers(name).stream().anyMatch(container ->
            metrics(container).lines().anyMatch(line -> line.matches("eyewall_back_pressure_seconds_total\\{topology=\"held-back\","
                + "component=\"bolt-0\",task=\"\\d+\"} [\\d.]+"))));
        shouldGoOnWhenStreamManagersDieMeanwhile(name);
        processes.topologies().kill(name, 0);
        processes.awaitGone(name);
    }

    /** The slow bolt holds its tuples back until its stream manager is there again, and its queue is full all the time. */
    private void shouldGoOnWhenStreamManagersDieMeanwhile(String name) {
        Set<Long> former = new TreeSet<>();
        processes.workers(name).forEach(container -> former.addAll(ContainerChildren.of(container, MANAGER).keySet()));
        former.forEach(pid -> ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly));
        processes.await("there are other stream managers", () -> processes.workers(name).stream().allMatch(container -> {
            Set<Long> now = ContainerChildren.of(container, MANAGER).keySet();
            return !now.isEmpty() && Collections.disjoint(now, former);
        }));

        long enough = executed(name, "bolt-0") + 2_500; // Ten seconds of its work: more than was not reported before.
        processes.await("the slow bolt executes more", () -> executed(name, "bolt-0") > enough);
    }

    private long executed(String topology, String bolt) {
        return processes.topologies().info(topology).orElseThrow().get_executors().stream()
            .filter(executor -> executor.get_component_id().equals(bolt) && executor.is_set_stats())
            .flatMap(executor -> executor.get_stats().get_specific().get_bolt().get_executed().get(":all-time").values().stream())
            .mapToLong(Long::longValue).sum();
    }

    /** The topologies of two tests, whose processes start at the same time. Does nothing the second time. */
    private void submitSideBySide() throws IOException {
        if (isSubmitted) {
            return;
        }
        isSubmitted = true;
        cluster.submit("sizes");
        processes.submit(Submission.of(Installations.examplesJar(), "io.eyewall.examples.Main", "linear", HELD_BACK)
            .with("topology.workers", 2).with("topology.acker.executors", 0).with("eyewall.rate.per.sec", 700)
            .with("eyewall.work.ms.bolt-0", 4).with("eyewall.parallelism", 1).with("eyewall.tasks", 1)
            .with("topology.executor.receive.buffer.size", 128).with("topology.latency.recording", "all"));
    }

    /** Near to the next test: without acks, nothing hides a loss. */
    @Test
    @Tag("long")
    @Order(8)
    void shouldKeepEachTupleOfInstancesThatMoveAndItsPlace() {
        DropInCluster acked = new DropInCluster(processes, DIRECTORY, Map.of("topology.message.timeout.secs", "120"));
        MovingTopology moving = new MovingTopology(processes, acked);
        moving.move(List.of(Map.of("relay", 1)));
        moving.assertInPlace();
        acked.end(MovingTopology.NAME);
    }

    /** A loss that a timeout would hide. At last a container loses all of its instances, and there is a new one. */
    @Test
    @Order(9)
    void shouldKeepEachTupleOfInstancesThatMoveAndItsPlaceWithoutAcks() {
        MovingTopology moving = new MovingTopology(processes,
            new DropInCluster(processes, DIRECTORY.resolve("unacked"), Map.of("dropin.unacked", "true")));
        moving.move(List.of(Map.of("relay", 1), Map.of("relay", 2, "sink", 1)));
        moving.changeWorkers(1);
        moving.changeWorkers(2);
        moving.assertInPlace();
    }

    private static String metrics(WorkerProcess container) {
        try {
            URI address = URI.create("http://localhost:" + (container.port() + ENDPOINT_OFFSET) + "/metrics");
            return HttpClient.newHttpClient().send(HttpRequest.newBuilder(address).build(), HttpResponse.BodyHandlers.ofString()).body();
        } catch (IOException e) {
            return ""; // It has not begun to listen.
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Stops the spout until all of its messages have come back, and then lets it go on. */
    private void awaitSettled(String after) {
        processes.topologies().deactivate(TOPOLOGY);
        AtomicReference<SpoutAccount> account = new AtomicReference<>();
        try {
            processes.await("every message is accounted for", () -> {
                account.set(new SpoutAccount(cluster.lines(TOPOLOGY, "numbers")));
                return account.get().isSettled();
            });
        } finally {
            System.out.println(after + ": " + account + ".");
            processes.topologies().activate(TOPOLOGY);
        }
        int end = cluster.lines(TOPOLOGY, "first").stream().mapToInt(Integer::parseInt).max().orElseThrow() + 1;
        Set<String> numbers = IntStream.range(0, end).mapToObj(String::valueOf).collect(Collectors.toSet());
        processes.await("both bolts have all numbers below " + end, () ->
            Set.copyOf(cluster.lines(TOPOLOGY, "first")).containsAll(numbers)
                && Set.copyOf(cluster.lines(TOPOLOGY, "second")).containsAll(numbers));
    }

    private List<ExecutorSummary> executors() {
        return processes.topologies().info(TOPOLOGY).orElseThrow().get_executors();
    }

    private long acks() {
        return cluster.count(TOPOLOGY, "numbers", "ack ");
    }

    private void awaitManyMore() {
        long enough = acks() + MANY;
        processes.await(MANY + " more messages are acked", () -> acks() >= enough);
    }

    /** The processes of the topology's containers with that main class, by pid: for an instance its component and id. */
    private Map<Long, String> children(String main) {
        Map<Long, String> found = new TreeMap<>();
        processes.workers(TOPOLOGY).forEach(container -> found.putAll(ContainerChildren.of(container, main)));
        return found;
    }
}
