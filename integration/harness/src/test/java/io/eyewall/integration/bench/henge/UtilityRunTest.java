package io.eyewall.integration.bench.henge;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.eyewall.integration.bench.data.Circumstances;
import io.eyewall.integration.bench.data.Measurement;
import io.eyewall.integration.bench.data.MeasurementFile;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class UtilityRunTest {

    private static final long BEGIN_MS = 1_000_000;
    private static final long NS_PER_MS = 1_000_000;

    @TempDir
    private Path directory;

    @Test
    void shouldComputeTheShareOfTheUtilityOfAllTopologiesInEachPiece() {
        List<UtilityRun.Latencies> fast = List.of(latencies(-1, 900), latencies(1, 30), latencies(11, 60), latencies(29, 1));
        // In the first piece 120 ms in the mean, in the second nothing; what comes after the last does not count.
        List<UtilityRun.Latencies> slow = List.of(latencies(2, 100), latencies(9, 140), latencies(21, 240), latencies(30, 1));

        assertEquals(List.of(0.75, 0.5, 0.625), rounded(UtilityRun.shares(List.of(fast, slow), BEGIN_MS, 3)));
    }

    @Test
    void shouldSummariseSharesAndActions() {
        UtilityRun run = run();

        assertEquals(55, run.averagePercent(), 1e-9);
        assertEquals(20, run.percentile(15), 1e-9);
        assertEquals(50, run.percentile(50), 1e-9);
        assertEquals(90, run.percentile(90), 1e-9);
        assertEquals(100, run.percentile(100), 1e-9);
        assertEquals(2, run.steps(0));
        assertEquals(1, run.steps(1));
        // 2 s until applied, 3 s until dropped; the last step is still under way.
        assertEquals(5, run.applyingPercent(), 1e-9);
    }

    @Test
    void shouldWriteTheFiguresAndPlotsOfAllSides() throws IOException {
        UtilityResults results = new UtilityResults(new Measurement.Setting("henge/diurnal", "400"),
            Circumstances.of(1, 100, "2026-11-25", "a machine"), List.of("defaults", "Henge"), List.of("2.8.3", "0.1.0"),
            List.of(List.of(run()), List.of(run())));

        results.write(directory, List.of("notes"));

        Measurement line = new MeasurementFile(directory.resolve(MeasurementFile.NAME)).read().lines().get(1);
        assertEquals("Henge", line.side());
        assertEquals(new BigDecimal("55.00"), line.figures().get("average_utility_percent"));
        assertEquals(new BigDecimal("2"), line.figures().get("steps_in_first_half"));
        List<String> pieces = Files.readAllLines(directory.resolve("pieces.csv"));
        assertEquals("Henge,1,10,20.000", pieces.get(12));
        for (String plot : List.of("cdf.svg", "utility.svg")) {
            assertTrue(Files.readString(directory.resolve(plot)).contains("<svg"));
        }
        assertTrue(Files.readString(directory.resolve("table.md")).startsWith("notes\n"));
    }

    @Test
    void shouldReadTheSchedulersLog() {
        assertEquals(new UtilityRun.LogEntry(17, 2, "PLANNED"),
            DiurnalBench.entry("{\"time-ms\":17,\"step\":2,\"kind\":\"PLANNED\",\"text\":\"x\"}"));
    }

    /** Ten pieces with shares from 0.1 to 1. */
    private static UtilityRun run() {
        List<UtilityRun.LogEntry> log = List.of(entry(0, 0, "RECONVERGENCE"), entry(1, 1, "PLANNED"), entry(3, 1, "APPLIED"),
            entry(10, 1, "KEPT"), entry(49, 2, "PLANNED"), entry(52, 2, "NOT_JUDGED"), entry(90, 3, "PLANNED"));
        return new UtilityRun(List.of(0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0), BEGIN_MS, log, 0);
    }

    private static UtilityRun.LogEntry entry(int second, long step, String kind) {
        return new UtilityRun.LogEntry(BEGIN_MS + second * 1_000L, step, kind);
    }

    private static UtilityRun.Latencies latencies(int second, long latencyMs) {
        Histogram histogram = new Histogram(5);
        histogram.recordValue(latencyMs * NS_PER_MS);
        histogram.setStartTimeStamp(BEGIN_MS + second * 1_000L);
        histogram.setEndTimeStamp(BEGIN_MS + second * 1_000L + 250);
        return UtilityRun.Latencies.of(histogram);
    }

    private static List<Double> rounded(List<Double> shares) {
        return shares.stream().map(share -> Math.round(share * 1_000) / 1_000.0).toList();
    }
}
