package io.eyewall.integration.system;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.eyewall.integration.cluster.ClusterExtension;
import io.eyewall.integration.cluster.ClusterSpecification;
import io.eyewall.integration.cluster.ProcessCluster;
import io.eyewall.integration.cluster.Submission;
import io.eyewall.integration.cluster.WorkerProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.storm.generated.ExecutorSummary;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.yaml.snakeyaml.Yaml;

/**
 * What keeps the tail short, together, in two workers, each on a host of its own to Storm; the first task of the bolt {@code uneven} is a
 * slow one. Nobody but Nimbus asks for balancing.
 */
@Tag("system")
class TailLatencySystemTest {

    private static final Path DIRECTORY = Installations.workDirectory("tail-latency");
    private static final int MESSAGES = 6_000;
    private static final int TASKS = 6;
    /** The prefix of the files that the tasks of the bolt write. */
    private static final String UNEVEN = "uneven-";
    /** The bolt of the example, some of whose executors are slow. */
    private static final String BOLT = "bolt-0";
    /** After how many tuples the test judges which task gets hardly any, and which part of the largest count that is. */
    private static final int ENOUGH = 2_000;
    private static final int HARDLY = 60;

    @RegisterExtension
    static final ClusterExtension CLUSTER = new ClusterExtension(() -> ClusterSpecification.of(Installations.eyewall(), DIRECTORY)
        .withSupervisors(2, 1).withSettings(QuickSettings.all())
        .withSettings(Map.of("storm.scheduler", "io.eyewall.scheduler.balanced.LatencyBalancedScheduler",
            "nimbus.topology.validator", "io.eyewall.scheduler.balanced.BalancedByDefault")));

    @Test
    @Tag("long")
    void shouldAckEachMessageOnceWithAdaptiveTimeoutToo() {
        DropInCluster cluster = run("all", Map.of("topology.adaptive.timeout", "true", "topology.adaptive.timeout.samples", "100"));

        assertEquals(Set.copyOf(numbers("")), Set.copyOf(cluster.lines("uneven", "even")));
    }

    /** The spout emits a message that fails again, and neither loses it nor hears of an ack twice. */
    @Test
    void shouldAckEachMessageOnceThoughAWorkerIsKilled() {
        DropInCluster cluster = submitted("killed", Map.of("topology.adaptive.timeout", "true", "topology.adaptive.timeout.samples", "100",
            "topology.message.timeout.secs", "5"));
        cluster.awaitAcks("uneven", MESSAGES / 4);
        int spoutPort = CLUSTER.cluster().topologies().executors("uneven", "numbers").get(0).get_port();
        CLUSTER.cluster().workers("uneven").stream().filter(worker -> worker.port() != spoutPort).findFirst().orElseThrow().kill();
        cluster.awaitAcks("uneven", MESSAGES);
        cluster.end("uneven");

        assertEquals(numbers("ack "),
            cluster.lines("uneven", "numbers").stream().filter(line -> line.startsWith("ack ")).sorted().toList());
        assertEquals(Set.copyOf(numbers("")), Set.copyOf(cluster.lines("uneven", "even")));
    }

    @Test
    void shouldAckEachMessageOnceAndTakeWorkFromTheSlowTaskAndFromItsWorker() {
        DropInCluster cluster = run("sharing-and-balancing", Map.of());

        assertEquals(numbers(""), cluster.lines("uneven", "even").stream().sorted().toList());
        Map<Integer, List<String>> uneven = new TreeMap<>();
        Lines.byFile(cluster.output("uneven"), UNEVEN).forEach((file, lines) ->
            uneven.put(Integer.valueOf(file.substring(UNEVEN.length())), lines));
        assertEquals(numbers(""), uneven.values().stream().flatMap(List::stream)
            .map(line -> String.valueOf(number(line))).sorted().toList());

        List<Integer> executed = uneven.values().stream().map(List::size).toList(); // The first task has the lowest id.
        assertEquals(TASKS, executed.size());
        assertTrue(executed.stream().skip(1).allMatch(fast -> fast > executed.get(0)), executed::toString);
        // Traffic moves by and by, from equal shares.
        Map<String, Long> byWorker = uneven.values().stream().flatMap(List::stream).filter(line -> number(line) >= MESSAGES / 2)
            .collect(Collectors.groupingBy(TailLatencySystemTest::port, Collectors.counting()));
        String slowWorker = port(uneven.values().iterator().next().get(0));
        assertEquals(2, byWorker.size());
        assertTrue(byWorker.get(slowWorker) < MESSAGES / 4, byWorker::toString);
    }

