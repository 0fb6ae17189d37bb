package io.eyewall.integration.system;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.eyewall.client.stream.StreamConfiguration;
import io.eyewall.integration.cluster.ClusterExtension;
import io.eyewall.integration.cluster.ClusterSpecification;
import io.eyewall.integration.cluster.ProcessCluster;
import io.eyewall.integration.cluster.Signals;
import io.eyewall.integration.cluster.WorkerFiles;
import io.eyewall.integration.cluster.WorkerProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Stream managers talk to each other over libfabric. One is killed or stands still in the middle, and every message is counted. */
@Tag("system")
class StreamManagerFabricSystemTest {

    private static final Path DIRECTORY = Installations.workDirectory("stream-manager-fabric");
    private static final String TOPOLOGY = "rolling";
    private static final String LOG = "stream-manager.log";
    private static final String ENDPOINT = "storm.messaging.fabric.endpoint";
    private static final int MANY = 300;
    private static final int STRANGERS = 20;
    /** Many times what stream managers may have waiting, in the second or two until nobody sends any longer. */
    private static final String FILLING_BYTES = "20000";
    private static final long STILL_NS = TimeUnit.SECONDS.toNanos(4);
    /** Before others take the stream manager that stands still for dead. */
    private static final Duration PATIENCE = Duration.ofSeconds(25);
    private static final long MAX_GROWTH_KB = 16 << 10;

    @RegisterExtension
    static final ClusterExtension CLUSTER = new ClusterExtension(() -> ClusterSpecification.of(Installations.eyewall(), DIRECTORY)
        .withSupervisors(2, 1).withSettings(QuickSettings.all()).withSettings(Map.of(StreamConfiguration.MODE, "stream-manager",
            "topology.component.resources.onheap.memory.mb", 128.0,
            "storm.messaging.transport", "io.eyewall.transport.fabric.FabricContext")));

    private ProcessCluster processes;

    @BeforeEach
    void findCluster() {
        processes = CLUSTER.cluster();
    }

    @AfterEach
    void endTopology() {
        processes.topologies().kill(TOPOLOGY, 0);
        processes.awaitGone(TOPOLOGY);
    }

    @Test
    void shouldLoseNothingOverConnectionsWhenAStreamManagerIsKilled() throws IOException {
        shouldLoseNothingWhenAStreamManagerIsKilled(Map.of(ENDPOINT, "msg"), "acked-msg");
    }

    @Test
    @Tag("long")
    void shouldLoseNothingOverDatagramsWhenAStreamManagerIsKilled() throws IOException {
        shouldLoseNothingWhenAStreamManagerIsKilled(Map.of(ENDPOINT, "rdm"), "acked-rdm");
    }

    private void shouldLoseNothingWhenAStreamManagerIsKilled(Map<String, String> options, String name) throws IOException {
        DropInCluster cluster = submit(name, options);
        cluster.awaitAcks(TOPOLOGY, MANY);
        assertAllUseLibfabric();
        knock();

        long killed = managers().iterator().next();
        ProcessHandle.of(killed).ifPresent(ProcessHandle::destroyForcibly);
        awaitAnother(killed);
        int acked = (int) cluster.count(TOPOLOGY, "numbers", "ack ");
        cluster.awaitAcks(TOPOLOGY, acked + MANY);

        cluster.stopSpouts(TOPOLOGY);
        processes.await("all messages are settled", () -> account(cluster).isSettled());
        MessageAccount account = account(cluster);
        System.out.println(name + ": " + account + ".");
        account.assertNothingLost();
    }

    /** Without acks, nothing hides a loss. Only what was in a stream manager that was killed, or on its way to it, may be missing. */
    @Test
    @Tag("long")
    void shouldKeepTuplesWithoutAcksWhileAStreamManagerStandsStill() throws IOException {
        DropInCluster cluster = submit("unacked", Map.of("dropin.unacked", "true", "dropin.interval.ms", "0",
            "dropin.relay.bytes", FILLING_BYTES));
        awaitMore(cluster);
        assertAllUseLibfabric();

        long victim = withoutSpout();
        Signals.send("STOP", victim);
        try {
            assertStandsStill(cluster);
        } finally {
            Signals.send("CONT", victim);
        }
        awaitMore(cluster);
        assertTrue(managers().contains(victim), "nobody has taken it for dead");
        long sound = lastEmitted(cluster);
        processes.await("all that was emitted until then has come", () -> missingBelow(sound, cluster).isEmpty());

        long before = lastEmitted(cluster);
        ProcessHandle.of(victim).ifPresent(ProcessHandle::destroyForcibly);
        awaitAnother(victim);
        awaitMore(cluster);
        long after = lastEmitted(cluster);
        awaitMore(cluster);

        cluster.stopSpouts(TOPOLOGY);
        processes.await("what was emitted since has come", () -> {
            long end = lastEmitted(cluster);
            return missingBelow(end, cluster).stream().allMatch(number -> number < after);
        });
        MessageAccount account = account(cluster);
        System.out.println("unacked: " + account + ", " + missingBelow(after, cluster).size() + " lost of those before " + after
            + " with a stream manager that was killed after " + before + ".");
        assertEquals(Set.of(1L), Set.copyOf(account.recorded().values()), "nothing has come twice");
    }

