package io.eyewall.examples.measuring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.eyewall.examples.ManualClock;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.HdrHistogram.EncodableHistogram;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogReader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RecordedMeasurementTest {

    private static final long MS = 1_000_000;

    @TempDir
    private Path directory;

    private final ManualClock clock = new ManualClock(0, 1_700_000_000_000L);

    @Test
    void shouldWriteOneTaggedIntervalPerFlushWhenMessagesAreReceived() throws IOException {
        RecordedMeasurement measurement = open();
        measurement.received(2 * MS);
        measurement.received(8 * MS);
        measurement.flush();
        measurement.received(5 * MS);
        measurement.close();

        List<Histogram> intervals = intervals();
        assertEquals(2, intervals.size());
        assertEquals(2, intervals.get(0).getTotalCount());
        assertTrue(intervals.get(0).valuesAreEquivalent(8 * MS, intervals.get(0).getMaxValue()));
        assertEquals(1, intervals.get(1).getTotalCount());
        assertTrue(intervals.get(1).valuesAreEquivalent(5 * MS, intervals.get(1).getMaxValue()));
        assertEquals("e2e", intervals.get(0).getTag());
    }

    @Test
    void shouldWriteCumulativeCountsWhenItIsFlushed() throws IOException {
        RecordedMeasurement measurement = open();
        measurement.emitted();
        measurement.emitted();
        measurement.acked(MS);
        measurement.flush();
        clock.advanceMs(1000);
        measurement.emitted();
        measurement.acked();
        measurement.received();
        measurement.failed();
        measurement.close();

        assertEquals(List.of("epochMs,emitted,acked,failed,received", "1700000000000,2,1,0,0", "1700000001000,3,2,1,1"), counters());
        assertEquals(1, intervals().get(0).getTotalCount());
        assertEquals(0, intervals().get(1).getTotalCount(), "no latency was measured");
    }

    @Test
    void shouldCountLatenciesOutOfRangeAtTheEndsOfTheRange() throws IOException {
        RecordedMeasurement measurement = open();
        measurement.received(-5);
        measurement.received(Long.MAX_VALUE);
        measurement.close();

        Histogram interval = intervals().get(0);
        assertEquals(2, interval.getTotalCount());
        assertEquals(0, interval.getMinValue());
        assertTrue(interval.valuesAreEquivalent(RecordedMeasurement.MAX_LATENCY_NS, interval.getMaxValue()));
    }

    @Test
    void shouldAppendToTheSameFilesWhenTheTaskRestarts() throws IOException {
        RecordedMeasurement first = open();
        first.received(MS);
        first.close();
        RecordedMeasurement second = open();
        second.received(2 * MS);
        second.close();

        assertEquals(2, intervals().size());
        assertEquals(3, counters().size());
    }

    @Test
    void shouldWriteNothingAfterItIsClosed() throws IOException {
        List<RecordedMeasurement> closed = new ArrayList<>();
        RecordedMeasurement measurement = new RecordedMeasurement(directory, "sink-3", "e2e", clock, closed::add);
        measurement.close();
        List<String> before = counters();

        measurement.flush();

        assertEquals(before, counters());
        assertEquals(List.of(measurement), closed);
    }

    @Test
    void shouldNameTheFileWhenTheDirectoryCannotBeCreated() throws IOException {
        Path file = Files.createFile(directory.resolve("occupied"));

        IOException failure = assertThrows(IOException.class,
            () -> new RecordedMeasurement(file, "sink-3", "e2e", clock, measurement -> { }));
        assertTrue(failure.getMessage().contains("occupied"), failure.getMessage());
    }

    private RecordedMeasurement open() throws IOException {
        return new RecordedMeasurement(directory, "sink-3", "e2e", clock, measurement -> { });
    }

    private List<String> counters() throws IOException {
        return Files.readAllLines(directory.resolve("sink-3.csv"));
    }

    private List<Histogram> intervals() throws IOException {
        File log = directory.resolve("sink-3.hlog").toFile();
        List<Histogram> intervals = new ArrayList<>();
        try (HistogramLogReader reader = new HistogramLogReader(log)) {
            for (EncodableHistogram next = reader.nextIntervalHistogram(); next != null; next = reader.nextIntervalHistogram()) {
                intervals.add((Histogram) next);
            }
        }
        return intervals;
    }
}
