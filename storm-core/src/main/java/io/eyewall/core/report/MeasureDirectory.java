package io.eyewall.core.report;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.HdrHistogram.Histogram;

/**
 * The directory into which the measuring tasks of one topology write: an interval log and a file of counters for each task, which
 * appear and grow while the topology runs. A directory that does not exist yet is an empty one.
 */
public final class MeasureDirectory {

    /** The tag of intervals from due time to processed, written by sinks. */
    public static final String END_TO_END = "e2e";
    /** The tag of intervals from due time to acked, written by spouts. */
    public static final String COMPLETE = "complete";

    private final Path directory;
    private final Map<Path, HlogReader> logs = new TreeMap<>();
    private final Map<Path, CounterReader> counters = new TreeMap<>();

    public MeasureDirectory(Path directory) {
        this.directory = directory;
    }

    /**
     * Passes on the intervals that were completed since the last call, and reads the counters.
     *
     * @throws BadFileException if one of the files does not have the format that its name says
     * @throws IOException if a file cannot be read
     */
    public void poll(Consumer<Histogram> intervals) throws IOException {
        discover();
        for (HlogReader log : logs.values()) {
            log.poll(intervals);
        }
        for (CounterReader counter : counters.values()) {
            counter.poll();
        }
    }

    /** The counts of all tasks together at an instant, as of the last {@link #poll}. */
    public Counts countsAt(long epochMs) {
        return countsAt(epochMs, task -> true);
    }

    /** The counts of some tasks together at an instant; they are chosen by the names of their files, such as {@code spout-3.csv}. */
    public Counts countsAt(long epochMs, Predicate<String> tasks) {
        return counters.entrySet().stream().filter(counter -> tasks.test(String.valueOf(counter.getKey().getFileName())))
            .map(counter -> counter.getValue().at(epochMs)).reduce(Counts.NONE, Counts::plus);
    }

    /** The instant, in ms since the epoch, that every task's counters have reached; 0 before the first. */
    public long reportedUntilMs() {
        return counters.values().stream().mapToLong(CounterReader::latestEpochMs).min().orElse(0);
    }

    private void discover() throws IOException {
        try (DirectoryStream<Path> files = Files.newDirectoryStream(directory, "*.{hlog,csv}")) {
            for (Path file : files) {
                if (file.toString().endsWith(".hlog")) {
                    logs.computeIfAbsent(file, HlogReader::new);
                } else {
                    counters.computeIfAbsent(file, CounterReader::new);
                }
            }
        } catch (NoSuchFileException e) {
            // Nothing has been measured yet.
        }
    }
}
