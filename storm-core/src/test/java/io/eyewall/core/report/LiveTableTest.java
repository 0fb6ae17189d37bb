package io.eyewall.core.report;

import static io.eyewall.core.report.MeasureFiles.START_MS;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.HdrHistogram.Histogram;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

class LiveTableTest {

    private static final String FOURTH_COLOR = "rgb(204,121,167)";

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();
    @TempDir
    private Path directory;
    private Path measured;
    private Path results;

    @BeforeEach
    void nameDirectories() {
        measured = directory.resolve("measured");
        results = directory.resolve("results");
    }

    @Test
    void shouldShowALineForEverySecondAndRepeatTheHeader() throws IOException {
        MeasureFiles.writeRun(measured, START_MS, 45);

        assertEquals(0, run(45));

        List<String> lines = out().lines().toList();
        assertEquals("waiting for the first tuple ...", lines.get(0));
        assertEquals(3, lines.stream().filter(line -> line.contains("tuples/s in") && line.contains("p99.9")).count());
        List<String> seconds = lines.stream().filter(line -> line.matches(" *\\d+ s .*")).toList();
        assertEquals(45, seconds.size());
        assertEquals(List.of("3 s", "100", "200", "3.00 ms", "3.00 ms", "3.00 ms", "3.00 ms", "3.00 ms", "2"), cells(seconds.get(2)));
        assertTrue(lines.indexOf(seconds.get(20)) - lines.indexOf(seconds.get(19)) == 2, "header after 20 lines");
    }

    @Test
    void shouldSummarizeWithoutWarmUp() throws IOException {
        MeasureFiles.writeRun(measured, START_MS, 15);

        run(15);

        String summary = out().substring(out().indexOf("\n\n"));
        assertTrue(summary.contains("mine: 5 s, without the first 10 s of warm-up"), summary);
        assertTrue(summary.contains("tuples/s in 100, out 200; 60 failed of 500"), summary);
        assertTrue(summary.lines().anyMatch(line -> line.matches("mine, due to processed.* 1,000 +13.0 ms +15.0 ms .*")), summary);
        assertTrue(summary.lines().anyMatch(line -> line.matches("mine, due to acked.* 500 +26.0 ms .*")), summary);
    }

    @Test
    void shouldSayThatFewerTuplesCameInThanWereDueAndNothingOfItOtherwise() throws IOException {
        MeasureFiles.writeRun(measured, START_MS, 15);

        table(15, new CountDownLatch(1), "--name", "mine", "--rate", "100").run(new PrintStream(err, true, UTF_8));
        assertFalse(out().contains("overload"), out());
        table(15, new CountDownLatch(1), "--name", "mine", "--rate", "110").run(new PrintStream(err, true, UTF_8));

        assertTrue(out().contains("Overload: mine got 100 tuples/s, fewer than the 110 that were due"), out());
    }

    @Test
    void shouldRepeatTheOverloadOfTheEarlierRunBelowTheTableOfBoth() throws IOException {
        MeasureFiles.writeRun(measured, START_MS, 15);
        table(15, new CountDownLatch(1), "--name", "mine", "--rate", "110").run(new PrintStream(err, true, UTF_8));
        out.reset();

        table(15, new CountDownLatch(1), "--name", "other", "--against", "mine").run(new PrintStream(err, true, UTF_8));

        List<String> lines = out().lines().toList();
        List<String> overloads = lines.stream().filter(line -> line.contains("verload")).toList();
        assertEquals(1, overloads.size(), out());
        assertTrue(overloads.get(0).startsWith("Overload: mine got 100 tuples/s"), out());
        assertTrue(lines.get(lines.indexOf(overloads.get(0)) - 1).startsWith("ratio"), out());
    }

    @Test
    void shouldShowNoRatiosButSaySoWhenTheLatterRunIsStopped() throws IOException {
        MeasureFiles.writeRun(measured, START_MS, 15);
        run(15);
        MeasureFiles.writeRun(measured, START_MS, 13);
        out.reset();

        InstantSource early = InstantSource.fixed(Instant.ofEpochMilli(START_MS + 3000 + LiveRun.SETTLING_MS));
        assertEquals(0, table(15, early, new CountDownLatch(0), "--name", "other", "--against", "mine")
            .run(new PrintStream(err, true, UTF_8)), err());

        assertFalse(out().contains("\nratio"), out());
        assertTrue(out().contains("\nother was stopped after 3 of 15 s. There are no ratios, since the two runs are not equally long.\n"),
            out());
    }

