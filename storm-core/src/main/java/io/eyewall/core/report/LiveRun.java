package io.eyewall.core.report;

import static io.eyewall.core.report.MeasureDirectory.END_TO_END;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.HdrHistogram.Histogram;

/**
 * A running topology, divided into the seconds since its first tuple arrived at a sink.
 *
 * <p>Tasks write once a second, each at its own moment. So a second is complete only {@value #SETTLING_MS} ms after its end, an interval
 * belongs to the second of its middle, and counters are interpolated. Later intervals count in the next second.
 */
final class LiveRun {

    static final long SETTLING_MS = 2000;

    private static final long SECOND_MS = 1000;

    /**
     * One second of the run.
     *
     * @param number 1 for the first
     * @param counts the counts of this second
     * @param endToEnd latencies in ns of the tuples that were processed in it
     */
    record Second(int number, Counts counts, Histogram endToEnd) {
    }

    private final MeasureDirectory directory;
    private final Consumer<Histogram> mergedIntervals;
    private final Map<Integer, Map<String, Histogram>> pending = new TreeMap<>();
    private final List<Histogram> beforeFirstTuple = new ArrayList<>();
    private final RunLatencies latencies;
    private long firstTupleMs = -1;
    private int completedSeconds;

    /**
     * Creates the run of a topology that measures into {@code directory}.
     *
     * @param latencies empty; gets the latencies of this run
     * @param mergedIntervals gets the latencies of each second and tag, all tasks merged
     */
    LiveRun(MeasureDirectory directory, RunLatencies latencies, Consumer<Histogram> mergedIntervals) {
        this.directory = directory;
        this.latencies = latencies;
        this.mergedIntervals = mergedIntervals;
    }

    /** Reads new lines and returns the seconds that have become complete by {@code nowMs}, up to a last one. */
    List<Second> advance(long nowMs, long lastSecond) throws IOException {
        directory.poll(this::take);
        List<Second> complete = new ArrayList<>();
        while (hasBegun() && completedSeconds < lastSecond && nowMs >= endMs(completedSeconds + 1) + SETTLING_MS) {
            complete.add(completeNext());
        }
        return complete;
    }

    boolean hasBegun() {
        return firstTupleMs >= 0;
    }

    int completedSeconds() {
        return completedSeconds;
    }

    /** Whether the run outlasted its warm-up; if not, the summary is over all of it. */
    boolean isWarm() {
        return completedSeconds > RunLatencies.WARM_UP_SECONDS;
    }

    /** The counts after warm-up. */
    Counts summaryCounts() {
        long fromMs = endMs(isWarm() ? RunLatencies.WARM_UP_SECONDS : 0);
        return directory.countsAt(endMs(completedSeconds)).minus(directory.countsAt(fromMs));
    }

    int summarySeconds() {
        return isWarm() ? completedSeconds - RunLatencies.WARM_UP_SECONDS : completedSeconds;
    }

    private long endMs(int secondNumber) {
        return firstTupleMs + secondNumber * SECOND_MS;
    }

    private void take(Histogram interval) {
        if (!latencies.knows(interval.getTag())) {
            return;
        }
        if (hasBegun()) {
            assign(interval);
            return;
        }
        beforeFirstTuple.add(interval);
        if (interval.getTag().equals(END_TO_END) && interval.getTotalCount() > 0) {
            firstTupleMs = interval.getStartTimeStamp();
            beforeFirstTuple.forEach(this::assign);
            beforeFirstTuple.clear();
        }
    }

    private void assign(Histogram interval) {
        long middleMs = interval.getStartTimeStamp() + (interval.getEndTimeStamp() - interval.getStartTimeStamp()) / 2;
        int second = (int) Math.floorDiv(middleMs - firstTupleMs, SECOND_MS) + 1;
        pending.computeIfAbsent(Math.max(second, completedSeconds + 1), key -> new TreeMap<>())
            .computeIfAbsent(interval.getTag(), tag -> new Histogram(3))
            .add(interval);
    }

    private Second completeNext() {
        completedSeconds++;
        Map<String, Histogram> merged = pending.containsKey(completedSeconds) ? pending.remove(completedSeconds) : new TreeMap<>();
        Histogram endToEnd = merged.computeIfAbsent(END_TO_END, tag -> new Histogram(3));
        merged.forEach((tag, second) -> {
            second.setTag(tag);
            second.setStartTimeStamp(endMs(completedSeconds - 1));
            second.setEndTimeStamp(endMs(completedSeconds));
            mergedIntervals.accept(second);
            latencies.add(second, (completedSeconds - 1) * SECOND_MS);
        });
        Counts counts = directory.countsAt(endMs(completedSeconds)).minus(directory.countsAt(endMs(completedSeconds - 1)));
        return new Second(completedSeconds, counts, endToEnd);
    }
}
