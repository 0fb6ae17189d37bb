package io.eyewall.integration.system;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import net.minidev.json.JSONValue;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The manifests for Kubernetes on one host, through {@code podman play kube}: a topology grows to a Supervisor's pod that is added, the
 * leading Nimbus dies, and the pod is drained and comes back. What an autoscaler would do is done by hand, by the figure that it would see.
 */
@Tag("system")
@Tag("long")
class KubernetesSystemTest {

    private static final String TOPOLOGY = "rolling";
    private static final String FILES = "base/";
    private static final String ADDED = "supervisor-2";
    private static final String ADDED_HOST = "supervisor-2.supervisor";
    /** One second's worth. */
    private static final int SOME = 200;
    private static final Pattern WANTED = Pattern.compile("^storm_cluster_machines_wanted (\\d+)\\.0$", Pattern.MULTILINE);
    private static final Pattern HEAP = Pattern.compile(" MaxHeapSize *= (\\d+) ");

    private final Path directory = Installations.workDirectory("kubernetes");
    private final Path output = directory.resolve("output");

    @Test
    void shouldGrowFailOverAndShrinkWithoutLosingAMessage() throws IOException, InterruptedException {
        String image = ContainerCluster.buildImage(directory);
        assumeTrue(PodCluster.isAvailable(),
            "no podman makes pods here (it needs catatonit for that), and Docker does not play Kubernetes' YAML");
        ContainerCluster.makeWritable(output);
        KubernetesPods manifests = new KubernetesPods(Installations.sourceTree().resolve("deploy").resolve("kubernetes"), image,
            Map.of("output", output, "jar", Installations.dropInJar()));
        try (PodCluster cluster = new PodCluster(manifests, directory)) {
            startClusterAndTopology(cluster);
            String leader = awaitLeader(cluster, "nimbus-0", "nimbus-1");
            String other = "nimbus-0".equals(leader) ? "nimbus-1" : "nimbus-0";
            cluster.await("the leader wants a machine more, and the other Nimbus says nothing",
                () -> wanted(cluster, leader) == 3 && wanted(cluster, other) == 0);

            startSupervisor(cluster, 2);
            awaitSlots(cluster, "the topology grows", used -> used.size() == 3 && used.getOrDefault(ADDED_HOST, 0) == 1);
            String id = supervisors(cluster).get(ADDED_HOST);
            awaitMore(cluster);

            cluster.kill(leader);
            assertEquals(other, awaitLeader(cluster, other));
            cluster.await("the new leader says how many machines are wanted", () -> wanted(cluster, other) > 0);
            awaitMore(cluster);
            startNimbus(cluster, leader);
            cluster.awaitReady();
            cluster.await("the old leader follows", () -> wanted(cluster, leader) == 0);

            String drained = cluster.delete(ADDED);
            assertTrue(drained.contains(ADDED_HOST + " is empty"), drained);
            awaitSlots(cluster, "the topology is on two machines", used -> used.size() == 2 && !used.containsValue(0));
            awaitMore(cluster);

            startSupervisor(cluster, 2);
            cluster.await("the Supervisor that comes back is the same one", () -> id.equals(supervisors(cluster).get(ADDED_HOST)));
            awaitMore(cluster);
            assertCountsAreExact(cluster);
        }
    }

    private void startClusterAndTopology(PodCluster cluster) {
        cluster.start("overlays/trial/zookeeper.yaml", "zookeeper", 0);
        cluster.awaitReady();
        List.of("nimbus-0", "nimbus-1").forEach(name -> startNimbus(cluster, name));
        startSupervisor(cluster, 0);
        startSupervisor(cluster, 1);
        cluster.start(FILES + "ui.yaml", "ui", 0);
        cluster.awaitReady();
        awaitSlots(cluster, "both Supervisors are there", used -> used.size() == 2);
        assertLimitsAreFollowed(cluster);
        // Two executors that sleep for 12 ms over each number pass 166 in a second at most; the spout would emit 200.
        cluster.run("nimbus-0", "storm", "jar", Installations.dropInJar().toString(), "io.eyewall.integration.dropin.Submit", TOPOLOGY,
            "-c", "dropin.output=" + output, "-c", "dropin.relay.ms=12", "-c", "topology.elastic=auto",
            "-c", "topology.elastic.tasks.factor=4", "-c", "topology.message.timeout.secs=120");
        awaitSlots(cluster, "the topology runs on both", used -> !used.containsValue(0));
        awaitMore(cluster);
    }

