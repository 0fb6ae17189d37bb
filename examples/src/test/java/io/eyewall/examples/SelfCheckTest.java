package io.eyewall.examples;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.eyewall.examples.configuration.ExampleConfiguration;
import io.eyewall.examples.configuration.ExampleKeys;
import io.eyewall.examples.operator.CountBolt;
import io.eyewall.examples.operator.LineSource;
import io.eyewall.examples.operator.ResultFile;
import io.eyewall.examples.operator.TopologyAssembly;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import org.HdrHistogram.EncodableHistogram;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogReader;
import org.apache.storm.Config;
import org.apache.storm.DaemonConfig;
import org.apache.storm.LocalCluster;
import org.apache.storm.generated.StormTopology;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Runs each topology on a local cluster over the first lines of the built-in text, and compares the counts of its sinks with those that the
 * topology expects for that input. Runs several topologies at a time, since a local cluster waits most of the time.
 */
@Execution(ExecutionMode.CONCURRENT)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SelfCheckTest {

    private static final Duration DEADLINE = Duration.ofMinutes(2);
    private static final long RECORDS = 300;

    private Path directory;
    private LocalCluster cluster;

    /** One directory for all tests: a field per test would be replaced while other tests use it. */
    @BeforeAll
    void startCluster(@TempDir Path shared) throws Exception {
        directory = shared;
        cluster = new LocalCluster.Builder().withPortsPerSupervisor(8)
            .withDaemonConf(Map.of(DaemonConfig.NIMBUS_MONITOR_FREQ_SECS, 1)).build();
    }

    @AfterAll
    void stopCluster() throws Exception {
        cluster.close();
    }

    static List<ExampleTopology> topologies() {
        return ExampleTopologies.all().stream().filter(example -> !(example instanceof YahooStreamingTopology)).toList();
    }

    @ParameterizedTest
    @MethodSource("topologies")
    void shouldReportTheExpectedCountsWhenAllRecordsAreProcessed(ExampleTopology example) throws Exception {
        Submission submission = submission(example, Map.of());
        Map<String, Map<String, Long>> expected = expected(example, submission);

        assertEquals(expected, run(example.name(), submission.topology(), submission.configuration(), expected));
    }

    @Test
    void shouldCountTheExpectedViewsInRedisWhenAllEventsAreProcessed() throws Exception {
        try (RedisServer redis = RedisServer.start(directory.resolve("redis"))) {
            ExampleTopology example = new YahooStreamingTopology();
            Submission submission = submission(example,
                Map.of(ExampleKeys.REDIS_HOST.name(), redis.host(), ExampleKeys.REDIS_PORT.name(), redis.port()));
            Map<String, Map<String, Long>> expected = expected(example, submission);

            assertEquals(expected, run(example.name(), submission.topology(), submission.configuration(), expected));
            assertEquals(expected.get("window"), redis.seenByCampaign());
        }
    }

    @Test
    void shouldMeasureEveryMessageWhenItIsPaced() throws Exception {
        ExampleTopology example = new ProcessingTopology();
        Path measured = directory.resolve("measured");
        Submission submission = submission(example,
            Map.of(ExampleKeys.MEASURE_DIR.name(), measured.toString(), ExampleKeys.RATE_PER_SEC.name(), 200));
        Map<String, Map<String, Long>> expected = expected(example, submission);

        // A sink acks messages after it has written their counts, so that the results are there before the last ack.
        run("measured-" + example.name(), submission.topology(), submission.configuration(), expected,
            () -> lastCount(measured, "spout", "acked") == RECORDS);

        assertEquals(RECORDS, lastCount(measured, "spout", "emitted"));
        assertEquals(RECORDS, lastCount(measured, "spout", "acked"));
        assertEquals(RECORDS, measuredLatencies(measured, "spout", "complete"));
        for (String sink : expected.keySet()) {
            assertEquals(total(Map.of(sink, expected.get(sink))), lastCount(measured, sink, "received"));
            assertEquals(total(Map.of(sink, expected.get(sink))), measuredLatencies(measured, sink, "e2e"));
        }
    }

    @Test
    void shouldProcessEveryMessageAtLeastOnceWhenSomeFail() throws Exception {
        Submission like = submission(new LinearTopology(), Map.of());
        ExampleConfiguration configuration = new ExampleConfiguration(like.configuration());
        TopologyAssembly assembly = new TopologyAssembly(configuration);
        assembly.spout("spout", new LineSource());
        assembly.bolt("failing", new FirstTimeFailingBolt(), 1).shuffleGrouping("spout");
        assembly.sink("output", CountBolt.discarding(false), 1).shuffleGrouping("failing");
        Map<String, Map<String, Long>> expected = new TreeMap<>();
        InputRecords.forEachText(configuration, (text, sequence) -> {
            InputRecords.add(expected, "output", text);
            if (sequence % 6 == 0) {
                InputRecords.add(expected, "output", text);
            }
        });

        assertEquals(expected, run("failing", assembly.topology(), like.configuration(), expected));
    }

    private Submission submission(ExampleTopology example, Map<String, Object> more) throws IOException {
        Map<String, Object> given = new HashMap<>(more);
        given.put(ExampleKeys.RECORDS.name(), RECORDS);
        given.put(ExampleKeys.RESULTS_DIR.name(), Files.createTempDirectory(directory, "results").toString());
        given.put(ExampleKeys.SEED.name(), 7);
        given.put(Config.TOPOLOGY_MAX_SPOUT_PENDING, 100_000);
        given.put(Config.TOPOLOGY_TESTING_ALWAYS_TRY_SERIALIZE, true);
        return Submission.of(example, given, Map.of());
    }

    private static Map<String, Map<String, Long>> expected(ExampleTopology example, Submission submission) throws IOException {
        Map<String, Map<String, Long>> expected = example.expectedResults(new ExampleConfiguration(submission.configuration()));
        assertFalse(expected.isEmpty());
        return expected;
    }

    /** Runs a topology until its sinks have the expected counts, and returns the counts that they wrote last. */
    private Map<String, Map<String, Long>> run(String name, StormTopology topology, Map<String, Object> configuration,
            Map<String, Map<String, Long>> expected) throws Exception {
        return run(name, topology, configuration, expected, () -> true);
    }

    /** Runs a topology in the same way, and also waits for another condition. */
    private Map<String, Map<String, Long>> run(String name, StormTopology topology, Map<String, Object> configuration,
            Map<String, Map<String, Long>> expected, Callable<Boolean> besides) throws Exception {
        Path results = Path.of(configuration.get(ExampleKeys.RESULTS_DIR.name()).toString());
        try (LocalCluster.LocalTopology running = cluster.submitTopology(name, configuration, topology)) {
            // A missing file is not a failure yet. If the deadline passes, its exception contains the last one.
            await(name).atMost(DEADLINE).ignoreExceptionsMatching(SelfCheckTest::isNotThereYet)
                .until(() -> total(results(results, expected)) >= total(expected) && besides.call());
        }
        return results(results, expected);
    }

    private static boolean isNotThereYet(Throwable problem) {
        return problem instanceof NoSuchFileException || problem instanceof NoSuchElementException;
    }

    private static Map<String, Map<String, Long>> results(Path directory, Map<String, Map<String, Long>> expected) throws IOException {
        Map<String, Map<String, Long>> results = new TreeMap<>();
        for (String sink : expected.keySet()) {
            results.put(sink, ResultFile.read(directory, sink));
        }
        return results;
    }

    private static long total(Map<String, Map<String, Long>> counts) {
        return counts.values().stream().flatMap(each -> each.values().stream()).mapToLong(Long::longValue).sum();
    }

    private static long lastCount(Path directory, String component, String column) throws IOException {
        List<String> lines = Files.readAllLines(file(directory, component, ".csv"));
        int index = List.of(lines.get(0).split(",", -1)).indexOf(column);
        return Long.parseLong(lines.get(lines.size() - 1).split(",", -1)[index]);
    }

    private static long measuredLatencies(Path directory, String component, String tag) throws IOException {
        long count = 0;
        try (HistogramLogReader reader = new HistogramLogReader(file(directory, component, ".hlog").toFile())) {
            for (EncodableHistogram next = reader.nextIntervalHistogram(); next != null; next = reader.nextIntervalHistogram()) {
                assertEquals(tag, next.getTag());
                count += ((Histogram) next).getTotalCount();
            }
        }
        return count;
    }

    private static Path file(Path directory, String component, String suffix) throws IOException {
        try (var files = Files.list(directory)) {
            return files.filter(file -> file.getFileName().toString().matches(component + "-[0-9]+\\" + suffix)).findFirst().orElseThrow();
        }
    }
}
