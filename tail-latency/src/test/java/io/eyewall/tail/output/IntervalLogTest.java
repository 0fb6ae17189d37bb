package io.eyewall.tail.output;

import static io.eyewall.tail.output.RecordedHops.EXECUTE;
import static io.eyewall.tail.output.RecordedHops.NETWORK;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.eyewall.core.report.HlogReader;
import io.eyewall.tail.recording.HopKey;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogReader;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class IntervalLogTest {

    private static final long START_MS = 1_700_000_000_000L;

    @TempDir
    private Path directory;
    private IntervalLog log;
    private long nowMs = START_MS;

    @BeforeEach
    void open() {
        log = new IntervalLog(directory, IntervalLog.MAX_FILE_BYTES);
    }

    @AfterEach
    void close() {
        log.close();
    }

    @Test
    void shouldBeReadByHdrHistogramsOwnReaderWhileItIsWritten() throws IOException {
        interval(log, EXECUTE, 1_500, 2_500_000);
        interval(log, NETWORK, 77);

        List<Histogram> read = read(directory.resolve("latency.hlog"));
        assertEquals(2, read.size(), "complete without a close: so much is left of a worker that was killed");
        assertEquals(EXECUTE, HopKey.ofTag(read.get(0).getTag()));
        assertEquals(2, read.get(0).getTotalCount());
        assertEquals(START_MS, read.get(0).getStartTimeStamp());
        assertEquals(START_MS + 10_000, read.get(0).getEndTimeStamp());
        assertTrue(read.get(0).valuesAreEquivalent(2_500_000, read.get(0).getMaxValue()));
        assertEquals(NETWORK, HopKey.ofTag(read.get(1).getTag()));
        assertEquals(START_MS + 10_000, read.get(1).getStartTimeStamp());
        assertEquals(77, read.get(1).getMaxValue());
    }

    @Test
    void shouldWriteTheErrorOfTheClocksAsAComment() throws IOException {
        log.begin(START_MS, START_MS + 10_000);
        log.hop(EXECUTE, values(5), 0);
        log.hop(NETWORK, values(77), 45_000);
        log.end();

        assertEquals(2, read(directory.resolve("latency.hlog")).size());
        HlogReader reader = new HlogReader(directory.resolve("latency.hlog"));
        List<Long> errorsNs = new ArrayList<>();
        reader.poll(interval -> errorsNs.add(reader.clockErrorNs(interval.getTag())));
        assertEquals(List.of(0L, 45_000L), errorsNs);
    }

    @Test
    void shouldWriteNothingWhenNothingWasRecorded() {
        interval(log, EXECUTE);
        assertFalse(Files.exists(directory.resolve("latency.hlog")));
        interval(log, EXECUTE, 1);
        interval(log, EXECUTE);
        assertEquals(1, readQuietly(directory.resolve("latency.hlog")).size());
    }

    @Test
    void shouldKeepTheLastFilesOnlyWhenTheyFillUp() throws IOException {
        int maxFileBytes = 2_000;
        IntervalLog small = new IntervalLog(directory, maxFileBytes);
        int intervals = 200;
        SplittableRandom random = new SplittableRandom(3);
        for (int i = 0; i < intervals; i++) {
            interval(small, EXECUTE, random.nextLong(1_000_000), random.nextLong(1_000_000), i);
        }
        small.close();

        List<String> files = files();
        assertEquals(List.of("latency.1.hlog", "latency.2.hlog", "latency.3.hlog", "latency.hlog"), files);
        List<Histogram> read = new ArrayList<>();
        for (int i = IntervalLog.FILES - 1; i >= 0; i--) {
            Path file = directory.resolve(i == 0 ? "latency.hlog" : "latency." + i + ".hlog");
            assertTrue(Files.size(file) <= maxFileBytes + 500, file + " has " + Files.size(file) + " bytes");
            read.addAll(read(file));
        }
        assertEquals(START_MS + intervals * 10_000L, read.get(read.size() - 1).getEndTimeStamp());
        for (int i = 1; i < read.size(); i++) {
            assertEquals(read.get(i - 1).getEndTimeStamp(), read.get(i).getStartTimeStamp(), "no interval is missing between files");
        }
    }

    @Test
    void shouldKeepTheFileOfTheWorkerThatRanHereBefore() throws IOException {
        interval(log, EXECUTE, 5);
        log.close();
        IntervalLog next = new IntervalLog(directory, IntervalLog.MAX_FILE_BYTES);
        interval(next, EXECUTE, 6);
        next.close();

        assertEquals(5, read(directory.resolve("latency.1.hlog")).get(0).getMaxValue());
        assertEquals(6, read(directory.resolve("latency.hlog")).get(0).getMaxValue());
    }

    @Test
    void shouldGoOnWhenTheDirectoryIsThereAgain() throws IOException {
        Path missing = directory.resolve("missing");
        IntervalLog late = new IntervalLog(missing, IntervalLog.MAX_FILE_BYTES);
        interval(late, EXECUTE, 1);
        interval(late, EXECUTE, 2);
        Files.createDirectory(missing);
        interval(late, EXECUTE, 3);
        late.close();

        assertEquals(List.of(3L), read(missing.resolve("latency.hlog")).stream().map(Histogram::getMaxValue).toList());
    }

    @Test
    void shouldNotPushOlderFilesOutWhenItCannotWrite() throws IOException {
        interval(log, EXECUTE, 1);
        log.close();
        Files.createFile(directory.resolve("full"));
        Files.move(directory.resolve("latency.hlog"), directory.resolve("latency.1.hlog"));
        Files.createFile(directory.resolve("latency.hlog"));
        interval(log, EXECUTE, 2);

        assertEquals(1, read(directory.resolve("latency.1.hlog")).get(0).getMaxValue());
        assertEquals(2, read(directory.resolve("latency.hlog")).get(0).getMaxValue());
        assertFalse(Files.exists(directory.resolve("latency.2.hlog")));
    }

    private void interval(IntervalLog to, HopKey key, long... valuesNs) {
        to.begin(nowMs, nowMs + 10_000);
        to.hop(key, values(valuesNs), 0);
        to.end();
        nowMs += 10_000;
    }

    private static Histogram values(long... valuesNs) {
        Histogram values = new Histogram(RecordedHops.PRECISION_DIGITS);
        for (long valueNs : valuesNs) {
            values.recordValue(valueNs);
        }
        return values;
    }

    private List<String> files() throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.map(file -> file.getFileName().toString()).sorted().toList();
        }
    }

    private static List<Histogram> readQuietly(Path file) {
        try {
            return read(file);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private static List<Histogram> read(Path file) throws IOException {
        List<Histogram> intervals = new ArrayList<>();
        try (HistogramLogReader reader = new HistogramLogReader(file.toFile())) {
            while (reader.hasNext()) {
                intervals.add((Histogram) reader.nextIntervalHistogram());
            }
        }
        return intervals;
    }
}
