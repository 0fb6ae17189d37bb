package io.eyewall.integration.system;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.eyewall.integration.cluster.ClusterExtension;
import io.eyewall.integration.cluster.ClusterSpecification;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.yaml.snakeyaml.Yaml;

/**
 * What keeps the tail short, together, in two workers; the first task of the bolt {@code uneven} is a slow one. Nobody but Nimbus asks for
 * balancing.
 */
@Tag("system")
class TailLatencySystemTest {

    private static final Path DIRECTORY = Installations.workDirectory("tail-latency");
    private static final int MESSAGES = 6_000;
    private static final int TASKS = 6;
    /** How the names of the files begin that the tasks of the bolt write. */
    private static final String UNEVEN = "uneven-";

    @RegisterExtension
    static final ClusterExtension CLUSTER = new ClusterExtension(() -> ClusterSpecification.of(Installations.eyewall(), DIRECTORY)
        .withSupervisors(1, 2).withSettings(QuickSettings.all())
        .withSettings(Map.of("storm.scheduler", "io.eyewall.scheduler.balanced.LatencyBalancedScheduler",
            "nimbus.topology.validator", "io.eyewall.scheduler.balanced.BalancedByDefault")));

    @Test
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
    void shouldRefuseATopologyInOneLineWhenAValueIsOutOfRange() throws IOException {
        Path config = Files.writeString(DIRECTORY.resolve("storm.yaml"), new Yaml().dump(CLUSTER.cluster().settings()));
        StormCommand storm = new StormCommand(Installations.eyewall(), config);
        assertRefused(storm, "topology.executor.queue", "common", "own or shared");
        assertRefused(storm, "topology.latency.balancing.period.secs", "-1", "1 to 3600");
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
