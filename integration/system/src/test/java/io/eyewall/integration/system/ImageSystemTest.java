package io.eyewall.integration.system;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.eyewall.integration.cluster.StormHome;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/**
 * Containers of the image that {@code bin/image} builds, where a Docker engine answers: a cluster of upstream's becomes Eyewall's under
 * load, a container of each kind is killed, and the cluster goes back.
 */
@Tag("system")
@Tag("long")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ImageSystemTest {

    private static final StormHome UPSTREAM = Installations.upstream();
    private static final String TOPOLOGY = "rolling";
    /** The names of the installations' directories, which the topology writes. */
    private static final String THEIRS = UPSTREAM.root().getFileName().toString();
    private static final String OURS = "eyewall";
    /** One second's worth. */
    private static final int SOME = 200;
    /** The exit code of a process that did not end by itself within the time that it got. */
    private static final int KILLED = 137;

    private String image;

    @BeforeAll
    void build() throws IOException, InterruptedException {
        image = ContainerCluster.buildImage(Installations.workDirectory("image"));
    }

    @Test
    void shouldLoseNothingWhenContainersAreUpgradedKilledAndTakenBackUnderLoad() {
        Map<String, Object> settings = new HashMap<>(QuickSettings.all());
        settings.putAll(Map.of("supervisor.slots.ports", List.of(6700, 6701), "supervisor.worker.timeout.secs", 15,
            "supervisor.localizer.update.blob.interval.secs", 5, "nimbus.task.timeout.secs", 120,
            "blacklist.scheduler.tolerance.count", 1_000));
        try (ContainerCluster cluster = new ContainerCluster(image, Installations.workDirectory("image-cluster"), UPSTREAM, settings)) {
            startUpstreamsClusterAndTopology(cluster);

            changeToEyewalls(cluster, "supervisor-1");
            awaitTuples(cluster, THEIRS, OURS);
            awaitTuples(cluster, OURS, THEIRS);
            changeToEyewalls(cluster, "supervisor-2");
            awaitTuples(cluster, OURS, OURS);
            changeToEyewalls(cluster, "nimbus");
            awaitMore(cluster);

            killAContainerOfEachKind(cluster);

            changeToUpstreams(cluster, "supervisor-1");
            awaitTuples(cluster, THEIRS, OURS);
            awaitTuples(cluster, OURS, THEIRS);
            changeToUpstreams(cluster, "supervisor-2");
            awaitTuples(cluster, THEIRS, THEIRS);
            changeToUpstreams(cluster, "nimbus");
            awaitMore(cluster);
            assertNothingLost(cluster);
            assertNotEquals(KILLED, cluster.stop("ui"));
            assertNotEquals(KILLED, cluster.stop("drpc"));
        }
    }

    private static void startUpstreamsClusterAndTopology(ContainerCluster cluster) {
        cluster.startZooKeeper();
        cluster.startUpstreams("nimbus", "nimbus");
        cluster.startUpstreams("supervisor-1", "supervisor");
        cluster.startUpstreams("supervisor-2", "supervisor");
        startEyewalls(cluster, "ui");
        cluster.await("Nimbus knows both Supervisors", () -> summary(cluster).contains("\"supervisors\":2"));
        cluster.submit("ui", TOPOLOGY);
        awaitMore(cluster);
    }

    private static void startEyewalls(ContainerCluster cluster, String name) {
        cluster.startEyewalls(name, name.split("-", 2)[0]);
        assertTrue(cluster.log(name).contains("[INFO]"), () -> name + " logs nothing to standard output");
        assertEquals("1000\n", cluster.run(name, "id", "-u"));
    }

    private static void changeToEyewalls(ContainerCluster cluster, String name) {
        cluster.stop(name);
        startEyewalls(cluster, name);
    }

    private static void changeToUpstreams(ContainerCluster cluster, String name) {
        assertNotEquals(KILLED, cluster.stop(name), () -> name + " has not ended by itself");
        cluster.startUpstreams(name, name.split("-", 2)[0]);
    }

    private static void killAContainerOfEachKind(ContainerCluster cluster) {
        startEyewalls(cluster, "drpc");
        cluster.kill("zookeeper");
        awaitMore(cluster);
        cluster.startAgain("zookeeper");
        awaitMore(cluster);
        List<String> stateless = List.of("nimbus", "ui", "drpc");
        stateless.forEach(cluster::kill);
        awaitMore(cluster);
        stateless.forEach(cluster::startAgain);
        stateless.forEach(cluster::awaitHealth);
        cluster.kill("supervisor-1");
        cluster.startAgain("supervisor-1");
        cluster.awaitHealth("supervisor-1");
        awaitMore(cluster);
        cluster.await("Nimbus knows both Supervisors", () -> summary(cluster).contains("\"supervisors\":2"));
    }

    /** What the UI says of the cluster; it says so itself while it reaches no Nimbus. */
    private static String summary(ContainerCluster cluster) {
        return cluster.run("ui", "python3", "-c", """
            import urllib.request, urllib.error
            try:
                print(urllib.request.urlopen("http://localhost:8080/api/v1/cluster/summary").read())
            except urllib.error.HTTPError as error:
                print(error)
            """);
    }

    /** Waits until more messages are acked, and both workers have taken more tuples. */
    private static void awaitMore(ContainerCluster cluster) {
        long acked = acks(cluster) + SOME;
        Map<String, List<String>> before = Lines.byFile(cluster.output(TOPOLOGY), "sink");
        cluster.await(SOME + " more messages are acked, over both workers", () -> {
            Map<String, List<String>> now = Lines.byFile(cluster.output(TOPOLOGY), "sink");
            return acks(cluster) >= acked && now.size() == 2
                && now.keySet().stream().allMatch(file -> now.get(file).size() >= before.getOrDefault(file, List.of()).size() + SOME / 4);
        });
    }

    /** Waits until workers of one installation have sent more tuples to workers of the other, or of the same. */
    private static void awaitTuples(ContainerCluster cluster, String from, String to) {
        long enough = tuples(cluster, from, to) + SOME / 4;
        cluster.await("workers of " + to + " get tuples from workers of " + from, () -> tuples(cluster, from, to) >= enough);
    }

    private static long tuples(ContainerCluster cluster, String from, String to) {
        return Lines.of(cluster.output(TOPOLOGY), "sink").stream().filter(line -> line.endsWith(" " + from + " " + to)).count();
    }

    private static long acks(ContainerCluster cluster) {
        return Lines.of(cluster.output(TOPOLOGY), "numbers").stream().filter(line -> line.startsWith("ack ")).distinct().count();
    }

    private static void assertNothingLost(ContainerCluster cluster) {
        cluster.run("ui", "touch", cluster.output(TOPOLOGY).resolve("stop").toString());
        cluster.await("every message is acked", () -> account(cluster).isSettled());
        MessageAccount account = account(cluster);
        System.out.println(TOPOLOGY + " in containers: " + account + ".");
        account.assertNothingLost();
    }

    private static MessageAccount account(ContainerCluster cluster) {
        return MessageAccount.of(Lines.of(cluster.output(TOPOLOGY), "numbers"), Lines.of(cluster.output(TOPOLOGY), "sink"));
    }
}
