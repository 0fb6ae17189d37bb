package io.eyewall.integration.bench.elastic;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ElasticResultsTest {

    @TempDir
    private Path directory;

    private final ElasticResults results = new ElasticResults(ElasticScenario.all().get(0).figures(), List.of("a", "b"), List.of(
        List.of(ElasticRuns.since(2, new int[] {0, 0, 100}, new int[] {0, 0, 40}),
            ElasticRuns.since(2, new int[] {0, 100, 100}, new int[] {0, 60, 40})),
        List.of(ElasticRuns.since(0, new int[] {100, 100, 100}, new int[] {10, 20, 10}),
            ElasticRuns.since(0, new int[] {100, 100, 100}, new int[] {10, 20, 10}))));

    @Test
    void shouldShowARowForEachSide() {
        List<String> table = results.table();

        assertEquals(5, table.size());
        String worst = "50.0 ms [40.0 ms - 60.0 ms]";
        assertEquals("| a | 2 | 2 [1 - 2] | 150 [100 - 200] | 7 | 10.0 ms | " + worst + " | 40.0 ms | 3.00 s |", table.get(3));
        assertTrue(table.get(4).startsWith("| b | 0 | 0 | 0 | 7 | 10.0 ms | 20.0 ms |"), table.get(4));
    }

    @Test
    void shouldWriteALineForEachSecondAndAPlot() throws IOException {
        results.write(directory, List.of("when and where"));

        assertEquals("when and where", Files.readAllLines(directory.resolve("table.md")).get(0));
        List<String> lines = Files.readAllLines(directory.resolve("seconds.csv"));
        assertEquals(1 + 2 * 2 * 6, lines.size());
        assertTrue(lines.get(1).startsWith("a,1,-3,100,100,0,100,"), lines.get(1));
        assertTrue(Files.readString(directory.resolve("latency.svg")).contains("<svg"));
    }
}
