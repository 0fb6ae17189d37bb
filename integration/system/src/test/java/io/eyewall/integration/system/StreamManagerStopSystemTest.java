package io.eyewall.integration.system;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.eyewall.client.stream.StreamConfiguration;
import io.eyewall.integration.cluster.ClusterExtension;
import io.eyewall.integration.cluster.ClusterSpecification;
import io.eyewall.integration.cluster.ProcessCluster;
import io.eyewall.integration.cluster.WorkerFiles;
import io.eyewall.integration.cluster.WorkerProcess;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Containers are told to end while tuples are in the queues of their executors. Without acks, nothing hides a loss. */
@Tag("system")
class StreamManagerStopSystemTest {

    private static final Path DIRECTORY = Installations.workDirectory("stream-manager-stop");
    private static final String TOPOLOGY = "rolling";
    private static final String LOOP = "rolling-loop";
    private static final String SINK = "sink";
    private static final int MANY = 500;

    private static final Map<String, String> OPTIONS = Map.of("dropin.unacked", "true", "dropin.interval.ms", "5",
        "topology.latency.recording", "all", "topology.latency.interval.secs", "3600");

    /** What is logged of a process that has not done all that it had to do. */
    private static final Pattern LATE =
        Pattern.compile("has not ended in time|have not executed and sent all|Cannot read the list of containers");

    @RegisterExtension
    static final ClusterExtension CLUSTER = new ClusterExtension(() -> ClusterSpecification.of(Installations.eyewall(), DIRECTORY)
        .withSupervisors(2, 1).withSettings(QuickSettings.all()).withSettings(Map.of(StreamConfiguration.MODE, "stream-manager",
            "topology.component.resources.onheap.memory.mb", 128.0, "supervisor.worker.shutdown.sleep.secs", 30)));

    private ProcessCluster processes;

    @BeforeEach
    void findCluster() {
        processes = CLUSTER.cluster();
    }

    /** Bolts that are a loop can only leave together. */
    @Test
    void shouldExecuteAndRecordAllThatWasEmittedWhenATopologyIsKilledAtOnce() {
        DropInCluster cluster = submit(LOOP, "killed");
        List<WorkerProcess> containers = processes.workers(LOOP);
        assertTrue(emitted(cluster, LOOP) > cluster.lines(LOOP, SINK).size(), "tuples are in queues");

        cluster.end(LOOP);
        processes.await("the containers have ended", () -> containers.stream().noneMatch(WorkerProcess::isAlive));

        assertAllCame(cluster, LOOP);
        List<String> logged = Stream.of(WorkerFiles.LOG, "stream-manager.log")
            .flatMap(name -> WorkerFiles.texts(name, processes.logs(), containers.get(0).topologyId()).stream())
            .flatMap(String::lines).toList();
        assertEquals(2, logged.stream().filter(line -> line.contains("The stream manager of ") && line.endsWith(" has ended.")).count());
        assertEquals(List.of(), logged.stream().filter(LATE.asPredicate()).toList());
        Map<String, Long> written = new TreeMap<>();
        cluster.byFile(LOOP, SINK).forEach((file, lines) ->
            written.put(file.substring(file.lastIndexOf("-") + 1), (long) lines.size()));
        assertEquals(written, recorded(containers.get(0).topologyId()), "the interval logs are complete, and outlive the containers");
    }

    /**
     * The other container goes on, and keeps what its instances send until there is a container again. All processes get the signal, as
     * from Storm's plugin for cgroups.
     */
    @Test
    void shouldLoseNothingWhenTheProcessesOfOneContainerAreToldToEnd() {
        DropInCluster cluster = submit(TOPOLOGY, "restarted");
        WorkerProcess container = processes.workers(TOPOLOGY).stream().filter(worker -> ContainerChildren.of(worker,
            ContainerChildren.INSTANCES).values().stream().noneMatch(name -> name.startsWith("numbers"))).findFirst().orElseThrow();

        container.processes().forEach(pid -> ProcessHandle.of(pid).ifPresent(ProcessHandle::destroy));
        processes.await("the container has ended", () -> !container.isAlive());
        long before = emitted(cluster, TOPOLOGY);
        processes.await("numbers that were emitted after that have come to all tasks", () -> cluster.byFile(TOPOLOGY, SINK).values()
            .stream().allMatch(lines -> number(lines.get(lines.size() - 1)) > before));
        cluster.stopSpouts(TOPOLOGY);
        processes.await("all numbers have come", () -> cluster.lines(TOPOLOGY, SINK).size() >= emitted(cluster, TOPOLOGY));

        assertAllCame(cluster, TOPOLOGY);
        cluster.end(TOPOLOGY);
    }

    private DropInCluster submit(String topology, String name) {
        Map<String, String> options = new HashMap<>(OPTIONS);
        options.put("dropin.relay.ms", topology.equals(LOOP) ? "6" : "12"); // A little slower than the spout; in a loop it relays twice.
        DropInCluster cluster = new DropInCluster(processes, DIRECTORY.resolve(name), options);
        cluster.submit(topology);
        processes.awaitRunning(topology, 2);
        cluster.awaitLines(topology, SINK, MANY);
        return cluster;
    }

    private static long emitted(DropInCluster cluster, String topology) {
        return cluster.count(topology, "numbers", "emit ");
    }

    private static int number(String line) {
        return Integer.parseInt(line.split(" ", 2)[0]);
    }

    private static void assertAllCame(DropInCluster cluster, String topology) {
        MessageAccount account = MessageAccount.of(cluster.lines(topology, "numbers"), cluster.lines(topology, SINK));
        System.out.println(account + ".");
        account.assertNothingLost();
        assertEquals(account.emitted().keySet(), account.recorded().keySet());
        assertEquals(Set.of(1L), Set.copyOf(account.recorded().values()), "nothing has come twice");
    }

    /** How many tuples the interval logs say that each task of the last bolt has executed. */
    private Map<String, Long> recorded(String topologyId) {
        Map<String, Long> found = new HashMap<>();
        for (Path log : WorkerFiles.named("latency.hlog", processes.logs(), topologyId)) {
            WorkerLatencies.byTag(log).forEach((tag, histogram) -> {
                String[] words = tag.split("/", -1);
                if (words[0].equals("execute") && words[1].equals(SINK)) {
                    found.merge(words[2], histogram.getTotalCount(), Long::sum);
                }
            });
        }
        return new TreeMap<>(found);
    }
}
