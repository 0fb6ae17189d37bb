package io.eyewall.integration.system;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.eyewall.client.stream.StreamConfiguration;
import io.eyewall.integration.cluster.ClusterExtension;
import io.eyewall.integration.cluster.ClusterSpecification;
import io.eyewall.integration.cluster.CpuLimit;
import io.eyewall.integration.cluster.ProcessCluster;
import io.eyewall.integration.cluster.Signals;
import io.eyewall.integration.cluster.Submission;
import io.eyewall.integration.cluster.WorkerFiles;
import io.eyewall.integration.cluster.WorkerProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A topology with a slow bolt runs in two containers, over Netty: what one process does not do to others. */
@Tag("system")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class StreamManagerIsolationSystemTest {

    private static final Path DIRECTORY = Installations.workDirectory("stream-manager-isolation");
    private static final String TOPOLOGY = "slow";
    private static final String SLOW = "bolt-0";
    /** Ten seconds of the slow bolt's work. */
    private static final int MANY = 1_000;
    /** Half of what the spout would emit in one second beyond what the slow bolt takes. */
    private static final long MAX_GROWTH_KB = 48 << 10;
    private static final String ESTABLISHED = "01";
    private static final double CORES = 0.5;

    @RegisterExtension
    static final ClusterExtension CLUSTER = new ClusterExtension(() -> ClusterSpecification.of(Installations.eyewall(), DIRECTORY)
        .withSupervisors(2, 1).withSettings(QuickSettings.all()).withSettings(Map.of(StreamConfiguration.MODE, "stream-manager",
            "topology.component.resources.onheap.memory.mb", 64.0, "topology.stats.sample.rate", 1.0)));

    private ProcessCluster processes;

    /** The spout would emit 100 MB in a second, and the slow bolt takes 2.5. */
    @BeforeAll
    void submit() throws IOException {
        processes = CLUSTER.cluster();
        processes.submit(Submission.of(Installations.examplesJar(), "io.eyewall.examples.Main", "linear", TOPOLOGY)
            .with("topology.workers", 2).with("topology.acker.executors", 0).with("eyewall.rate.per.sec", 4_000)
            .with("eyewall.payload.bytes", 25_000).with("eyewall.work.ms.bolt-0", 10).with("eyewall.parallelism", 1)
            .with("eyewall.tasks", 1).with("topology.executor.receive.buffer.size", 128));
        processes.awaitRunning(TOPOLOGY, 2);
        awaitMore();
    }

    @Test
    @Order(1)
    void shouldHoldTheSpoutBackToThePaceOfTheSlowBoltInTheSameMemory() throws IOException {
        processes.await("the spout is held back", () -> WorkerFiles.named("stream-manager.log", processes.logs(), TOPOLOGY + "-").stream()
            .anyMatch(log -> WorkerFiles.contains(log, "cannot keep up")));
        awaitMore(); // Until the JVMs have compiled what they run.
        Map<Long, Long> memory = memory();
        long executed = executed();
        long emitted = emitted();
        awaitMore();
        awaitMore();
        long more = executed() - executed;
        long sent = emitted() - emitted;

        assertTrue(sent < 1.3 * more && sent > 0.7 * more, () -> sent + " emitted, " + more + " executed");
        memory().forEach((pid, kb) -> assertTrue(kb - memory.getOrDefault(pid, 0L) < MAX_GROWTH_KB,
            () -> "process " + pid + " has grown from " + memory + " to " + kb + " kB"));
        assertEquals(memory.keySet(), memory().keySet(), "no process has been restarted");
        for (Path log : WorkerFiles.named("stream-manager.log", processes.logs(), TOPOLOGY + "-")) {
            assertTrue(!WorkerFiles.contains(log, "Dropped "), () -> log + " says that messages were dropped");
        }
    }

    /** However many instances there are: each stream manager has opened one, and accepted one. */
    @Test
    @Order(1)
    void shouldHaveOneConnectionInEachDirectionBetweenTwoStreamManagers() throws IOException {
        Map<Integer, Long> managers = new HashMap<>();
        processes.workers(TOPOLOGY).forEach(container -> managers.put(container.port(),
            ContainerChildren.of(container, ContainerChildren.STREAM_MANAGERS).keySet().iterator().next()));
        assertEquals(2, managers.size());
        for (Map.Entry<Integer, Long> manager : managers.entrySet()) {
            int other = managers.keySet().stream().filter(port -> !port.equals(manager.getKey())).findFirst().orElseThrow();
            List<int[]> connections = connections(manager.getValue());
            assertEquals(1, connections.stream().filter(ports -> ports[0] == manager.getKey()).count(), "accepted");
            assertEquals(1, connections.stream().filter(ports -> ports[1] == other).count(), "opened");
        }
    }

    @Test
    @Order(2)
    void shouldRestartNothingElseWhenAnInstanceOrAStreamManagerOrAContainerDies() {
        WorkerProcess container = processes.workers(TOPOLOGY).get(0);
        assertOnlyRestarts(instance(container));
        assertOnlyRestarts(ContainerChildren.of(container, ContainerChildren.STREAM_MANAGERS).keySet().iterator().next());
        assertOnlyRestarts(container.pid());
    }

    /** Its container kills it when its heartbeats stop, which takes half a minute. */
    @Test
    @Tag("long")
    @Order(3)
    void shouldReplaceAnInstanceThatHangs() {
        WorkerProcess container = processes.workers(TOPOLOGY).get(0);
        long hanging = instance(container);
        Set<Long> others = new TreeSet<>(memory().keySet());
        others.remove(hanging);
        Signals.send("STOP", hanging);

        processes.await("the instance that hangs has been killed", () -> ProcessHandle.of(hanging).isEmpty());
        awaitMore();
        assertTrue(memory().keySet().containsAll(others), "no other process has been restarted");
    }

    /**
     * Storm's isolation plugin starts a container in a group as well, and needs one hierarchy of groups with both CPU time and memory. JVMs
     * that start would take more than a core.
     */
    @Test
    @Tag("long")
    @Order(4)
    void shouldLimitTheCpuTimeOfAllProcessesOfAContainer() throws IOException {
        CpuLimit.unavailabilityCause().ifPresent(Assumptions::abort);
        WorkerProcess container = processes.workers(TOPOLOGY).get(0);
        String group = "eyewall-container-" + container.pid();
        try (CpuLimit limit = CpuLimit.of(group, CORES)) {
            limit.add(container.pid());
            container.processes().stream().filter(pid -> pid != container.pid())
                .forEach(pid -> ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly));
            processes.await("the stream manager is back", () ->
                !ContainerChildren.of(container, ContainerChildren.STREAM_MANAGERS).isEmpty());
            awaitMore();

            List<String> limited = Files.readAllLines(Path.of("/sys/fs/cgroup/cpu", group, "cgroup.procs"));
            for (long pid : container.processes()) {
                assertTrue(limited.contains(String.valueOf(pid)), () -> pid + " is not among " + limited);
            }
            assertTrue(Files.readAllLines(Path.of("/sys/fs/cgroup/cpu", group, "cpu.stat")).stream()
                .anyMatch(line -> line.matches("nr_throttled [1-9]\\d*")), "the limit was reached");
        }
    }

    private static long instance(WorkerProcess container) {
        return ContainerChildren.of(container, ContainerChildren.INSTANCES).keySet().iterator().next();
    }

    /** Kills a process, and those that it has started end with it. All others stay, and there are as many as before. */
    private void assertOnlyRestarts(long victim) {
        Set<Long> before = new TreeSet<>(memory().keySet());
        Set<Long> others = new HashSet<>(before);
        ProcessHandle process = ProcessHandle.of(victim).orElseThrow();
        process.descendants().forEach(child -> others.remove(child.pid()));
        others.remove(victim);

        process.destroyForcibly();
        processes.await("there are as many processes as before, without " + victim, () -> {
            Set<Long> now = memory().keySet();
            return now.size() == before.size() && !now.contains(victim);
        });
        awaitMore();
        assertTrue(memory().keySet().containsAll(others), () -> "of " + others + ", only those remain: " + memory().keySet());
    }

    /** The resident memory of all processes, in kB, by pid. */
    private Map<Long, Long> memory() {
        Map<Long, Long> found = new TreeMap<>();
        for (WorkerProcess container : processes.workers(TOPOLOGY)) {
            Stream.of(Set.of(container.pid()), ContainerChildren.of(container, ContainerChildren.INSTANCES).keySet(),
                ContainerChildren.of(container, ContainerChildren.STREAM_MANAGERS).keySet()).flatMap(Set::stream).forEach(pid -> {
                    try {
                        found.put(pid, WorkerMemory.residentKb(pid));
                    } catch (IOException gone) {
                        found.remove(pid);
                    }
                });
        }
        return found;
    }

    /** The local and the remote port of each connection of a process. */
    private static List<int[]> connections(long pid) throws IOException {
        Set<String> inodes = new HashSet<>();
        try (Stream<Path> files = Files.list(Path.of("/proc", String.valueOf(pid), "fd"))) {
            for (Path file : files.toList()) {
                if (Files.exists(file)) {
                    inodes.add(Files.readSymbolicLink(file).toString().replaceAll("socket:\\[(\\d+)]", "$1"));
                }
            }
        }
        return Stream.of("tcp", "tcp6").flatMap(table -> lines(Path.of("/proc", String.valueOf(pid), "net", table)))
            .map(line -> line.trim().split("\\s+")).filter(words -> words[3].equals(ESTABLISHED) && inodes.contains(words[9]))
            .map(words -> new int[] {port(words[1]), port(words[2])}).toList();
    }

    private static Stream<String> lines(Path file) {
        try {
            return Files.readAllLines(file).stream().skip(1);
        } catch (IOException e) {
            return Stream.of(); // This kernel has no IPv6.
        }
    }

    private static int port(String address) {
        return Integer.parseInt(address.substring(address.indexOf(':') + 1), 16);
    }

    private long executed() {
        return processes.topologies().info(TOPOLOGY).orElseThrow().get_executors().stream()
            .filter(executor -> executor.get_component_id().equals(SLOW) && executor.is_set_stats())
            .flatMap(executor -> executor.get_stats().get_specific().get_bolt().get_executed().getOrDefault(":all-time", Map.of())
                .values().stream())
            .mapToLong(Long::longValue).sum();
    }

    private long emitted() {
        return processes.topologies().info(TOPOLOGY).orElseThrow().get_executors().stream()
            .filter(executor -> executor.get_component_id().equals("spout") && executor.is_set_stats())
            .mapToLong(executor -> executor.get_stats().get_emitted().getOrDefault(":all-time", Map.of())
                .getOrDefault("default", 0L)).sum();
    }

    /** An instance that has been restarted counts from zero. */
    private void awaitMore() {
        long[] last = {executed(), 0};
        processes.await(MANY + " more tuples are executed", () -> {
            long now = executed();
            last[1] += now < last[0] ? now : now - last[0];
            last[0] = now;
            return last[1] >= MANY;
        });
    }
}