    @Test
    void shouldWriteOneMergedLogAndAPlot() throws IOException {
        MeasureFiles.writeRun(measured, START_MS, 10);

        run(10);

        Map<String, Long> countsByTag = new TreeMap<>();
        List<Histogram> intervals = new ArrayList<>();
        new HlogReader(results.resolve("mine.hlog")).poll(intervals::add);
        intervals.forEach(interval -> countsByTag.merge(interval.getTag(), interval.getTotalCount(), Long::sum));
        assertEquals(Map.of("e2e", 2000L, "complete", 1000L), countsByTag);
        assertEquals(START_MS, intervals.get(0).getStartTimeStamp());
        assertTrue(Files.readString(results.resolve("demo.svg")).contains("<svg"));
    }

    @Test
    void shouldCompareWithAnEarlierRun() throws IOException {
        MeasureFiles.writeRun(measured, START_MS, 15);
        run(15);
        MeasureFiles.writeRun(measured, START_MS, 13);
        out.reset();

        assertEquals(0, table(13, new CountDownLatch(1), "--name", "other", "--against", "mine").run(new PrintStream(err, true, UTF_8)));

        List<List<String>> summary = out().substring(out().indexOf("\n\n")).lines().map(LiveTableTest::cells).toList();
        List<String> mine = List.of("mine, due to processed", "1,000", "13.0 ms", "15.0 ms", "15.0 ms", "15.0 ms", "15.0 ms");
        List<String> other = List.of("other, due to processed", "600", "12.0 ms", "13.0 ms", "13.0 ms", "13.0 ms", "13.0 ms");
        assertTrue(summary.containsAll(List.of(mine, other)), out());
        assertEquals(2, summary.stream().filter(List.of("ratio", "0.92", "0.87", "0.87", "0.87", "0.87")::equals).count(), out());
        assertTrue(Files.readString(results.resolve("demo.svg")).contains(FOURTH_COLOR), "both latencies of both are in the plot");
    }

    @Test
    void shouldLeaveThePlotToTheRunThatFollowsUnlessItIsStopped() throws IOException {
        MeasureFiles.writeRun(measured, START_MS, 15);

        table(15, new CountDownLatch(1), "--name", "mine", "--followed").run(new PrintStream(err, true, UTF_8));
        assertFalse(Files.exists(results.resolve("demo.svg")));
        table(3600, new CountDownLatch(0), "--name", "mine", "--followed").run(new PrintStream(err, true, UTF_8));

        assertTrue(Files.exists(results.resolve("demo.svg")), err());
    }

    @Test
    void shouldFailWithOneLineWhenTheEarlierRunIsMissing() {
        assertEquals(1, table(8, new CountDownLatch(1), "--name", "other", "--against", "mine").run(new PrintStream(err, true, UTF_8)));

        assertTrue(err().startsWith("live table: " + results.resolve("mine.hlog")), err());
        assertEquals(1, err().lines().count());
    }

    @Test
    void shouldShowDashesInASecondWithoutTuples() throws IOException {
        MeasureFiles.writeLog(Files.createDirectory(measured).resolve("sink-1.hlog"), MeasureFiles.interval("e2e", START_MS, 10));

        run(2);

        assertTrue(out().lines().anyMatch(line -> cells(line).equals(List.of("2 s", "0", "0", "-", "-", "-", "-", "-", "0"))), out());
    }

    @Test
    void shouldSayThatItWasStoppedWhenNoTupleHasArrivedYet() {
        assertEquals(1, table(10, new CountDownLatch(0)).run(new PrintStream(err, true, UTF_8)));

        assertEquals("live table: stopped before the first tuple arrived\n", err());
    }

