package io.eyewall.integration.system;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.eyewall.integration.cluster.ClusterExtension;
import io.eyewall.integration.cluster.ClusterSpecification;
import io.eyewall.integration.cluster.Daemon;
import io.eyewall.integration.cluster.Ports;
import io.eyewall.integration.cluster.ProcessCluster;
import io.eyewall.integration.cluster.WorkerProcess;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.yaml.snakeyaml.Yaml;

/** What workers record of latencies outlives them, and whatever is wrong with it fails no tuple. {@code replay} runs in two workers. */
@Tag("system")
class LatencyRecordingSystemTest {

    private static final String RECORDING = "topology.latency.recording";
    private static final String ENDPOINT_PORT_OFFSET = "topology.latency.endpoint.port.offset";
    private static final int OFFSET = 10_000;
    private static final int INTERVAL_SECS = 2;
    /** How much longer than it should an interval may take on a machine that is busy. */
    private static final long LATE_MS = 1_500;
    private static final Path DIRECTORY = Installations.workDirectory("latency-recording");

    @RegisterExtension
    static final ClusterExtension CLUSTER = new ClusterExtension(() -> ClusterSpecification.of(Installations.eyewall(), DIRECTORY)
        .withSupervisors(2, 2).withSettings(QuickSettings.all())
        .withSettings(Map.of("topology.latency.interval.secs", INTERVAL_SECS, "topology.message.timeout.secs", 120,
            "supervisor.worker.shutdown.sleep.secs", 5)));

    @Test
    @Tag("long")
    void shouldHaveLogsThatAreCompleteWhenWorkersAreToldToEndAndLackOneIntervalWhenTheyAreKilled() throws Exception {
        ProcessCluster processes = CLUSTER.cluster();
        DropInCluster cluster = start("ended", Map.of(RECORDING, "all"));
        cluster.awaitAcks("replay", 300);
        processes.supervisors().forEach(Daemon::kill);
        WorkerProcess killed = processes.workers("replay").get(0);
        WorkerProcess ended = processes.workers("replay").get(1);
        WorkerLatencies killedLatencies = WorkerLatencies.of(processes, killed);
        WorkerLatencies endedLatencies = WorkerLatencies.of(processes, ended);

        killed.kill();
        long killedMs = System.currentTimeMillis();
        processes.await("the killed worker is gone", () -> !killed.isAlive());
        ProcessHandle.of(ended.pid()).orElseThrow().destroy();
        processes.await("the ended worker is gone", () -> !ended.isAlive());

        assertTrue(killedMs - WorkerLatencies.endMs(killedLatencies.current()) <= INTERVAL_SECS * 1_000L + LATE_MS,
            () -> "the log ends at " + WorkerLatencies.endMs(killedLatencies.current()) + ", the worker at " + killedMs);
        Map<String, Long> written = linesByTask(cluster);
        Map<String, Long> recorded = new TreeMap<>(executedByTask(killedLatencies.current()));
        assertTrue(!recorded.isEmpty() && recorded.entrySet().stream().allMatch(task -> task.getValue() <= written.get(task.getKey())),
            () -> recorded + " of " + written);
        Map<String, Long> complete = executedByTask(endedLatencies.current());
        assertEquals(complete.keySet().stream().collect(Collectors.toMap(task -> task, written::get)), complete);

        byte[] log = Files.readAllBytes(endedLatencies.current());
        processes.supervisors().forEach(Daemon::start);
        processes.await("a worker that starts again begins a new log", () -> Files.exists(endedLatencies.previous())
            && Files.exists(endedLatencies.current()));
        assertEquals(-1, Arrays.mismatch(log, Files.readAllBytes(endedLatencies.previous())));
        processes.await("it records", () -> !executedByTask(endedLatencies.current()).isEmpty());
        cluster.end("replay");
    }

