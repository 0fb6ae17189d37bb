package io.eyewall.integration.bench.henge;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.eyewall.integration.bench.data.Circumstances;
import io.eyewall.integration.bench.data.Measurement;
import io.eyewall.integration.bench.data.MeasurementFile;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.DoubleStream;
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

        UtilityRun.Pieces pieces = new UtilityRun.Pieces(BEGIN_MS, 3, 10);
        assertEquals(List.of(0.75, 0.5, 0.625), rounded(UtilityRun.shares(List.of(measured(fast), measured(slow)), pieces)));
    }

    @Test
    void shouldCountATopologyFromThePieceInWhichItIsSubmitted() {
        UtilityRun.Measured first = measured(List.of(latencies(1, 30), latencies(11, 30), latencies(21, 30)));
        UtilityRun.Measured second = new UtilityRun.Measured(BEGIN_MS + 10_001, List.of(latencies(22, 120)));

        assertEquals(List.of(1.0, 0.5, 0.75), rounded(UtilityRun.shares(List.of(first, second), new UtilityRun.Pieces(BEGIN_MS, 3, 10))));
    }

    @Test
    void shouldDivideTheLatenciesOfATimeAmongThePiecesThatItIsIn() {
        // A quarter of them in the first second: 10 of 30 ms and 30 of 150 ms have a mean of 120 ms.
        List<UtilityRun.Latencies> latencies = List.of(new UtilityRun.Latencies(BEGIN_MS, BEGIN_MS + 500, 10, 30.0 * NS_PER_MS),
            new UtilityRun.Latencies(BEGIN_MS + 750, BEGIN_MS + 1_750, 120, 150.0 * NS_PER_MS));

        UtilityRun.Pieces pieces = new UtilityRun.Pieces(BEGIN_MS, 3, 1);
        assertEquals(List.of(0.5, 0.4, 0.0), rounded(UtilityRun.shares(List.of(measured(latencies)), pieces)));
    }

    @Test
    void shouldCountTheMessagesThatArriveDuringThePieces() {
        List<UtilityRun.Latencies> some = List.of(latencies(-1, 30), latencies(0, 30), latencies(29, 30), latencies(30, 30));

        UtilityRun.Pieces pieces = new UtilityRun.Pieces(BEGIN_MS, 3, 10);
        long each = latencies(0, 30).count();
        assertEquals(4 * 4 * each, UtilityRun.processed(List.of(measured(some), measured(some)), pieces, 4));
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
        assertEquals(OptionalDouble.of(2), run.medianSecondsUntilApplied());
    }

    @Test
    void shouldTakeTheMedianOfTheStepsThatWereApplied() {
        List<UtilityRun.LogEntry> log = List.of(entry(1, 1, "PLANNED"), entry(4, 1, "APPLIED"), entry(10, 2, "PLANNED"),
            entry(15, 2, "APPLIED"), entry(20, 3, "PLANNED"), entry(80, 3, "ABORTED"));

        assertEquals(OptionalDouble.of(4), around(Optional.empty(), log, 1.0, 1.0).medianSecondsUntilApplied());
        assertEquals(OptionalDouble.empty(), around(Optional.empty(), List.of(), 1.0, 1.0).medianSecondsUntilApplied());
    }

    @Test
    void shouldComputeTheUtilityBeforeTheChangeAndAfterIt() {
        UtilityRun run = around(Optional.of(20), List.of(), 0.8, 1.0, 0.2, 0.4, 0.6);

        assertEquals(90, run.percentBeforeChange().orElseThrow(), 1e-9);
        assertEquals(40, run.percentAfterChange().orElseThrow(), 1e-9);
        assertTrue(around(Optional.empty(), List.of(), 1.0).percentBeforeChange().isEmpty());
        assertTrue(around(Optional.empty(), List.of(), 1.0).percentAfterChange().isEmpty());
        assertTrue(around(Optional.empty(), List.of(), 1.0).secondsUntilAsBefore().isEmpty());
    }

    @Test
    void shouldFindWhenTheUtilityIsAsBeforeForHalfAMinute() {
        // It falls below 95 % of 0.9, comes back for 20 s, falls again, and stays from 50 s after the change on.
        assertEquals(OptionalDouble.of(50), secondsUntilAsBefore(0.9, 0.9, 0.2, 0.4, 0.86, 0.9, 0.5, 0.9, 0.86, 1.0, 0.1));
        assertEquals(OptionalDouble.of(0), secondsUntilAsBefore(0.9, 0.9, 0.9, 0.9, 0.86, 0.1, 0.1));
        assertEquals(OptionalDouble.empty(), secondsUntilAsBefore(0.9, 0.9, 0.2, 0.4, 0.8, 0.8, 0.8, 0.8, 1.0, 1.0));
        assertEquals(OptionalDouble.empty(), secondsUntilAsBefore(0, 0, 0, 0, 0, 0, 0));
    }

    @Test
    void shouldComputeTheUtilityThatStepsCost() {
        // The step at 35 s: 2.4 in the three pieces before it, 1.2 after it. Those at 5 s and 75 s are too near the ends.
        Double[] shares = {0.6, 0.8, 1.0, 0.2, 0.4, 0.6, 1.0, 1.0, 1.0};
        UtilityRun.LogEntry step = entry(35, 2, "PLANNED");
        List<UtilityRun.LogEntry> log = List.of(entry(5, 1, "PLANNED"), step, entry(40, 2, "APPLIED"), entry(75, 3, "PLANNED"));

        assertEquals(50, around(Optional.empty(), log, shares).percentLostAfterSteps().orElseThrow(), 1e-9);
        // The step at 65 s: 1.2 before it, 3 after it.
        List<UtilityRun.LogEntry> two = List.of(step, entry(65, 3, "PLANNED"));
        assertEquals(100 * (1 - 4.2 / 3.6), around(Optional.empty(), two, shares).percentLostAfterSteps().orElseThrow(), 1e-9);
        assertTrue(around(Optional.empty(), List.of(), shares).percentLostAfterSteps().isEmpty());
        assertTrue(around(Optional.empty(), List.of(step), 0.0, 0.0, 0.0, 0.1, 0.1, 0.1).percentLostAfterSteps().isEmpty());
    }

    @Test
    void shouldWriteTheFiguresAndPlotsOfAllSides() throws IOException {
        UtilityResults results = new UtilityResults(scenario("henge/diurnal"), Circumstances.of(1, 100, "2026-11-25", "a machine"),
            List.of("2.8.3", "2.8.3", "0.1.0"), List.of(List.of(run()), List.of(run()), List.of(run())));

        results.write(directory, List.of("notes"));

        Measurement line = new MeasurementFile(directory.resolve(MeasurementFile.NAME)).read().lines().get(2);
        assertEquals("Henge", line.side());
        assertEquals("400", line.setting().ratePerSec());
        assertEquals(new BigDecimal("55.00"), line.figures().get("average_utility_percent"));
        assertEquals(new BigDecimal("2"), line.figures().get("steps_in_first_half"));
        List<String> utility = Files.readAllLines(directory.resolve("utility.csv"));
        assertEquals("second,storm_defaults_percent,tuned_for_the_median_percent,henge_percent", utility.get(0));
        assertEquals("10,20.000,20.000,20.000", utility.get(2));
        List<String> distribution = Files.readAllLines(directory.resolve("cdf.csv"));
        assertEquals("utility_percent,storm_defaults_percent,tuned_for_the_median_percent,henge_percent", distribution.get(0));
        assertEquals(List.of("29,20.000,20.000,20.000", "30,30.000,30.000,30.000"), distribution.subList(30, 32));
        for (String plot : List.of("cdf.svg", "utility.svg")) {
            assertTrue(Files.readString(directory.resolve(plot)).contains("<svg"));
        }
        assertTrue(Files.readString(directory.resolve("table.md")).startsWith("notes\n"));
    }

    @Test
    void shouldTakeTheMeanOfTheRoundsOverTime() throws IOException {
        List<UtilityRun> rounds = List.of(around(Optional.empty(), List.of(), 0.5, 1.0), around(Optional.empty(), List.of(), 0.9, 0.2));
        new UtilityResults(scenario("henge/moves"), Circumstances.of(2, 60, "2026-11-25", "a machine"), List.of("0.1.0", "0.1.0"),
            List.of(rounds, rounds)).write(directory, List.of("notes"));

        assertEquals(List.of("second,henge_workers_restart_percent,henge_hot_rebalance_percent", "0,70.000,70.000", "10,60.000,60.000"),
            Files.readAllLines(directory.resolve("utility.csv")));
        assertTrue(Files.readAllLines(directory.resolve("cdf.csv")).contains("50,50.000,50.000"));
        Measurement line = new MeasurementFile(directory.resolve(MeasurementFile.NAME)).read().lines().get(3);
        assertEquals(new BigDecimal("1200"), line.figures().get("messages_processed"));
    }

    @Test
    void shouldLeaveOutAFigureThatARunDoesNotHave() throws IOException {
        UtilityRun back = around(Optional.of(20), List.of(), 1.0, 1.0, 0.2, 1.0, 1.0, 1.0);
        UtilityRun away = around(Optional.of(20), List.of(), 1.0, 1.0, 0.2, 0.2, 0.2, 0.2);
        UtilityResults results = new UtilityResults(scenario("henge/spike"), Circumstances.of(1, 60, "2026-11-25", "a machine"),
            List.of("2.8.3", "0.1.0"), List.of(List.of(away), List.of(back)));

        results.write(directory, List.of("notes"));

        List<Measurement> lines = new MeasurementFile(directory.resolve(MeasurementFile.NAME)).read().lines();
        assertNull(lines.get(0).figures().get("as_before_after_s"));
        assertEquals(new BigDecimal("10"), lines.get(1).figures().get("as_before_after_s"));
        assertEquals(new BigDecimal("20.00"), lines.get(0).figures().get("after_the_change_percent"));
        assertTrue(Files.readString(directory.resolve("table.md")).contains("| - |"));
    }

    @Test
    void shouldReadTheSchedulersLog() {
        assertEquals(new UtilityRun.LogEntry(17, 2, "PLANNED"),
            UtilityBench.entry("{\"time-ms\":17,\"step\":2,\"kind\":\"PLANNED\",\"text\":\"x\"}"));
    }

    /** Ten pieces with shares from 0.1 to 1. */
    private static UtilityRun run() {
        List<UtilityRun.LogEntry> log = List.of(entry(0, 0, "RECONVERGENCE"), entry(1, 1, "PLANNED"), entry(3, 1, "APPLIED"),
            entry(10, 1, "KEPT"), entry(49, 2, "PLANNED"), entry(52, 2, "NOT_JUDGED"), entry(90, 3, "PLANNED"));
        return around(Optional.empty(), log, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0);
    }

    /** Pieces of ten seconds with these shares. */
    private static UtilityRun around(Optional<Integer> changeSecond, List<UtilityRun.LogEntry> log, Double... shares) {
        return new UtilityRun(List.of(shares), new UtilityRun.Pieces(BEGIN_MS, shares.length, 10), changeSecond, log, 1_200, 0);
    }

    /** A change after the second piece. */
    private static OptionalDouble secondsUntilAsBefore(double... shares) {
        return around(Optional.of(20), List.of(), DoubleStream.of(shares).boxed().toArray(Double[]::new)).secondsUntilAsBefore();
    }

    private static UtilityRun.Measured measured(List<UtilityRun.Latencies> latencies) {
        return new UtilityRun.Measured(0, latencies);
    }

    private static UtilityScenario scenario(String name) {
        return UtilityScenario.all().stream().filter(one -> one.name().equals(name)).findFirst().orElseThrow();
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
