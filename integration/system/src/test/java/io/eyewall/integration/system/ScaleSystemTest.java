package io.eyewall.integration.system;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.eyewall.integration.cluster.ClusterExtension;
import io.eyewall.integration.cluster.ClusterSpecification;
import io.eyewall.integration.cluster.Daemon;
import io.eyewall.integration.cluster.ProcessCluster;
import io.eyewall.integration.cluster.Submission;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.storm.generated.ExecutorSummary;
import org.apache.storm.generated.TopologyInfo;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Topologies on two machines grow to a third that joins: one when asked to, and it shrinks again; the other by itself. */
@Tag("system")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ScaleSystemTest {

    private final Path directory = Installations.workDirectory(name());
    private final StormCommand storm = new StormCommand(Installations.eyewall(), directory.resolve("client.yaml"));

    @RegisterExtension
    final ClusterExtension extension = new ClusterExtension(() -> ClusterSpecification.of(Installations.eyewall(), directory)
        .withSupervisors(3, 2).withSettings(QuickSettings.all()).withSettings(settings())
        .withSettings(Map.of("storm.scheduler", "io.eyewall.scheduler.scaling.ElasticityScheduler",
            // Storm blacklists hosts, of which these three machines have one: what the third does would keep out all.
            "blacklist.scheduler.tolerance.count", 1_000)));

    /** The name of the directory for logs and files. */
    String name() {
        return "scale";
    }

    /** What topologies run with, beside what their workers have in all tests. */
    Map<String, Object> settings() {
        return Map.of();
    }

    @Test
    void shouldGrowToAMachineThatJoinsAndShrinkAgain() throws IOException {
        ProcessCluster cluster = extension.cluster();
        Daemon third = cluster.supervisors().get(2);
        // Unless it is asked to end, ZooKeeper remembers it for a while.
        third.stop();
        cluster.await("Nimbus has forgotten the third supervisor", () -> cluster.topologies().cluster().get_supervisors_size() == 2);
        submit(cluster, "linear", "manual");
        submit(cluster, "automatic", "auto");
        cluster.awaitRunning("linear", 2);
        cluster.awaitRunning("automatic", 2);
        Map<Integer, Map<String, Integer>> before = countsByPort(cluster);

        // A command is a JVM of its own, and says until then that there is nothing to measure.
        cluster.await("its executors have run for a while",
            () -> executors(cluster).stream().allMatch(executor -> executor.get_uptime_secs() >= 10));
        cluster.awaitCommand("the topology is measured", () -> storm.run("scale", "linear", "--out", "1", "--dry-run").errors().stream()
            .noneMatch(line -> line.contains("has not been measured yet")));
        refused("no other machine has a free slot", "scale", "linear", "--out", "1");
        refused("it runs on 2 ", "scale", "linear", "--in", "2");
        refused("no such topology is running", "scale", "no-such-topology", "--out", "1");
        third.start();
        cluster.awaitSupervisors();
        List<String> plan = successful("scale", "linear", "--out", "1", "--dry-run");
        assertTrue(plan.get(0).matches("Scale linear-\\S+ out by 1 machine, strategy etp: localhost/\\S+"), plan::toString);
        assertTrue(plan.stream().anyMatch(line -> line.matches("throughput: .* tuples/s measured, .* predicted")), plan::toString);
        assertEquals(before, countsByPort(cluster), "a dry run changes nothing");

        List<String> out = successful("scale", "linear", "--out", "1", "--wait");
        assertTrue(out.stream().anyMatch(line -> line.startsWith("committed: to localhost/")), out::toString);
        assertTrue(out.stream().anyMatch(line -> line.matches("measured: throughput .*/s before, .*/s after, .*/s predicted; .*")),
            out::toString);
        Map<Integer, Map<String, Integer>> grown = countsByPort(cluster);
        before.forEach((port, counts) -> assertEquals(counts, grown.get(port), "what was on port " + port + " stays there"));
        assertEquals(3, grown.size());

        cluster.awaitRunning("linear", 3);
        Map<String, Integer> placesBefore = places(cluster);
        successful("scale", "linear", "--in", "1");
        cluster.awaitRunning("linear", 2);
        Map<String, Integer> placesAfter = places(cluster);
        Set<Integer> left = new TreeSet<>(placesBefore.values());
        left.removeAll(placesAfter.values());
        assertEquals(1, left.size(), left::toString);
        placesBefore.forEach((executor, port) -> {
            if (!left.contains(port)) {
                assertEquals(port, placesAfter.get(executor), executor + " was not on the machine that was left");
            }
        });
        List<String> log = successful("scale", "linear", "--log");
        assertEquals(2, log.stream().filter(line -> line.contains("  committed: ")).count(), log::toString);
        cluster.awaitRunning("automatic", 3);
    }

    private static void submit(ProcessCluster cluster, String name, String elastic) throws IOException {
        // Two executors that sleep for 4 ms over each tuple pass 500 in a second at most.
        cluster.submit(Submission.of(Installations.examplesJar(), "io.eyewall.examples.Main", "linear", name)
            .with("topology.workers", 2).with("topology.acker.executors", 0).with("eyewall.rate.per.sec", 700)
            .with("eyewall.work.ms.bolt-0", 4).with("eyewall.parallelism", 2).with("eyewall.tasks", 8)
            .with("topology.elastic", elastic));
    }

    /** How many executors every component has on every port. */
    private static Map<Integer, Map<String, Integer>> countsByPort(ProcessCluster cluster) {
        Map<Integer, Map<String, Integer>> counts = new TreeMap<>();
        executors(cluster).forEach(executor -> counts.computeIfAbsent(executor.get_port(), port -> new TreeMap<>())
            .merge(executor.get_component_id(), 1, Integer::sum));
        return counts;
    }

    /** The port of every executor. */
    private static Map<String, Integer> places(ProcessCluster cluster) {
        Map<String, Integer> places = new HashMap<>();
        executors(cluster).forEach(executor -> places.put(executor.get_executor_info().toString(), executor.get_port()));
        return places;
    }

    private static List<ExecutorSummary> executors(ProcessCluster cluster) {
        return cluster.topologies().info("linear").map(TopologyInfo::get_executors).orElseThrow();
    }

    private List<String> successful(String... arguments) {
        StormCommand.Outcome outcome = storm.run(arguments);
        assertEquals(0, outcome.exitCode(), outcome.errors()::toString);
        return outcome.output();
    }

    private void refused(String why, String... arguments) {
        StormCommand.Outcome outcome = storm.run(arguments);
        assertNotEquals(0, outcome.exitCode());
        assertEquals(1, outcome.errors().size(), outcome.errors()::toString);
        assertTrue(outcome.errors().get(0).contains(why), outcome.errors()::toString);
        assertEquals(List.of(), outcome.output());
    }
}
