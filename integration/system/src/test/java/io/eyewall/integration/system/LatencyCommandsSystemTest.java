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
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What one sees of the latencies of a topology of the examples that runs in two workers and is recorded in full. */
@Tag("system")
class LatencyCommandsSystemTest {

    private static final Path DIRECTORY = Installations.workDirectory("latency-commands");
    private static final StormCommand STORM = new StormCommand(Installations.eyewall(), DIRECTORY.resolve("client.yaml"));
    private static final int ENDPOINT_PORT_OFFSET = 10_000;
    private static final Set<String> HOPS = Set.of("deserialize", "emit-to-enqueue", "execute", "network", "receive-queue-wait",
        "serialize", "transfer-queue-wait");
    private static final Set<String> SPANS = Set.of("complete", "due-to-executed", "emit-to-ack", "end-to-end");
    private static final String EXECUTE_ROW = "^execute +(spout -> stage-1|stage-1 -> stage-2|stage-2 -> output) .*";

    @RegisterExtension
    static final ClusterExtension CLUSTER = new ClusterExtension(() -> ClusterSpecification.of(Installations.eyewall(), DIRECTORY)
        .withSupervisors(1, 2).withSettings(QuickSettings.all()));

    @BeforeAll
    static void run() throws IOException {
        ProcessCluster cluster = CLUSTER.cluster();
        cluster.submit(Submission.of(Installations.examplesJar(), "io.eyewall.examples.Main", "chain", "chain")
            .with("topology.workers", 2).with("topology.acker.executors", 1).with("eyewall.rate.per.sec", 500)
            .with("topology.latency.recording", "all").with("topology.latency.interval.secs", 1));
        cluster.awaitRunning("chain", 2);
        cluster.await("the workers have written every kind of hop, and each of them the execution of tuples", () -> {
            List<Set<String>> written = latencies().stream().map(LatencyCommandsSystemTest::kinds).toList();
            return written.size() == 2 && written.stream().allMatch(kinds -> kinds.contains("execute"))
                && union(written.get(0), written.get(1)).containsAll(union(HOPS, SPANS));
        });
    }

    @Test
    void shouldShowEveryHopOfAllWorkersAndMarkTheWorst() {
        List<String> table = successful("latency", "chain");

        assertTrue(table.get(0).matches("chain-.*: 2 of 2 workers, every message, since they started"), table.get(0));
        assertTrue(table.get(1).matches("hop +way +count +p50 +p90 +p99 +p99\\.9 +max +share"), table.get(1));
        assertEquals(union(HOPS, SPANS), hops(table));
        assertEquals(3, table.stream().filter(row -> row.matches(EXECUTE_ROW)).count(), () -> String.join("\n", table));
        List<String> worst = table.stream().filter(row -> row.endsWith("<- worst")).toList();
        assertEquals(1, worst.size(), () -> String.join("\n", table));
        assertEquals(table.stream().mapToDouble(LatencyCommandsSystemTest::share).max().orElseThrow(), share(worst.get(0)));
        rows(table).forEach(row -> {
            assertTrue(row.matches("\\S+ +.*\\S +[1-9][\\d,]*\\*? +(<?[\\d.,]+ (ns|us|ms|s) +){4}<?[\\d.,]+ (ns|us|ms|s).*"), row);
            assertEquals(HOPS.contains(row.split(" ", 2)[0]), row.contains(" %"), row);
        });
    }

    @Test
    void shouldShowOneComponentAndOneIntervalWhenAsked() {
        List<String> table = successful("latency", "chain", "--component", "stage-1", "--interval", "2");

        assertTrue(table.get(0).matches(".*2 of 2 workers, every message, in \\d+\\.\\d s until \\d\\d:\\d\\d:\\d\\d"), table.get(0));
        assertTrue(rows(table).size() > 5 && rows(table).stream().allMatch(row -> row.contains("stage-1")), () -> String.join("\n", table));
        long executed = executedOfStage1(table);
        long sinceTheStart = executedOfStage1(successful("latency", "chain", "--component", "stage-1"));
        assertTrue(executed > 0 && executed < sinceTheStart, () -> executed + " of " + sinceTheStart);
    }

    private static long executedOfStage1(List<String> table) {
        return rows(table).stream().filter(row -> row.startsWith("execute ") && row.contains("spout -> stage-1"))
            .mapToLong(row -> Long.parseLong(row.replaceFirst(".*-> stage-1 +", "").split(" ", 2)[0].replaceAll("[,*]", ""))).sum();
    }

    @Test
    void shouldShowTheTableAgainAndAgainWhenWatching() {
        StormCommand.Outcome outcome = STORM.runUntil(
            lines -> lines.stream().filter(line -> line.contains("2 of 2 workers")).count() == 3,
            "latency", "chain", "--watch", "--interval", "1");

        assertEquals(3, outcome.output().stream().filter(line -> line.matches("chain-.*, in \\d+\\.\\d s until .*")).count(),
            () -> outcome.output() + " " + outcome.errors());
    }

    @Test
    void shouldSayInOneLineThatThereIsNoSuchTopologyOrComponent() {
        StormCommand.Outcome topology = STORM.run("latency", "no-such-topology");
        assertNotEquals(0, topology.exitCode());
        assertEquals(1, topology.errors().size(), topology.errors()::toString);
        assertTrue(topology.errors().get(0).contains("no-such-topology"), topology.errors()::toString);
        assertEquals(List.of(), topology.output());

        StormCommand.Outcome component = STORM.run("latency", "chain", "--component", "stage-9");
        assertEquals(1, component.exitCode());
        assertEquals(List.of("storm latency: topology chain has no component stage-9. It has spout, stage-1, stage-2, output."),
            component.errors());
    }

