package io.eyewall.examples;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.eyewall.examples.configuration.ExampleConfiguration;
import io.eyewall.examples.configuration.ExampleKeys;
import io.eyewall.examples.operator.ResultFile;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.storm.Config;
import org.apache.storm.LocalCluster;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Runs each topology on a local cluster over the first lines of the built-in text, and compares what its sinks counted with what the
 * topology expects of that input.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SelfCheckTest {

    private static final Duration DEADLINE = Duration.ofMinutes(2);
    private static final long RECORDS = 300;

    private LocalCluster cluster;

    @BeforeAll
    void startCluster() throws Exception {
        cluster = new LocalCluster();
    }

    @AfterAll
    void stopCluster() throws Exception {
        cluster.close();
    }

    static List<ExampleTopology> topologies() {
        return ExampleTopologies.all();
    }

    @ParameterizedTest
    @MethodSource("topologies")
    void shouldReportWhatItExpectsWhenAllRecordsWereProcessed(ExampleTopology example, @TempDir Path results) throws Exception {
        Map<String, Object> given = new HashMap<>();
        given.put(ExampleKeys.RECORDS.name(), RECORDS);
        given.put(ExampleKeys.RESULTS_DIR.name(), results.toString());
        given.put(ExampleKeys.SEED.name(), 7);
        given.put(Config.TOPOLOGY_WORKERS, 1);
        Submission submission = Submission.of(example, given, Map.of());
        Map<String, Map<String, Long>> expected = example.expectedResults(new ExampleConfiguration(submission.configuration()));
        assertFalse(expected.isEmpty());
        Map<String, Map<String, Long>> seen = new TreeMap<>();
        try (LocalCluster.LocalTopology running =
                cluster.submitTopology(example.name(), submission.configuration(), submission.topology())) {
            await().atMost(DEADLINE).until(() -> {
                seen.clear();
                for (String sink : expected.keySet()) {
                    seen.put(sink, ResultFile.read(results, sink));
                }
                return total(seen) >= total(expected);
            });
        }
        assertEquals(expected, seen);
    }

    private static long total(Map<String, Map<String, Long>> counts) {
        return counts.values().stream().flatMap(each -> each.values().stream()).mapToLong(Long::longValue).sum();
    }
}