    /** A heap is 70 % of the memory of Nimbus's pod, and a Supervisor has a slot for each CPU of its pod. */
    private static void assertLimitsAreFollowed(PodCluster cluster) {
        String flags = cluster.run("nimbus-0", "java", "-XX:MaxRAMPercentage=70", "-XX:+PrintFlagsFinal", "-version");
        assertEquals(0.7, HEAP.matcher(flags).results().mapToDouble(found -> Long.parseLong(found.group(1))).sum() / (1 << 30), 0.01);
        objects(cluster, "supervisor/summary", "supervisors").forEach(one -> assertEquals(2, one.get("slotsTotal"), one::toString));
    }

    private static void startNimbus(PodCluster cluster, String name) {
        cluster.start(FILES + "nimbus.yaml", "nimbus", Integer.parseInt(name.substring(name.indexOf('-') + 1)));
    }

    private static void startSupervisor(PodCluster cluster, int number) {
        cluster.start(FILES + "supervisor.yaml", "supervisor", number);
    }

    /** Waits until one of these leads. */
    private static String awaitLeader(PodCluster cluster, String... names) {
        cluster.await("one of " + List.of(names) + " leads", () -> List.of(names).contains(leader(cluster)));
        return leader(cluster);
    }

    /** The pod that leads, as the UI sees it; empty if there is none. */
    private static String leader(PodCluster cluster) {
        return objects(cluster, "nimbus/summary", "nimbuses").stream().filter(nimbus -> "Leader".equals(nimbus.get("status")))
            .map(nimbus -> nimbus.get("host").toString().split("\\.", 2)[0]).findFirst().orElse("");
    }

    /** How many machines a Nimbus says are wanted; -1 if it does not say. */
    private static int wanted(PodCluster cluster, String nimbus) {
        return WANTED.matcher(cluster.get(nimbus, "9464/metrics")).results().map(found -> Integer.valueOf(found.group(1))).findFirst()
            .orElse(-1);
    }

    private static void awaitSlots(PodCluster cluster, String what, Predicate<Map<String, Integer>> condition) {
        cluster.await(what, () -> condition.test(objects(cluster, "supervisor/summary", "supervisors").stream().collect(
            Collectors.toMap(one -> one.get("host").toString(), one -> ((Number) one.get("slotsUsed")).intValue()))));
    }

    /** The ids of the Supervisors by host. */
    private static Map<String, String> supervisors(PodCluster cluster) {
        return objects(cluster, "supervisor/summary", "supervisors").stream()
            .collect(Collectors.toMap(one -> one.get("host").toString(), one -> one.get("id").toString()));
    }

    /** What the UI says; nothing while it reaches no Nimbus. */
    private static List<Map<String, Object>> objects(PodCluster cluster, String path, String key) {
        Object parsed = JSONValue.parse(cluster.get("ui-0", "8080/api/v1/" + path));
        return parsed instanceof Map<?, ?> answer && answer.get(key) instanceof List<?> all ? all.stream().map(one -> {
            Map<String, Object> object = new TreeMap<>();
            ((Map<?, ?>) one).forEach((name, value) -> object.put(name.toString(), value));
            return object;
        }).toList() : List.of();
    }

    private void awaitMore(PodCluster cluster) {
        long enough = acks() + SOME;
        cluster.await(SOME + " more messages are acked", () -> acks() >= enough);
    }

    private long acks() {
        return numbers().stream().filter(line -> line.startsWith("ack ")).count();
    }

    private void assertCountsAreExact(PodCluster cluster) throws IOException {
        Files.createFile(output.resolve(TOPOLOGY).resolve("stop"));
        cluster.await("every message is acked", () -> account().isSettled());
        MessageAccount account = account();
        System.out.println(TOPOLOGY + " in pods: " + account + ".");
        account.assertNothingLost();
        assertEquals(List.of(), numbers().stream().filter(line -> line.startsWith("fail ")).toList());
        assertEquals(account.emitted(), account.recorded(), "each number came once");
    }

    private MessageAccount account() {
        return MessageAccount.of(numbers(), Lines.of(output.resolve(TOPOLOGY), "sink"));
    }

    private List<String> numbers() {
        return Lines.of(output.resolve(TOPOLOGY), "numbers");
    }
}
