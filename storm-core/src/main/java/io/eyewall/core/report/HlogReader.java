package io.eyewall.core.report;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.DataFormatException;
import org.HdrHistogram.Histogram;

/**
 * Reads one HdrHistogram interval log (format 1.2 and 1.3), once or while it grows.
 *
 * <p>Every histogram that it returns has its tag ({@code null} if there is none), and its start and end in ms since the epoch. A last line
 * without a line feed is not read yet; any other line that is not in the format is an error.
 */
public final class HlogReader {

    private static final String LEGEND_START = "\"StartTimestamp\"";
    private static final String TAG_START = "Tag=";
    private static final String START_TIME = "#[StartTime:";
    private static final String BASE_TIME = "#[BaseTime:";
    private static final Pattern CLOCK_ERROR = Pattern.compile("#\\[ClockErrorNs: (\\S+) (\\d{1,18})]");
    /** Timestamps this much older than the start time are relative to it: HdrHistogram's own rule for logs without base time. */
    private static final double RELATIVE_BEFORE_START_SECONDS = 365 * 24 * 3600.0;

    private final Path file;
    private final LineTail tail;
    private double startTimeSeconds;
    private Double baseTimeSeconds;
    private final Map<String, Long> clockErrorNsByTag = new HashMap<>();

    /** A reader of that file, from its start. The file need not exist yet. */
    public HlogReader(Path file) {
        this.file = file;
        this.tail = new LineTail(file);
    }

    /**
     * Passes on the intervals that were completed since the last call, in the order of the file. It passes them one at a time, so a long
     * log need not fit into memory.
     *
     * @throws BadFileException if a line does not have the format
     * @throws IOException if the file cannot be read
     */
    public void poll(Consumer<Histogram> intervals) throws IOException {
        for (LineTail.Line line : tail.poll()) {
            String text = line.text();
            if (text.startsWith("#")) {
                readHeader(line);
            } else if (!text.isEmpty() && !text.startsWith(LEGEND_START)) {
                intervals.accept(interval(line));
            }
        }
    }

    /**
     * By how much latencies of a tag may be wrong because they depend on the clocks of two hosts, in ns; 0 if the log does not say so. It
     * holds for the intervals that {@link #poll} has passed on.
     */
    public long clockErrorNs(String tag) {
        return clockErrorNsByTag.getOrDefault(tag, 0L);
    }

    /** A warning, in one line, that the file ends within a line, as it does when its writer was killed; empty if it does not. */
    public Optional<String> cutOff() {
        return tail.endsUnfinished()
            ? Optional.of(file + ":" + (tail.lineNumber() + 1) + ": the last line is cut off and left out")
            : Optional.empty();
    }

    private void readHeader(LineTail.Line line) throws BadFileException {
        if (line.number() == 1) {
            baseTimeSeconds = null;
        }
        if (line.text().startsWith(START_TIME)) {
            startTimeSeconds = headerSeconds(line, START_TIME);
        } else if (line.text().startsWith(BASE_TIME)) {
            baseTimeSeconds = headerSeconds(line, BASE_TIME);
        } else {
            Matcher clockError = CLOCK_ERROR.matcher(line.text());
            if (clockError.matches()) {
                clockErrorNsByTag.merge(clockError.group(1), Long.valueOf(clockError.group(2)), Math::max);
            }
        }
    }

    private double headerSeconds(LineTail.Line line, String start) throws BadFileException {
        String value = line.text().substring(start.length()).strip().split("[ \\](]", 2)[0];
        try {
            return Double.parseDouble(value);
        } catch (NumberFormatException e) {
            throw new BadFileException(file, line.number(), "the header's time " + BadFileException.quote(value) + " is not in seconds");
        }
    }

    private Histogram interval(LineTail.Line line) throws BadFileException {
        String text = line.text();
        String tag = null;
        if (text.startsWith(TAG_START) && text.indexOf(',') > 0) {
            tag = text.substring(TAG_START.length(), text.indexOf(','));
            text = text.substring(text.indexOf(',') + 1);
        }
        String[] fields = text.split(",", 4);
        if (fields.length != 4) {
            throw notAnInterval(line);
        }
        Histogram histogram;
        double start;
        double length;
        try {
            start = absoluteSeconds(Double.parseDouble(fields[0]));
            length = Double.parseDouble(fields[1]);
            Double.parseDouble(fields[2]);
        } catch (NumberFormatException e) {
            throw notAnInterval(line);
        }
        try {
            histogram = Histogram.decodeFromCompressedByteBuffer(ByteBuffer.wrap(Base64.getDecoder().decode(fields[3])), 0);
        } catch (DataFormatException | RuntimeException e) {
            throw new BadFileException(file, line.number(), "the histogram is damaged or of another kind (" + e.getMessage() + ")");
        }
        histogram.setTag(tag);
        histogram.setStartTimeStamp(Math.round(start * 1000));
        histogram.setEndTimeStamp(Math.round((start + length) * 1000));
        return histogram;
    }

    private double absoluteSeconds(double timestampSeconds) {
        if (baseTimeSeconds != null) {
            return baseTimeSeconds + timestampSeconds;
        }
        boolean relative = timestampSeconds < startTimeSeconds - RELATIVE_BEFORE_START_SECONDS;
        return relative ? startTimeSeconds + timestampSeconds : timestampSeconds;
    }

    private BadFileException notAnInterval(LineTail.Line line) {
        String found = BadFileException.quote(line.text());
        return new BadFileException(file, line.number(), "not a line of an HdrHistogram interval log: " + found);
    }
}