    @Test
    void shouldWarnOnceAndGoOnWhenThePortOfTheEndpointIsInUse() throws IOException {
        ProcessCluster processes = CLUSTER.cluster();
        List<ServerSocket> users = new ArrayList<>();
        try {
            for (int port : slotPorts()) {
                users.add(new ServerSocket(port + OFFSET));
            }
            DropInCluster cluster = start("port", Map.of(RECORDING, "all"));
            cluster.awaitAcks("replay", 300);
            for (WorkerProcess worker : processes.workers("replay")) {
                WorkerLatencies latencies = WorkerLatencies.of(processes, worker);
                List<String> warnings = latencies.lines("worker.log", "Latencies are not served");
                assertEquals(1, warnings.size(), warnings::toString);
                assertTrue(warnings.get(0).contains("port " + (worker.port() + OFFSET)) && warnings.get(0).contains(ENDPOINT_PORT_OFFSET),
                    warnings::toString);
                processes.await("it writes its log all the same", () -> Files.exists(latencies.current()));
            }
            assertEquals(0, cluster.count("replay", "numbers", "fail "));
            cluster.end("replay");
        } finally {
            for (ServerSocket user : users) {
                user.close();
            }
        }
    }

    @Test
    void shouldFailNoTupleWhenOnlyOneOfTwoWorkersRecords() throws IOException {
        ProcessCluster processes = CLUSTER.cluster();
        Set<Boolean> recorded = new HashSet<>();
        for (int recordingSupervisor = 1; recordingSupervisor <= 2; recordingSupervisor++) {
            setForWorkers(recordingSupervisor, RECORDING, "all");
            setForWorkers(3 - recordingSupervisor, RECORDING, "off");
            DropInCluster cluster = start("mixed-" + recordingSupervisor, Map.of());
            cluster.awaitAcks("replay", 500);
            List<WorkerProcess> workers = processes.workers("replay");
            assertEquals(1, workers.stream().filter(worker -> Ports.listens(worker.port() + OFFSET)).count());
            assertEquals(0, cluster.count("replay", "numbers", "fail "));
            cluster.end("replay");
            recorded.add(workers.stream().anyMatch(worker -> Files.exists(WorkerLatencies.of(processes, worker).current())));
        }
        assertEquals(Set.of(true, false), recorded, "it is the spout's worker that decides what is recorded, and that is always the same");
    }

    /** Runs {@code replay} with a directory of its own. */
    private static DropInCluster start(String name, Map<String, String> options) {
        DropInCluster cluster = new DropInCluster(CLUSTER.cluster(), DIRECTORY.resolve(name), options);
        cluster.submit("replay");
        CLUSTER.cluster().awaitRunning("replay", 2);
        return cluster;
    }

    /** How many tuples every task of a bolt has written down, by {@code component/task}. */
    private static Map<String, Long> linesByTask(DropInCluster cluster) {
        Map<String, Long> lines = new TreeMap<>();
        for (String component : List.of("first", "second")) {
            Lines.byFile(cluster.output("replay"), component)
                .forEach((file, text) -> lines.put(file.replace('-', '/'), (long) text.size()));
        }
        return lines;
    }

    /** How many tuples every task of a bolt has executed by a log, by {@code component/task}. */
    private static Map<String, Long> executedByTask(Path log) {
        return WorkerLatencies.byTag(log).entrySet().stream()
            .filter(hop -> hop.getKey().startsWith("execute/first/") || hop.getKey().startsWith("execute/second/"))
            .collect(Collectors.groupingBy(hop -> hop.getKey().split("/", 2)[1].replaceFirst("/[^/]*$", ""), TreeMap::new,
                Collectors.summingLong(hop -> hop.getValue().getTotalCount())));
    }

    private static List<Integer> slotPorts() throws IOException {
        List<Integer> ports = new ArrayList<>();
        for (int supervisor = 1; supervisor <= 2; supervisor++) {
            Map<String, List<Integer>> settings = new Yaml().load(Files.readString(settingsOf(supervisor)));
            ports.addAll(settings.get("supervisor.slots.ports"));
        }
        return ports;
    }

    /** Sets a key for the workers that the supervisor launches from now on. */
    private static void setForWorkers(int supervisor, String key, String value) throws IOException {
        Map<String, Object> settings = new Yaml().load(Files.readString(settingsOf(supervisor)));
        settings.put(key, value);
        Files.writeString(settingsOf(supervisor), new Yaml().dump(settings));
    }

    private static Path settingsOf(int supervisor) {
        return DIRECTORY.resolve("supervisor-" + supervisor + ".yaml");
    }
}