    @Test
    void shouldFailWithOneLineWhenNoTupleArrives() {
        AtomicLong nowMs = new AtomicLong(START_MS);
        InstantSource hurried = () -> Instant.ofEpochMilli(nowMs.addAndGet(100_000));

        assertEquals(1, table(10, hurried, new CountDownLatch(1)).run(new PrintStream(err, true, UTF_8)));

        assertTrue(err().startsWith("live table: no tuple arrived at a sink that measures into " + measured), err());
        assertEquals(1, err().lines().count());
    }

    @Test
    void shouldFailWithOneLineWhenAFileIsForeign() throws IOException {
        MeasureFiles.writeRun(measured, START_MS, 10);
        Files.writeString(measured.resolve("notes.csv"), "a,b\n");

        assertEquals(1, run(10));

        assertTrue(err().startsWith("live table: " + measured.resolve("notes.csv") + ":1: expected the header"), err());
    }

    @Test
    void shouldRefuseAWrongCommandLine() {
        for (String[] args : new String[][] {{"--dir", "x", "--out", "y", "--name", "z"},
            {"--dir", "x", "--seconds", "5", "--name", "z"}, {"--dir", "x", "--out", "y", "--seconds", "5"},
            {"--dir", "x", "--out", "y", "--seconds", "0", "--name", "z"},
            {"--dir", "x", "--out", "y", "--seconds", "ten", "--name", "z"}}) {
            assertThrows(IllegalArgumentException.class,
                () -> new LiveTable(args, InstantSource.system(), new CountDownLatch(1), System.out), () -> Arrays.toString(args));
        }
    }

    @Test
    @Timeout(120)
    void shouldSummarizeAndSucceedWhenTerminated() throws Exception {
        Process process = startProcess();
        process.destroy();
        assertEndsWithSummary(process);
    }

    @Test
    @Timeout(120)
    void shouldSummarizeAndSucceedWhenItsInputEnds() throws Exception {
        Process process = startProcess();
        process.getOutputStream().close();
        assertEndsWithSummary(process);
    }

    /** A table in a JVM of its own that has shown its first lines and would go on for an hour. */
    private Process startProcess() throws IOException {
        MeasureFiles.writeRun(measured, System.currentTimeMillis() - 20_000, 15);
        Path output = directory.resolve("output.txt");
        Process process = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-cp",
            System.getProperty("java.class.path"), "-Djava.awt.headless=true", LiveTable.class.getName(), "--dir", measured.toString(),
            "--seconds", "3600", "--out", results.toString(), "--name", "mine")
            .redirectOutput(output.toFile()).redirectError(directory.resolve("errors.txt").toFile()).start();
        Awaitility.await().atMost(60, TimeUnit.SECONDS).until(() -> Files.readString(output).contains("   1 s "));
        return process;
    }

    private void assertEndsWithSummary(Process process) throws Exception {
        try {
            assertEquals(0, process.waitFor(), () -> "errors: " + read("errors.txt"));
            assertTrue(read("output.txt").contains("without the first 10 s of warm-up"), () -> read("output.txt"));
            assertTrue(Files.exists(results.resolve("demo.svg")));
        } finally {
            process.destroyForcibly();
        }
    }

    private String read(String name) {
        try (InputStream in = Files.newInputStream(directory.resolve(name))) {
            return new String(in.readAllBytes(), UTF_8);
        } catch (IOException e) {
            return e.toString();
        }
    }

    private int run(int seconds) {
        return table(seconds, new CountDownLatch(1)).run(new PrintStream(err, true, UTF_8));
    }

    private LiveTable table(int seconds, CountDownLatch stop, String... names) {
        return table(seconds, InstantSource.fixed(Instant.ofEpochMilli(START_MS + 60_000)), stop, names);
    }

    private LiveTable table(int seconds, InstantSource clock, CountDownLatch stop, String... names) {
        List<String> args = new ArrayList<>(List.of("--dir", measured.toString(), "--seconds", String.valueOf(seconds), "--out",
            results.toString()));
        args.addAll(names.length == 0 ? List.of("--name", "mine") : List.of(names));
        return new LiveTable(args.toArray(String[]::new), clock, stop, new PrintStream(out, true, UTF_8));
    }

    private static List<String> cells(String line) {
        return Arrays.asList(line.strip().split(" {2,}"));
    }

    private String out() {
        return out.toString(UTF_8);
    }

    private String err() {
        return err.toString(UTF_8);
    }
}