    @Test
    void shouldServeHistogramsToPrometheusFromEveryWorker() throws Exception {
        HttpClient client = HttpClient.newHttpClient();
        Set<String> points = new TreeSet<>();
        for (WorkerProcess worker : CLUSTER.cluster().workers("chain")) {
            HttpResponse<String> answer = client.send(HttpRequest.newBuilder(
                URI.create("http://localhost:" + (worker.port() + ENDPOINT_PORT_OFFSET) + "/metrics")).build(),
                HttpResponse.BodyHandlers.ofString());
            assertEquals(200, answer.statusCode());
            List<String> lines = answer.body().lines().toList();
            assertTrue(lines.containsAll(List.of(
                "# TYPE eyewall_hop_latency_seconds summary",
                "# TYPE eyewall_hop_latency_histogram_seconds histogram",
                "# TYPE eyewall_hop_latency_max_seconds gauge",
                "# TYPE eyewall_hop_latency_clock_error_bound_seconds gauge",
                "# TYPE eyewall_latency_dropped_samples_total counter")), answer::body);
            for (String quantile : List.of("0.5", "0.9", "0.99", "0.999")) {
                assertTrue(lines.stream().anyMatch(line -> line.startsWith("eyewall_hop_latency_seconds{")
                    && line.contains("quantile=\"" + quantile + "\"") && line.contains("topology=\"chain\"")), answer::body);
            }
            assertTrue(lines.stream().filter(line -> line.startsWith("eyewall_hop_latency_histogram_seconds_bucket{"))
                .anyMatch(line -> line.contains("le=\"0.001\"")), answer::body);
            lines.stream().filter(line -> line.startsWith("eyewall_hop_latency_seconds_count{"))
                .forEach(line -> points.add(line.replaceFirst(".*point=\"([^\"]*)\".*", "$1")));
        }
        points.remove("overflow"); // Only where a queue was full, which depends on what else the machine does.
        assertEquals(union(HOPS, SPANS), points);
    }

    @Test
    void shouldPlotALogAndAlsoOneThatIsCutOff() throws IOException {
        byte[] bytes = WorkerLatencies.wholeLines(latencies().get(0).current());
        Path log = Files.write(DIRECTORY.resolve("whole.hlog"), bytes);
        Path cutOff = Files.write(DIRECTORY.resolve("cut-off.hlog"), Arrays.copyOf(bytes, bytes.length - 10));
        String tag = WorkerLatencies.byTag(log).keySet().stream().filter(each -> each.startsWith("execute/")).findFirst().orElseThrow();
        Path picture = DIRECTORY.resolve("picture.svg");

        StormCommand.Outcome outcome = STORM.run("latency-plot", log.toString(), cutOff.toString(), "-o", picture.toString(), "--tag", tag);

        assertEquals(0, outcome.exitCode(), outcome.errors()::toString);
        assertEquals(1, outcome.errors().size(), outcome.errors()::toString);
        assertTrue(outcome.errors().get(0).startsWith("storm latency-plot: " + cutOff + ":"), outcome.errors()::toString);
        assertTrue(outcome.output().stream().anyMatch(line -> line.startsWith("whole execute/")), outcome.output()::toString);
        assertTrue(outcome.output().stream().anyMatch(line -> line.startsWith("cut-off execute/")), outcome.output()::toString);
        assertTrue(Files.readString(picture).contains("<svg"));
    }

    @Test
    void shouldSayInOneLineThatAFileIsNoLog() throws IOException {
        Path foreign = Files.writeString(DIRECTORY.resolve("foreign.hlog"), "Dear reader,\nthis is something else.\n");

        StormCommand.Outcome outcome = STORM.run("latency-plot", foreign.toString(), "-o", DIRECTORY.resolve("none.svg").toString());

        assertEquals(1, outcome.exitCode());
        assertEquals(1, outcome.errors().size(), outcome.errors()::toString);
        assertTrue(outcome.errors().get(0).contains(foreign + ":1"), outcome.errors()::toString);
        assertTrue(Files.notExists(DIRECTORY.resolve("none.svg")));
    }

    private static List<WorkerLatencies> latencies() {
        ProcessCluster cluster = CLUSTER.cluster();
        return cluster.workers("chain").stream().map(worker -> WorkerLatencies.of(cluster, worker)).toList();
    }

    private static Set<String> kinds(WorkerLatencies worker) {
        return Files.notExists(worker.current()) ? Set.of() : WorkerLatencies.byTag(worker.current()).keySet().stream()
            .map(tag -> tag.substring(0, tag.indexOf('/'))).collect(Collectors.toSet());
    }

    private static List<String> successful(String... arguments) {
        StormCommand.Outcome outcome = STORM.run(arguments);
        assertEquals(0, outcome.exitCode(), outcome.errors()::toString);
        assertEquals(List.of(), outcome.errors());
        return outcome.output();
    }

    /** The table without its two headlines, the blank line and what is said below it. */
    private static List<String> rows(List<String> table) {
        return table.stream().skip(2).filter(row -> union(HOPS, SPANS).contains(row.split(" ", 2)[0])).toList();
    }

    private static Set<String> hops(List<String> table) {
        return rows(table).stream().map(row -> row.split(" ", 2)[0]).collect(Collectors.toSet());
    }

    /** The share in per cent, or 0 in a line without. */
    private static double share(String row) {
        return row.matches(".* [\\d.]+ %.*") ? Double.parseDouble(row.replaceFirst(".* ([\\d.]+) %.*", "$1")) : 0;
    }

    private static Set<String> union(Set<String> some, Set<String> more) {
        Set<String> all = new TreeSet<>(some);
        all.addAll(more);
        return all;
    }
}
