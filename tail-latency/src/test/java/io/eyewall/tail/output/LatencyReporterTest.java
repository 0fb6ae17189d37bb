package io.eyewall.tail.output;

import static io.eyewall.tail.output.RecordedHops.CLOCK;
import static io.eyewall.tail.output.RecordedHops.EXECUTE;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.eyewall.tail.recording.HopKey;
import io.eyewall.tail.recording.HopRecorder;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

class LatencyReporterTest {

    private static final Duration DEADLINE = Duration.ofSeconds(60);
    private static final long HOUR_MS = TimeUnit.HOURS.toMillis(1);

    private final RecordedHops hops = new RecordedHops();
    private final Counting output = new Counting();

    @Test
    void shouldReportAgainAndAgain() {
        HopRecorder recorder = hops.record(EXECUTE, 1);
        try (LatencyReporter reporter = reporter(20, output)) {
            await().atMost(DEADLINE).until(() -> output.values == 1);
            recorder.record(2);
            await().atMost(DEADLINE).until(() -> output.values == 2);
        }
    }

    @Test
    void shouldReportTheRestWhenClosedAndNothingAfterwards() {
        HopRecorder recorder = hops.record(EXECUTE, 1, 2, 3);
        LatencyReporter reporter = reporter(HOUR_MS, output);
        assertEquals(0, output.values);
        reporter.close();
        assertEquals(3, output.values);
        assertTrue(output.closed);

        recorder.record(4);
        reporter.processEnds();
        reporter.close();
        assertEquals(3, output.values);
    }

    @Test
    void shouldReportAtOnceAndThenOftenWhenTheProcessIsToldToEnd() {
        HopRecorder recorder = hops.record(EXECUTE, 1);
        try (LatencyReporter reporter = reporter(HOUR_MS, output)) {
            reporter.processEnds();
            assertEquals(1, output.values);
            recorder.record(2);
            await().atMost(DEADLINE).until(() -> output.values == 2);
        }
    }

    @Test
    void shouldGoOnWhenAnOutputFails() {
        hops.record(EXECUTE, 1);
        output.failures = 3;
        try (LatencyReporter reporter = reporter(20, output)) {
            await().atMost(DEADLINE).until(() -> output.failures == 0 && output.intervals > 0);
        }
    }

    private LatencyReporter reporter(long intervalMs, IntervalOutput to) {
        LatencyReporter reporter = new LatencyReporter(hops.collector(), List.of(to), CLOCK, intervalMs);
        reporter.start();
        return reporter;
    }

    /** Counts what it is given, and fails the first time if asked to. */
    private static final class Counting implements IntervalOutput {
        private volatile int failures;
        private volatile long intervals;
        private volatile long values;
        private volatile boolean closed;

        @Override
        @SuppressWarnings("NonAtomicVolatileUpdate") // One thread at a time.
        public void begin(long startMs, long endMs) {
            if (failures > 0) {
                failures--;
                throw new IllegalStateException("asked to fail");
            }
            intervals++;
        }

        @Override
        @SuppressWarnings("NonAtomicVolatileUpdate") // One thread at a time.
        public void hop(HopKey key, Histogram interval, long clockErrorNs) {
            values += interval.getTotalCount();
        }

        @Override
        public void end() {
            // Counted already.
        }

        @Override
        public void close() {
            closed = true;
        }
    }
}
