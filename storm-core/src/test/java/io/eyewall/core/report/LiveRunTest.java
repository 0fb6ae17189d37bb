package io.eyewall.core.report;

import static io.eyewall.core.report.MeasureFiles.START_MS;
import static io.eyewall.core.report.MeasureFiles.interval;
import static io.eyewall.core.report.MeasureFiles.writeLog;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LiveRunTest {

    private final List<Histogram> merged = new ArrayList<>();
    private final RunLatencies latencies = new RunLatencies("mine");
    @TempDir
    private Path directory;
    private LiveRun run;

    @BeforeEach
    void createRun() {
        run = new LiveRun(new MeasureDirectory(directory), latencies, merged::add);
    }

    @Test
    void shouldNotBeginBeforeATupleArrivesAtASink() throws IOException {
        writeLog(directory.resolve("sink-1.hlog"), interval("e2e", START_MS, 0));
        writeLog(directory.resolve("spout-1.hlog"), interval("complete", START_MS, 10));

        assertEquals(List.of(), run.advance(START_MS + 60_000, 99));
        assertFalse(run.hasBegun());
    }

    @Test
    void shouldHoldASecondBackUntilItHasSettled() throws IOException {
        MeasureFiles.writeRun(directory, START_MS, 3);

        assertEquals(0, run.advance(START_MS + 1000 + LiveRun.SETTLING_MS - 1, 99).size());
        assertEquals(1, run.advance(START_MS + 1000 + LiveRun.SETTLING_MS, 99).size());
    }

    @Test
    void shouldCutTheRunIntoSeconds() throws IOException {
        MeasureFiles.writeRun(directory, START_MS, 8);

        List<LiveRun.Second> seconds = run.advance(START_MS + 8000 + LiveRun.SETTLING_MS, 99);

        assertEquals(8, seconds.size());
        LiveRun.Second third = seconds.get(2);
        assertEquals(3, third.number());
        assertEquals(new Counts(100, 98, 2, 200), third.counts());
        assertEquals(200, third.endToEnd().getTotalCount());
        assertEquals(3, Math.round(third.endToEnd().getMaxValue() / 1e6));
    }

    @Test
    void shouldMergeTheTasksOfASecond() throws IOException {
        writeLog(directory.resolve("sink-1.hlog"), interval("e2e", START_MS, 10));
        writeLog(directory.resolve("sink-2.hlog"), interval("e2e", START_MS + 300, 20));

        LiveRun.Second second = run.advance(START_MS + 1000 + LiveRun.SETTLING_MS, 99).get(0);

        assertEquals(30, second.endToEnd().getTotalCount());
        assertEquals(1, merged.size());
        assertEquals("e2e", merged.get(0).getTag());
        assertEquals(START_MS, merged.get(0).getStartTimeStamp());
    }

    @Test
    void shouldCountLateIntervalsInTheNextSecond() throws IOException {
        writeLog(directory.resolve("sink-1.hlog"), interval("e2e", START_MS, 10));
        run.advance(START_MS + 2000 + LiveRun.SETTLING_MS, 99);

        writeLog(directory.resolve("sink-2.hlog"), interval("e2e", START_MS + 1000, 5));

        LiveRun.Second third = run.advance(START_MS + 3000 + LiveRun.SETTLING_MS, 99).get(0);
        assertEquals(3, third.number());
        assertEquals(5, third.endToEnd().getTotalCount());
    }

    @Test
    void shouldLeaveWarmUpOutOfTheSummary() throws IOException {
        MeasureFiles.writeRun(directory, START_MS, 13);
        run.advance(START_MS + 13_000 + LiveRun.SETTLING_MS, 99);

        assertTrue(run.isWarm());
        assertEquals(3, run.summarySeconds());
        assertEquals(new Counts(300, 267, 33, 600), run.summaryCounts());
        assertEquals(600, latencies.of("e2e").orElseThrow().total().getTotalCount());
        assertEquals(11, Math.round(latencies.of("e2e").orElseThrow().total().getMinNonZeroValue() / 1e6));
    }

    @Test
    void shouldSummarizeAllOfAShortRun() throws IOException {
        MeasureFiles.writeRun(directory, START_MS, 4);
        run.advance(START_MS + 4000 + LiveRun.SETTLING_MS, 99);

        assertFalse(run.isWarm());
        assertEquals(400, run.summaryCounts().emitted());
        assertEquals(800, latencies.of("e2e").orElseThrow().total().getTotalCount());
    }

    @Test
    void shouldStopAtTheLastSecond() throws IOException {
        MeasureFiles.writeRun(directory, START_MS, 8);

        assertEquals(6, run.advance(START_MS + 60_000, 6).size());
        assertEquals(0, run.advance(START_MS + 60_000, 6).size());
        assertEquals(12, merged.size());
    }

    @Test
    void shouldHaveNoCompleteLatencyWithoutAcking() throws IOException {
        writeLog(directory.resolve("sink-1.hlog"), interval("e2e", START_MS, 10));
        run.advance(START_MS + 1000 + LiveRun.SETTLING_MS, 99);

        assertEquals("mine, due to processed", latencies.of("e2e").orElseThrow().name());
        assertEquals(Optional.empty(), latencies.of("complete"));
    }
}
