package io.eyewall.integration.system;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.eyewall.integration.cluster.StormHome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.testcontainers.DockerClientFactory;

/** Containers of the image that {@code bin/image} builds, where a Docker engine answers. */
@Tag("system")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ImageSystemTest {

    private static final StormHome UPSTREAM = Installations.upstream();
    private static final String TOPOLOGY = "rolling";
    /** One second's worth. */
    private static final int SOME = 200;
    /** The exit code of a process that did not end by itself within the time that it got. */
    private static final int KILLED = 137;

    private String image;

    @BeforeAll
    void build() throws IOException, InterruptedException {
        assumeTrue(DockerClientFactory.instance().isDockerAvailable(), "no Docker engine answers");
        Path log = Installations.workDirectory("image").resolve("build.log");
        Files.createDirectories(log.getParent());
        Process process = new ProcessBuilder(Installations.sourceTree().resolve("bin").resolve("image").toString())
            .redirectErrorStream(true).redirectOutput(log.toFile()).start();
        List<String> printed = process.waitFor() == 0 ? Files.readAllLines(log) : List.of();
        assertTrue(!printed.isEmpty(), () -> "bin/image failed: see " + log);
        image = printed.get(printed.size() - 1);
    }

    @Test
    void shouldRunEachDaemonAndEndItWhenAsked() {
        try (ContainerCluster cluster = cluster("image-daemons")) {
            for (String name : List.of("zookeeper", "nimbus", "supervisor", "ui", "drpc")) {
                cluster.startEyewalls(name, name);
                assertTrue(cluster.log(name).contains("[INFO]"), () -> name + " logs nothing to standard output");
                assertEquals("1000\n", cluster.run(name, "id", "-u"));
            }
            cluster.await("Nimbus knows the Supervisor", () -> summary(cluster).contains("\"supervisors\":1"));
            for (String name : List.of("drpc", "ui", "supervisor", "nimbus", "zookeeper")) {
                assertNotEquals(KILLED, cluster.stop(name), () -> name + " has not ended by itself");
            }
        }
    }

    @Test
    void shouldLoseNothingWhenAContainerOfEachKindIsKilled() {
        try (ContainerCluster cluster = cluster("image-kills")) {
            cluster.startZooKeeper();
            for (String name : List.of("nimbus", "supervisor-1", "supervisor-2", "ui", "drpc")) {
                cluster.startEyewalls(name, name.split("-", 2)[0]);
            }
            awaitSupervisors(cluster);
            cluster.submit("nimbus", TOPOLOGY);
            awaitMore(cluster);
            for (String name : List.of("zookeeper", "nimbus", "ui", "drpc")) {
                cluster.kill(name);
                awaitMore(cluster);
                cluster.startAgain(name);
                if (!name.equals("zookeeper")) {
                    cluster.awaitHealth(name);
                }
                awaitMore(cluster);
            }
            for (String name : List.of("supervisor-1", "supervisor-2")) {
                cluster.kill(name);
                cluster.startAgain(name);
                cluster.awaitHealth(name);
                awaitMore(cluster);
            }
            assertNothingLost(cluster);
        }
    }

    @Test
    void shouldLoseNothingWhenUpstreamsContainersBecomeEyewallsAndUpstreamsAgainUnderLoad() {
        try (ContainerCluster cluster = cluster("image-upgrade")) {
            cluster.startZooKeeper();
            cluster.startUpstreams("nimbus", "nimbus");
            cluster.startUpstreams("supervisor-1", "supervisor");
            cluster.startUpstreams("supervisor-2", "supervisor");
            cluster.startEyewalls("ui", "ui");
            awaitSupervisors(cluster);
            cluster.submit("ui", TOPOLOGY);
            awaitMore(cluster);
            for (String name : List.of("supervisor-1", "supervisor-2", "nimbus")) {
                cluster.stop(name);
                cluster.startEyewalls(name, name.split("-", 2)[0]);
                awaitMore(cluster);
            }
            for (String name : List.of("supervisor-1", "supervisor-2", "nimbus")) {
                cluster.stop(name);
                cluster.startUpstreams(name, name.split("-", 2)[0]);
                awaitMore(cluster);
            }
            assertNothingLost(cluster);
            String upstream = UPSTREAM.root().getFileName().toString();
            for (String pair : List.of(upstream + " " + upstream, upstream + " eyewall", "eyewall " + upstream, "eyewall eyewall")) {
                assertTrue(Lines.of(cluster.output(TOPOLOGY), "sink").stream().anyMatch(line -> line.endsWith(" " + pair)),
                    () -> "no tuple has gone the way " + pair);
            }
        }
    }

    private ContainerCluster cluster(String name) {
        Map<String, Object> settings = new HashMap<>(QuickSettings.all());
        settings.put("supervisor.slots.ports", List.of(6700, 6701));
        return new ContainerCluster(image, Installations.workDirectory(name), UPSTREAM, settings);
    }

    private static void awaitSupervisors(ContainerCluster cluster) {
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

    private static void awaitMore(ContainerCluster cluster) {
        long enough = acks(cluster) + SOME;
        cluster.await(SOME + " more messages are acked", () -> acks(cluster) >= enough);
    }

    private static long acks(ContainerCluster cluster) {
        return Lines.of(cluster.output(TOPOLOGY), "numbers").stream().filter(line -> line.startsWith("ack ")).distinct().count();
    }

    private static void assertNothingLost(ContainerCluster cluster) {
        cluster.run("nimbus", "touch", cluster.output(TOPOLOGY).resolve("stop").toString());
        cluster.await("every message is acked", () -> account(cluster).isSettled());
        MessageAccount account = account(cluster);
        System.out.println(TOPOLOGY + " in containers: " + account + ".");
        account.assertNothingLost();
    }

    private static MessageAccount account(ContainerCluster cluster) {
        return MessageAccount.of(Lines.of(cluster.output(TOPOLOGY), "numbers"), Lines.of(cluster.output(TOPOLOGY), "sink"));
    }
}
