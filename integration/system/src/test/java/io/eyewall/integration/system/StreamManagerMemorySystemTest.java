package io.eyewall.integration.system;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.eyewall.client.stream.StreamConfiguration;
import io.eyewall.client.stream.plan.InstancePlan;
import io.eyewall.integration.cluster.ClusterExtension;
import io.eyewall.integration.cluster.ClusterSpecification;
import io.eyewall.integration.cluster.ProcessCluster;
import io.eyewall.integration.cluster.WorkerFiles;
import io.eyewall.integration.cluster.WorkerProcess;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The heaps of instances: each has that of its component, reporters tell them apart, and one that is full ends its own instance only. */
@Tag("system")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class StreamManagerMemorySystemTest {

    private static final Path DIRECTORY = Installations.workDirectory("stream-manager-memory");
    private static final String TOPOLOGY = "leak";
    private static final String LEAK = "leak";
    /** 48 MB, and what the component's executor has. */
    private static final Map<String, Integer> HEAPS_MB = Map.of("numbers", 48 + 16, LEAK, 48 + 32, "sink", 48 + 64);
    /** The JVM leaves one of the spaces for survivors out. */
    private static final double REPORTED = 0.9;
    private static final int BYTES_OF_A_MB = 1 << 20;
    private static final int MANY = 300;
    /** As in Storm's default of worker.childopts. */
    private static final String DUMP_OPTIONS = "-XX:+HeapDumpOnOutOfMemoryError -XX:HeapDumpPath=artifacts/heapdump";
    private static final String DUMP_BEGIN = "JAVA PROFILE";

    @RegisterExtension
    static final ClusterExtension CLUSTER = new ClusterExtension(() -> ClusterSpecification.of(Installations.eyewall(), DIRECTORY)
        .withSupervisors(1, 1).withSettings(QuickSettings.all()).withSettings(Map.of(StreamConfiguration.MODE, "stream-manager")));

    private ProcessCluster processes;
    private DropInCluster cluster;

    @BeforeAll
    void submit() {
        processes = CLUSTER.cluster();
        Path reports = DIRECTORY.resolve("metrics").toAbsolutePath();
        cluster = new DropInCluster(processes, DIRECTORY, Map.of("topology.worker.childopts", DUMP_OPTIONS, "topology.metrics.reporters",
            "[{\"class\": \"org.apache.storm.metrics2.reporters.CsvStormReporter\", \"report.period\": 1,"
            + " \"report.period.units\": \"SECONDS\", \"csv.log.dir\": \"" + reports + "\"}]"));
        cluster.submit(TOPOLOGY);
        processes.awaitRunning(TOPOLOGY, 1);
        awaitMore();
    }

    @Test
    @Order(1)
    void shouldGiveEachInstanceTheHeapThatItsComponentAsksFor() {
        Map<String, List<String>> heaps = new TreeMap<>();
        instances().forEach((pid, name) -> heaps.put(component(name), ContainerChildren.commandLine(pid).stream()
            .filter(word -> word.startsWith("-Xmx")).toList()));

        assertEquals(HEAPS_MB.keySet(), heaps.keySet());
        heaps.forEach((component, options) -> assertEquals("-Xmx" + HEAPS_MB.get(component) + "m", options.get(options.size() - 1),
            () -> "the last one of " + component + " counts: " + options));
    }

    /** A reporter that writes to one place would mix them up under the port of the slot. */
    @Test
    @Order(1)
    void shouldReportTheHeapOfEachInstance() {
        instances().values().forEach(name -> {
            int task = Integer.parseInt(name.substring(name.lastIndexOf('-') + 1));
            String end = ".__system.-1." + (InstancePlan.PORT_OFFSET + task) + "-memory.heap.max.csv";
            double mb = HEAPS_MB.get(component(name));
            processes.await("the heap of " + name + " is reported", () -> {
                List<String> lines = report(end);
                return lines.size() > 1 && lines.stream().skip(1).map(line -> Double.parseDouble(line.split(",", -1)[1]) / BYTES_OF_A_MB)
                    .allMatch(reported -> reported > REPORTED * mb && reported <= mb);
            });
        });
    }

    @Test
    @Order(2)
    void shouldRestartOnlyTheInstanceWhoseHeapIsFullAndKeepItsDump() throws IOException {
        Map<Long, String> before = all();
        long leaking = before.entrySet().stream().filter(its -> component(its.getValue()).equals(LEAK)).findFirst().orElseThrow().getKey();
        cluster.release(TOPOLOGY);
        processes.await("the bolt that keeps too much has died", () -> ProcessHandle.of(leaking).isEmpty());
        Files.delete(cluster.output(TOPOLOGY).resolve("go"));
        awaitMore();

        Map<Long, String> others = new TreeMap<>(before);
        others.remove(leaking);
        Map<Long, String> after = all();
        assertEquals(new TreeSet<>(before.values()), new TreeSet<>(after.values()), "in the same container");
        assertTrue(after.keySet().containsAll(others.keySet()), () -> "of " + others + ", only those remain: " + after);
        List<Path> dumps = WorkerFiles.named(before.get(leaking) + "/heapdump", processes.logs(), TOPOLOGY + "-");
        assertEquals(1, dumps.size(), dumps::toString);
        try (InputStream dump = Files.newInputStream(dumps.get(0))) {
            assertEquals(DUMP_BEGIN, new String(dump.readNBytes(DUMP_BEGIN.length()), StandardCharsets.ISO_8859_1));
        }
    }

    @Test
    @Order(3)
    void shouldHaveLostNoMessage() {
        cluster.stopSpouts(TOPOLOGY);
        processes.await("all messages are settled", () -> account().isSettled());

        MessageAccount account = account();
        System.out.println(account + ".");
        account.assertNothingLost();
        assertEquals(1, account.spout().instances());
        assertTrue(cluster.count(TOPOLOGY, "numbers", "fail ") > 0, "messages were in the instance that died");
    }

    /** The lines of the only report whose file has that end; none if there is none. */
    private List<String> report(String end) {
        try (var files = Files.list(cluster.metrics())) {
            List<Path> found = files.filter(file -> file.toString().endsWith(end)).toList();
            return found.isEmpty() ? List.of() : Files.readAllLines(found.get(0));
        } catch (IOException e) {
            return List.of(); // The reporter has made no directory so far.
        }
    }

    private WorkerProcess container() {
        return processes.workers(TOPOLOGY).get(0);
    }

    private Map<Long, String> instances() {
        return ContainerChildren.of(container(), ContainerChildren.INSTANCES);
    }

    /** The names of the container and of all of its processes, by pid. */
    private Map<Long, String> all() {
        Map<Long, String> all = new TreeMap<>(instances());
        all.putAll(ContainerChildren.of(container(), ContainerChildren.STREAM_MANAGERS));
        all.put(container().pid(), "container");
        assertEquals(HEAPS_MB.size() + 2, Set.copyOf(all.values()).size(), all::toString);
        return all;
    }

    private static String component(String instance) {
        return instance.contains("-") ? instance.substring(0, instance.lastIndexOf('-')) : instance;
    }

    private MessageAccount account() {
        return MessageAccount.of(cluster.lines(TOPOLOGY, "numbers"), cluster.lines(TOPOLOGY, "sink"));
    }

    private void awaitMore() {
        long enough = cluster.count(TOPOLOGY, "numbers", "ack ") + MANY;
        processes.await(MANY + " more messages are acked", () -> cluster.count(TOPOLOGY, "numbers", "ack ") >= enough);
    }
}