    @Test
    @Tag("long")
    void shouldSayWhatIsMissingWhereLibfabricCannotStart() {
        submitOnly("missing", Map.of("storm.messaging.fabric.provider", "warp"));

        processes.await("the log says what is missing, and the remedy", () -> WorkerFiles.named(LOG, processes.logs(), TOPOLOGY).stream()
            .anyMatch(log -> WorkerFiles.contains(log, "The libfabric transport cannot start: This host has no CONNECTED endpoint of"
                + " provider 'warp'") && WorkerFiles.contains(log, "set storm.messaging.fabric.fallback: netty")));
    }

    private DropInCluster submit(String name, Map<String, String> options) {
        DropInCluster cluster = submitOnly(name, options);
        processes.awaitRunning(TOPOLOGY, 2);
        processes.await("there are two stream managers", () -> managers().size() == 2);
        return cluster;
    }

    private DropInCluster submitOnly(String name, Map<String, String> options) {
        DropInCluster cluster = new DropInCluster(processes, DIRECTORY.resolve(name), options);
        cluster.submit(TOPOLOGY);
        return cluster;
    }

    /** Both receive over it, and have opened a link to the other one. */
    private void assertAllUseLibfabric() {
        for (WorkerProcess container : processes.workers(TOPOLOGY)) {
            List<Path> logs = WorkerFiles.named(container.port() + "/" + LOG, processes.logs(), TOPOLOGY + "-");
            assertTrue(logs.stream().anyMatch(log -> WorkerFiles.contains(log, "on port " + container.port() + " over libfabric")
                && WorkerFiles.contains(log, " is open")), () -> container.port() + ": " + logs);
        }
    }

    /** Strangers connect to the stream managers' ports and send what is no message. */
    private void knock() throws IOException {
        Random random = new Random(7);
        for (WorkerProcess container : processes.workers(TOPOLOGY)) {
            for (int i = 0; i < STRANGERS; i++) {
                byte[] garbage = new byte[500];
                random.nextBytes(garbage);
                try (Socket stranger = new Socket(InetAddress.getLoopbackAddress(), container.port())) {
                    stranger.getOutputStream().write(garbage);
                }
            }
        }
    }

    private void awaitAnother(long former) {
        processes.await("there is another stream manager", () -> {
            Set<Long> now = managers();
            return now.size() == 2 && !now.contains(former);
        });
    }

    private Set<Long> managers() {
        Set<Long> found = new TreeSet<>();
        processes.workers(TOPOLOGY).forEach(container -> found.addAll(managers(container)));
        return found;
    }

    private static Set<Long> managers(WorkerProcess container) {
        return ContainerChildren.of(container, ContainerChildren.STREAM_MANAGERS).keySet();
    }

    /** The stream manager of the container without the spout, to which the other one sends. */
    private long withoutSpout() {
        return processes.workers(TOPOLOGY).stream().filter(container -> ContainerChildren.of(container, ContainerChildren.INSTANCES)
            .values().stream().noneMatch(instance -> instance.startsWith("numbers"))).findFirst()
            .map(container -> managers(container).iterator().next()).orElseThrow();
    }

    /** The spout soon waits, and as long as it does, nobody's memory grows. */
    private void assertStandsStill(DropInCluster cluster) {
        Standstill still = new Standstill();
        processes.await("nothing is emitted for some seconds, and all memory stays as it is", PATIENCE, () -> still.lasts(cluster));
    }

    /** Since when nothing was emitted, and what memory processes had then. */
    private final class Standstill {
        private long emitted = -1;
        private long sinceNs;
        private Map<Long, Long> memory = Map.of();

        boolean lasts(DropInCluster cluster) {
            long now = lastEmitted(cluster);
            if (now != emitted) {
                emitted = now;
                sinceNs = System.nanoTime();
                memory = memory();
            }
            boolean isLong = System.nanoTime() - sinceNs > STILL_NS;
            if (isLong) {
                memory().forEach((pid, kb) -> assertTrue(kb - memory.getOrDefault(pid, 0L) < MAX_GROWTH_KB,
                    () -> "a process has grown from " + memory + " to " + kb + " kB"));
            }
            return isLong;
        }

        private Map<Long, Long> memory() {
            Map<Long, Long> found = new HashMap<>();
            try {
                for (long pid : managers()) {
                    found.put(pid, WorkerMemory.residentKb(pid));
                }
            } catch (IOException e) {
                throw new UncheckedIOException("Cannot read the memory of a stream manager.", e);
            }
            return found;
        }
    }

    /** Numbers that are emitted from now on come to both tasks of the last bolt. */
    private void awaitMore(DropInCluster cluster) {
        long last = lastEmitted(cluster);
        processes.await("numbers after " + last + " have come to all tasks", () -> {
            Map<String, List<String>> byTask = cluster.byFile(TOPOLOGY, "sink");
            return byTask.size() == 2 && byTask.values().stream().allMatch(lines -> !lines.isEmpty()
                && Integer.parseInt(lines.get(lines.size() - 1).split(" ", 2)[0]) > last);
        });
    }

    private static long lastEmitted(DropInCluster cluster) {
        return cluster.count(TOPOLOGY, "numbers", "emit ") - 1;
    }

    private static Set<Integer> missingBelow(long end, DropInCluster cluster) {
        Set<Integer> missing = new TreeSet<>();
        for (int number = 0; number < end; number++) {
            missing.add(number);
        }
        cluster.lines(TOPOLOGY, "sink").forEach(line -> missing.remove(Integer.valueOf(line.split(" ", 2)[0])));
        return missing;
    }

    private static MessageAccount account(DropInCluster cluster) {
        return MessageAccount.of(cluster.lines(TOPOLOGY, "numbers"), cluster.lines(TOPOLOGY, "sink"));
    }
}
