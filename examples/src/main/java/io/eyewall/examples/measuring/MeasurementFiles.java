package io.eyewall.examples.measuring;

import java.io.BufferedOutputStream;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogWriter;

/**
 * The two files of one task: counters and interval histograms. Appends to existing files, so that a task that moves to another worker
 * continues them; half a line at the end of a file, which a worker that was killed has left, is removed. Not thread-safe.
 */
final class MeasurementFiles implements AutoCloseable {

    static final String COUNTERS_HEADER = "epochMs,emitted,acked,failed,received";

    /** Most lines of a histogram log are shorter, and so are written at once. */
    private static final int LINE_BYTES = 1 << 16;

    private final BufferedWriter counters;
    private final PrintStream histogramStream;
    private final HistogramLogWriter histograms;

    /**
     * Opens both files and writes their headers.
     *
     * @param directory is created if it is missing
     * @param task      the name of the files without suffix
     * @param tag       the tag of all histograms
     * @param epochMs   the current time, in milliseconds since 1970
     */
    MeasurementFiles(Path directory, String task, String tag, long epochMs) throws IOException {
        Files.createDirectories(directory);
        Path counterFile = directory.resolve(task + ".csv");
        Path histogramFile = directory.resolve(task + ".hlog");
        removeHalfLine(counterFile);
        removeHalfLine(histogramFile);
        boolean fresh = !Files.exists(counterFile) || Files.size(counterFile) == 0;
        counters = Files.newBufferedWriter(counterFile, StandardCharsets.UTF_8, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        OutputStream stream;
        try {
            stream = new BufferedOutputStream(
                Files.newOutputStream(histogramFile, StandardOpenOption.CREATE, StandardOpenOption.APPEND), LINE_BYTES);
        } catch (IOException failure) {
            counters.close();
            throw failure;
        }
        histogramStream = new PrintStream(stream, false, StandardCharsets.UTF_8);
        histograms = new HistogramLogWriter(histogramStream);
        histograms.outputComment("[" + tag + " latency in ns, one interval per second]");
        histograms.outputLogFormatVersion();
        histograms.outputBaseTime(epochMs);
        histograms.outputStartTime(epochMs);
        histograms.setBaseTime(epochMs);
        histograms.outputLegend();
        histogramStream.flush();
        if (fresh) {
            counters.write(COUNTERS_HEADER);
            counters.newLine();
            counters.flush();
        }
    }

    void append(long epochMs, long emitted, long acked, long failed, long received) throws IOException {
        counters.write(epochMs + "," + emitted + ',' + acked + ',' + failed + ',' + received);
        counters.newLine();
        counters.flush();
    }

    void append(Histogram interval) throws IOException {
        histograms.outputIntervalHistogram(interval);
        if (histogramStream.checkError()) { // Flushes, too.
            throw new IOException("Cannot write to the histogram log");
        }
    }

    private static void removeHalfLine(Path file) throws IOException {
        if (!Files.exists(file)) {
            return;
        }
        try (RandomAccessFile lines = new RandomAccessFile(file.toFile(), "rw")) {
            long end = lines.length();
            while (end > 0) {
                lines.seek(end - 1);
                if (lines.read() == '\n') {
                    break;
                }
                end--;
            }
            lines.setLength(end);
        }
    }

    @Override
    public void close() throws IOException {
        histogramStream.close();
        counters.close();
    }
}
