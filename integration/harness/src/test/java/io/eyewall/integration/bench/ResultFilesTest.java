package io.eyewall.integration.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.eyewall.core.report.HlogReader;
import io.eyewall.integration.bench.data.Circumstances;
import io.eyewall.integration.bench.data.MeasurementFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ResultFilesTest {

    private static final Side A = Side.of('A', Side.Installation.UPSTREAM);
    private static final Side B = Side.of('B', Side.Installation.EYEWALL);
    private static final String BLUE = "rgb(0,114,178)";
    private static final String VERMILION = "rgb(213,94,0)";
    private static final Scenario SCENARIO = Scenario.all().get(0);

    @TempDir
    private Path out;
    private ResultFiles files;
    private Path directory;

    @BeforeEach
    void begin() throws IOException {
        files = new ResultFiles(out, List.of(A, B), Circumstances.of(1, 10, "2026-11-23", "2 cores (Xeon), 24 GiB"),
            Map.of(Side.Installation.UPSTREAM, "2.8.3", Side.Installation.EYEWALL, "0.1.0+abc"));
        directory = out.resolve("const-null/ack/1w");
        files.begin(SCENARIO);
    }

    @Test
    void shouldWriteALogAndALineForEachRun() throws IOException {
        files.write(SCENARIO, A, 1, BenchResults.run(100_000, 1000, 2, 0.0625));
        files.write(SCENARIO, B, 1, BenchResults.run(200_000, 500, 2));

        List<Histogram> intervals = new ArrayList<>();
        new HlogReader(directory.resolve("B-eyewall-1.hlog")).poll(intervals::add);
        assertEquals(BenchResults.run(1, 500, 1).intervals(), intervals);
        assertEquals(BenchResults.START_MS, intervals.get(0).getStartTimeStamp());
        List<String> lines = Files.readAllLines(directory.resolve("runs.csv"));
        assertEquals(3, lines.size());
        assertTrue(lines.get(1).startsWith("const-null/ack/1w,0,upstream,1,1,10,100000.0,"), lines.get(1));
        assertTrue(lines.get(1).endsWith(",2.0000,0,6.25,2026-11-23,\"2 cores (Xeon), 24 GiB\",2.8.3"), lines.get(1));
        assertEquals(files.measurements(), new MeasurementFile(directory.resolve("runs.csv")).read());
        assertTrue(lines.get(2).endsWith(",0.1.0+abc"), lines.get(2));
    }

    @Test
    void shouldWriteTableAndPlotOfAComparison() throws IOException {
        RunResult slow = BenchResults.run(100_000, 1000, 2);
        RunResult fast = BenchResults.run(200_000, 500, 2);
        files.write(SCENARIO, A, 1, slow);
        files.write(SCENARIO, B, 1, fast);

        files.write(List.of("a note"), new Comparison(SCENARIO, List.of(List.of(slow), List.of(fast))));

        List<String> table = Files.readAllLines(directory.resolve("table.md"));
        assertEquals("a note", table.get(0));
        assertTrue(table.get(table.size() - 1).startsWith("|  | eyewall | 200,000 **×2.00** | "), table.get(table.size() - 1));
        assertTrue(Files.readString(directory.resolve("percentiles.svg")).contains("<svg"));
    }

    @Test
    void shouldDrawWhatUtilisationDoesBesideWhatTheorySays() throws IOException {
        List<Comparison> comparisons = Scenario.named("tail/utilisation").stream().map(scenario -> new Comparison(scenario,
            List.of(List.of(BenchResults.run(100, 10_000, 2)), List.of(BenchResults.run(100, 5_000, 2))))).toList();

        files.writeUtilisation(comparisons.subList(0, 1));
        assertFalse(Files.exists(out.resolve("utilisation.svg")), "one point is no curve");
        files.writeUtilisation(comparisons);

        String picture = Files.readString(out.resolve("utilisation.svg"));
        assertTrue(picture.contains(BLUE) && picture.contains(VERMILION), "both sides");
        assertTrue(picture.contains("stroke-dasharray"), "theory is dashed");
    }

    @Test
    void shouldForgetTheRunsOfAnEarlierBenchmark() throws IOException {
        files.write(SCENARIO, A, 7, BenchResults.run(100_000, 1000, 2));

        files.begin(SCENARIO);

        assertFalse(Files.exists(directory.resolve("A-upstream-7.hlog")));
        assertFalse(Files.exists(directory.resolve("runs.csv")));
    }
}