    @Test
    void shouldLoseNothingAndKeepItsWorkersWhenExecutorsThatShareAndAreBalancedChange() {
        DropInCluster cluster = submitted("rebalanced", Map.of());
        cluster.awaitAcks("uneven", MESSAGES / 20);
        Set<Long> workers = pids("uneven");
        int executors = CLUSTER.cluster().topologies().find("uneven").orElseThrow().get_num_executors();

        rebalance(Map.of("uneven", 3, "even", 1), executors - 6);
        cluster.awaitAcks("uneven", MESSAGES / 4);
        rebalance(Map.of("uneven", TASKS, "even", 4), executors);
        cluster.awaitAcks("uneven", MESSAGES);

        assertEquals(workers, pids("uneven"));
        cluster.end("uneven");
        assertEquals(numbers("ack "), cluster.lines("uneven", "numbers").stream().sorted().toList());
        assertEquals(numbers(""), cluster.lines("uneven", "even").stream().sorted().toList());
    }

    /**
     * All tasks of one worker are slow. A Nimbus that was started later has not seen how their traffic went, only that hardly any is left:
     * the one before would have to wait until that is so on average over its window.
     */
    @Test
    @Tag("long")
    void shouldMoveAnExecutorThatStaysSlowThoughItHasHardlyAnyTraffic() throws IOException {
        ProcessCluster cluster = CLUSTER.cluster();
        cluster.submit(Submission.of(Installations.examplesJar(), "io.eyewall.examples.Main", "linear", "one-slow")
            .with("topology.workers", 2).with("topology.acker.executors", 0).with("topology.stats.sample.rate", 1.0)
            .with("topology.latency.balancing.period.secs", 1).with("topology.latency.balancing.move.period.secs", 10)
            .with("eyewall.rate.per.sec", 500).with("eyewall.parallelism." + BOLT, 10).with("eyewall.work.ms." + BOLT, 1)
            .with("eyewall.work.slow.worker", 1).with("eyewall.work.slow.factor." + BOLT, 8));
        cluster.awaitRunning("one-slow", 2);
        Map<String, Long> counts = new TreeMap<>();
        Set<String> starved = new TreeSet<>();
        cluster.await("executors have hardly any traffic", () -> {
            Map<String, Long> newest = executed();
            Map<String, Long> since = new TreeMap<>();
            newest.forEach((executor, count) -> since.put(executor, count - counts.getOrDefault(executor, 0L)));
            if (since.values().stream().mapToLong(Long::longValue).sum() < ENOUGH) {
                return false;
            }
            counts.putAll(newest);
            since.forEach((executor, count) -> {
                if (count * HARDLY <= Collections.max(since.values())) {
                    starved.add(executor);
                }
            });
            return !starved.isEmpty();
        });
        Map<String, String> before = places();
        final Set<Long> workers = pids("one-slow");

        cluster.nimbus().kill();
        cluster.nimbus().start();
        cluster.awaitSupervisors();

        Set<String> moved = new TreeSet<>();
        cluster.await("an executor has moved", () -> {
            places().forEach((executor, place) -> {
                if (!place.equals(before.get(executor))) {
                    moved.add(executor);
                }
            });
            return !moved.isEmpty();
        });
        assertEquals(1, moved.size(), moved::toString);
        String executor = moved.iterator().next();
        String slowPlace = before.get(executor);
        assertTrue(starved.stream().allMatch(one -> before.get(one).equals(slowPlace)), () -> moved + " of " + starved + " in " + before);
        assertNotEquals(slowPlace, places().get(executor));
        cluster.awaitRunning("one-slow", 2);
        assertEquals(workers, pids("one-slow"));
        cluster.awaitLine(cluster.nimbus().logDirectory().resolve("nimbus.log"), "times as long per tuple as its siblings");
        cluster.topologies().kill("one-slow", 0);
        cluster.awaitGone("one-slow");
    }

