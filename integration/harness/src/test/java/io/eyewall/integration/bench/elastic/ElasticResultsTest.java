package io.eyewall.integration.bench.elastic;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.eyewall.integration.bench.data.Circumstances;
import io.eyewall.integration.bench.data.MeasurementFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ElasticResultsTest {

    @TempDir
    private Path directory;

    private final ElasticResults results = new ElasticResults(ElasticScenario.all().get(0),
        Circumstances.of(2, 3, "2026-11-23", "here"), List.of("a", "b"), List.of("1", "2"), List.of(
        List.of(ElasticRuns.since(2, new int[] {0, 0, 100}, new int[] {0, 0, 40}),
            ElasticRuns.since(2, new int[] {0, 100, 100}, new int[] {0, 60, 40})),
        List.of(ElasticRuns.since(0, new int[] {100, 100, 100}, new int[] {10, 20, 10}),
            ElasticRuns.since(0, new int[] {100, 100, 100}, new int[] {10, 20, 10}))));

    @Test
    void shouldWriteARowForEachSide() throws IOException {
        results.write(directory, List.of("when and where"));

        List<String> table = Files.readAllLines(directory.resolve("table.md"));
        assertEquals("when and where", table.get(0));
        String first = table.get(table.size() - 2);
        String last = table.get(table.size() - 1);
        assertEquals("| elastic/rebalance at 1,000/s | a | 2 | 1.5 [1 - 2] | 150 [100 - 200] | 7 | 10.0 | 50.0 [40.0 - 60.0] | 40.0 | 3.00"
            + " | 1.00 |", first);
        assertTrue(last.startsWith("|  | b | 0 | 0 | 0 | 7 | 10.0 **×1.00** | 20.0 **×0.42 [0.33 - 0.50]** |"), last);
        assertEquals(results.measurements(), new MeasurementFile(directory.resolve("runs.csv")).read());
    }

    @Test
    void shouldWriteALineForEachSecondAndAPlot() throws IOException {
        results.write(directory, List.of("when and where"));

        List<String> lines = Files.readAllLines(directory.resolve("seconds.csv"));
        assertEquals(1 + 2 * 2 * 6, lines.size());
        assertTrue(lines.get(1).startsWith("a,1,-3,100,100,0,100,"), lines.get(1));
        assertTrue(Files.readString(directory.resolve("latency.svg")).contains("<svg"));
    }
}
