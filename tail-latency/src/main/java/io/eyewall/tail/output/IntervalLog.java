package io.eyewall.tail.output;

import io.eyewall.tail.recording.HopKey;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogWriter;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Appends intervals to {@value #NAME}, in HdrHistogram's log format with the hop's tag, so that its own tools read it. A comment,
 * {@code [ClockErrorNs: TAG NS]}, comes before an interval whose values depend on the clocks of two hosts, with their largest error. An
 * interval is written in one step and handed to the operating system at once: a killed worker loses no complete interval.
 *
 * <p>A full file is renamed to {@code latency.1.hlog}, the previous file of that name to {@code latency.2.hlog}, and so on. The file of the
 * worker that ran here before is renamed in the same way. Each file has its own header and can be read alone.
 */
final class IntervalLog implements IntervalOutput {

    static final String NAME = "latency.hlog";

    /** More than two hours of fifty hops every ten seconds. */
    static final int MAX_FILE_BYTES = 16 << 20;
    /** Together 64 MB, a small part of the limit of worker.log. */
    static final int FILES = 4;

    private static final Logger LOG = LoggerFactory.getLogger(IntervalLog.class);

    private final Path directory;
    private final int maxFileBytes;
    private final ByteArrayOutputStream lines = new ByteArrayOutputStream();
    private final HistogramLogWriter writer = new HistogramLogWriter(lines);

    /** The file, or null before the first interval and after a failure. */
    private OutputStream file;
    private long fileBytes;
    /** Whether the interval has anything to write. */
    private boolean hasLines;
    /** The number of intervals that could not be written since the last one that was written. */
    private int lostIntervals;
    private long startMs;
    private long endMs;

    /**
     * A log that makes its first file at the first value.
     *
     * @param directory where the files are; must exist
     * @param maxFileBytes a file that has grown beyond this size is renamed, and a new one begins
     */
    IntervalLog(Path directory, int maxFileBytes) {
        this.directory = directory;
        this.maxFileBytes = maxFileBytes;
    }

    @Override
    public void begin(long intervalStartMs, long intervalEndMs) {
        startMs = intervalStartMs;
        endMs = intervalEndMs;
        lines.reset();
        if (file == null || fileBytes >= maxFileBytes) {
            closeFile();
            writer.outputLogFormatVersion();
            writer.outputBaseTime(startMs);
            writer.setBaseTime(startMs);
            writer.outputStartTime(startMs);
            writer.outputLegend();
        }
    }

    @Override
    public void hop(HopKey key, Histogram interval, long clockErrorNs) {
        if (interval.getTotalCount() > 0) {
            if (clockErrorNs > 0) {
                writer.outputComment("[ClockErrorNs: " + key.tag() + ' ' + clockErrorNs + ']');
            }
            interval.setTag(key.tag());
            interval.setStartTimeStamp(startMs);
            interval.setEndTimeStamp(endMs);
            writer.outputIntervalHistogram(interval);
            hasLines = true;
        }
    }

    @Override
    public void end() {
        if (!hasLines) {
            return;
        }
        hasLines = false;
        try {
            if (file == null) {
                openFile();
            }
            lines.writeTo(file);
            fileBytes += lines.size();
            if (lostIntervals > 0) {
                LOG.warn("Latencies are written to {} again; {} intervals are not in it.", directory.resolve(NAME), lostIntervals);
                lostIntervals = 0;
            }
        } catch (IOException e) {
            lostIntervals++;
            if (lostIntervals == 1) {
                LOG.warn("Latencies cannot be written to {} ({}): make room there or allow it. Until then they are not logged.",
                    directory.resolve(NAME), e.toString());
            }
            closeFile();
        }
    }

    @Override
    public void close() {
        closeFile();
        if (lostIntervals > 0) {
            LOG.warn("The last {} intervals are not in {}.", lostIntervals, directory.resolve(NAME));
        }
    }

    private void openFile() throws IOException {
        // An empty file is not renamed: while the disk is full, the earlier files must not be pushed out.
        if (Files.exists(numbered(0)) && Files.size(numbered(0)) > 0) {
            for (int i = FILES - 1; i > 0; i--) {
                if (Files.exists(numbered(i - 1))) {
                    Files.move(numbered(i - 1), numbered(i), StandardCopyOption.REPLACE_EXISTING);
                }
            }
        }
        file = Files.newOutputStream(numbered(0));
        fileBytes = 0;
    }

    private Path numbered(int i) {
        return directory.resolve(i == 0 ? NAME : "latency." + i + ".hlog");
    }

    private void closeFile() {
        if (file != null) {
            try {
                file.close();
            } catch (IOException e) {
                LOG.debug("{} did not close.", directory.resolve(NAME), e);
            }
            file = null;
        }
    }
}
