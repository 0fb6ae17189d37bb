package io.eyewall.core.report;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.function.LongUnaryOperator;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogWriter;

/**
 * Writes files as measuring tasks do.
 */
final class MeasureFiles {

    static final long START_MS = 1_700_000_000_000L;
    static final long MS = 1_000_000L;

    private MeasureFiles() {
    }

    /** Latencies from 1 ms to {@code count} ms. */
    static Histogram interval(String tag, long startMs, int count) {
        return interval(tag, startMs, count, i -> (i + 1) * MS);
    }

    static Histogram interval(String tag, long startMs, int count, LongUnaryOperator latencyNs) {
        Histogram histogram = new Histogram(3);
        for (int i = 0; i < count; i++) {
            histogram.recordValue(latencyNs.applyAsLong(i));
        }
        histogram.setTag(tag);
        histogram.setStartTimeStamp(startMs);
        histogram.setEndTimeStamp(startMs + 1000);
        return histogram;
    }

    static void writeLog(Path file, Histogram... intervals) throws IOException {
        try (PrintStream out = new PrintStream(Files.newOutputStream(file))) {
            HistogramLogWriter writer = new HistogramLogWriter(out);
            writer.outputLogFormatVersion();
            writer.outputStartTime(START_MS);
            writer.setBaseTime(START_MS);
            writer.outputBaseTime(START_MS);
            writer.outputLegend();
            for (Histogram interval : intervals) {
                writer.outputIntervalHistogram(interval);
            }
        }
    }

    static void append(Path file, String text) throws IOException {
        Files.writeString(file, text, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }

    /**
     * A spout and a sink that ran for {@code seconds}: in second s (from 0) the spout emitted 100 tuples, s of which failed, and the sink
     * received 200 with latencies of s+1 ms.
     */
    static void writeRun(Path directory, long startMs, int seconds) throws IOException {
        Histogram[] endToEnd = new Histogram[seconds];
        Histogram[] complete = new Histogram[seconds];
        StringBuilder spout = new StringBuilder("epochMs,emitted,acked,failed,received\n");
        StringBuilder sink = new StringBuilder(spout);
        int failed = 0;
        for (int s = 0; s < seconds; s++) {
            long latencyNs = (s + 1) * MS;
            endToEnd[s] = interval("e2e", startMs + s * 1000L, 200, i -> latencyNs);
            complete[s] = interval("complete", startMs + s * 1000L, 100, i -> 2 * latencyNs);
            failed += s;
            long endMs = startMs + (s + 1) * 1000L;
            int emitted = 100 * (s + 1);
            spout.append("%d,%d,%d,%d,0%n".formatted(endMs, emitted, emitted - failed, failed));
            sink.append("%d,0,0,0,%d%n".formatted(endMs, 2 * emitted));
        }
        Files.createDirectories(directory);
        Files.writeString(directory.resolve("spout-1.csv"), spout);
        Files.writeString(directory.resolve("sink-2.csv"), sink);
        writeLog(directory.resolve("spout-1.hlog"), complete);
        writeLog(directory.resolve("sink-2.hlog"), endToEnd);
    }
}