    @Test
    void shouldRefuseATopologyInOneLineWhenAValueIsOutOfRange() throws IOException {
        Path config = Files.writeString(DIRECTORY.resolve("storm.yaml"), new Yaml().dump(CLUSTER.cluster().settings()));
        StormCommand storm = new StormCommand(Installations.eyewall(), config);
        assertRefused(storm, "topology.executor.queue", "common", "own or shared");
        assertRefused(storm, "topology.latency.balancing.period.secs", "-1", "1 to 3600");
    }

    /** How many tuples each executor of the bolt has executed, as Nimbus knows. */
    private static Map<String, Long> executed() {
        Map<String, Long> executed = new TreeMap<>();
        for (ExecutorSummary executor : CLUSTER.cluster().topologies().executors("one-slow", BOLT)) {
            if (executor.is_set_stats()) {
                executed.put(executor.get_executor_info().toString(), executor.get_stats().get_specific().get_bolt().get_executed()
                    .getOrDefault(":all-time", Map.of()).values().stream().mapToLong(Long::longValue).sum());
            }
        }
        return executed;
    }

    private static void rebalance(Map<String, Integer> executors, int all) {
        CLUSTER.cluster().topologies().rebalance("uneven", 0, executors);
        CLUSTER.cluster().await("uneven has " + all + " executors",
            () -> CLUSTER.cluster().topologies().find("uneven").orElseThrow().get_num_executors() == all);
        CLUSTER.cluster().awaitRunning("uneven", 2);
    }

    private static Set<Long> pids(String topology) {
        return WorkerProcess.pids(CLUSTER.cluster().workers(topology));
    }

    /** Host and port of each executor of the bolt. */
    private static Map<String, String> places() {
        return CLUSTER.cluster().topologies().executors("one-slow", BOLT).stream().collect(Collectors.toMap(
            executor -> executor.get_executor_info().toString(), executor -> executor.get_host() + ':' + executor.get_port()));
    }

    /** Runs the topology to its end with more settings than the ones that both need, and expects one ack of each message and no fail. */
    private static DropInCluster run(String name, Map<String, String> more) {
        DropInCluster cluster = submitted(name, more);
        cluster.awaitAcks("uneven", MESSAGES);
        cluster.end("uneven");
        assertEquals(numbers("ack "), cluster.lines("uneven", "numbers").stream().sorted().toList());
        return cluster;
    }

    private static DropInCluster submitted(String name, Map<String, String> more) {
        Map<String, String> settings = new HashMap<>(more);
        settings.putAll(Map.of("topology.executor.queue", "shared", "topology.latency.balancing.period.secs", "1"));
        DropInCluster cluster = new DropInCluster(CLUSTER.cluster(), DIRECTORY.resolve(name), settings);
        cluster.submit("uneven");
        return cluster;
    }

    private static void assertRefused(StormCommand storm, String key, String value, String range) {
        StormCommand.Outcome outcome = storm.run("jar", Installations.dropInJar().toString(), "io.eyewall.integration.dropin.Submit",
            "uneven", "-c", "dropin.output=" + DIRECTORY, "-c", key + "=" + value);

        assertNotEquals(0, outcome.exitCode());
        assertEquals(1, outcome.errors().size(), outcome.errors()::toString);
        assertTrue(outcome.errors().get(0).contains(key) && outcome.errors().get(0).contains(range), outcome.errors()::toString);
        assertTrue(CLUSTER.cluster().topologies().find("uneven").isEmpty());
    }

    /** The number that {@code uneven} has written in a line: that and the port of its worker. */
    private static int number(String line) {
        return Integer.parseInt(line.substring(0, line.indexOf(' ')));
    }

    /** The port of the worker in which {@code uneven} has written a line: a number and that. */
    private static String port(String line) {
        return line.substring(line.indexOf(' ') + 1);
    }

    private static List<String> numbers(String before) {
        return IntStream.range(0, MESSAGES).mapToObj(number -> before + number).sorted().toList();
    }
}
