package io.eyewall.core.report;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;

/**
 * Reads the counters of one task while they grow: lines {@code epochMs,emitted,acked,failed,received}, cumulative.
 *
 * <p>A task that restarts counts from zero, in the same file or in a new one. The reader keeps what the task had counted before.
 */
final class CounterReader {

    private static final String HEADER = "epochMs,emitted,acked,failed,received";
    /** The first line, and the first after a restart, has the counts since the task's start, which was about this long before. */
    private static final long LINE_INTERVAL_MS = 1000;

    private final Path file;
    private final LineTail tail;
    private final TreeMap<Long, Counts> countsByEpochMs = new TreeMap<>();
    private Counts beforeRestart = Counts.NONE;
    private Counts lastLine = Counts.NONE;

    CounterReader(Path file) {
        this.file = file;
        this.tail = new LineTail(file);
    }

    void poll() throws IOException {
        for (LineTail.Line line : tail.poll()) {
            if (line.number() == 1) {
                checkHeader(line);
            } else {
                read(line);
            }
        }
    }

    /**
     * The counts at an instant, interpolated between the lines around it; before the first line and after the last one, the counts of that
     * line.
     */
    Counts at(long epochMs) {
        Map.Entry<Long, Counts> before = countsByEpochMs.floorEntry(epochMs);
        Map.Entry<Long, Counts> after = countsByEpochMs.higherEntry(epochMs);
        if (before == null) {
            return Counts.NONE;
        }
        if (after == null) {
            return before.getValue();
        }
        double share = (epochMs - before.getKey()) / (double) (after.getKey() - before.getKey());
        return before.getValue().plus(after.getValue().minus(before.getValue()).times(share));
    }

    Counts latest() {
        return countsByEpochMs.isEmpty() ? Counts.NONE : countsByEpochMs.lastEntry().getValue();
    }

    /** The time of the last line; 0 before the first. */
    long latestEpochMs() {
        return countsByEpochMs.isEmpty() ? 0 : countsByEpochMs.lastKey();
    }

    private void checkHeader(LineTail.Line line) throws BadFileException {
        if (!line.text().equals(HEADER)) {
            throw new BadFileException(file, 1, "expected the header " + HEADER + " but found " + BadFileException.quote(line.text()));
        }
    }

    private void read(LineTail.Line line) throws BadFileException {
        String[] fields = line.text().split(",", -1);
        try {
            if (fields.length == 5) {
                long epochMs = Long.parseLong(fields[0]);
                if (countsByEpochMs.isEmpty()) {
                    countsByEpochMs.put(epochMs - LINE_INTERVAL_MS, Counts.NONE);
                }
                Counts counts = new Counts(count(fields[1]), count(fields[2]), count(fields[3]), count(fields[4]));
                if (counts.isLessThan(lastLine)) {
                    beforeRestart = latest();
                    countsByEpochMs.put(Math.max(latestEpochMs(), epochMs - LINE_INTERVAL_MS), beforeRestart);
                }
                lastLine = counts;
                countsByEpochMs.put(epochMs, beforeRestart.plus(counts));
                return;
            }
        } catch (NumberFormatException e) {
            // Falls through to the one message for every malformed line.
        }
        String found = BadFileException.quote(line.text());
        throw new BadFileException(file, line.number(), "expected " + HEADER + " as numbers but found " + found);
    }

    /** A counter that a component does not have may be left empty. */
    private static long count(String field) {
        return field.isEmpty() ? 0 : Long.parseLong(field);
    }
}
