package io.eyewall.core.report;

import static io.eyewall.core.report.MeasureDirectory.COMPLETE;
import static io.eyewall.core.report.MeasureDirectory.END_TO_END;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.HdrHistogram.Histogram;

/**
 * The latencies of one run since its first tuple: end to end, and complete where tuples were acked. Latencies of the warm-up are kept
 * separately.
 */
final class RunLatencies {

    /** This many seconds are left out of the summary: JIT compilation and the ramp of the connections. */
    static final int WARM_UP_SECONDS = 10;

    private static final long WARM_UP_MS = WARM_UP_SECONDS * 1000L;

    private final Map<String, LatencySeries> byTag = new LinkedHashMap<>();

    /** A run without latencies yet; the name is for the reader. */
    RunLatencies(String run) {
        byTag.put(END_TO_END, new LatencySeries(run + ", due to processed"));
        byTag.put(COMPLETE, new LatencySeries(run + ", due to acked"));
    }

    /**
     * Reads the interval log of a whole run, whose first interval begins with the first tuple.
     *
     * @throws IOException if the file cannot be read or is no interval log
     */
    static RunLatencies read(String run, Path log) throws IOException {
        List<Histogram> intervals = new ArrayList<>();
        new HlogReader(log).poll(intervals::add);
        RunLatencies latencies = new RunLatencies(run);
        for (Histogram interval : intervals) {
            latencies.add(interval, interval.getStartTimeStamp() - intervals.get(0).getStartTimeStamp());
        }
        return latencies;
    }

    /** Whether the latencies of a tag belong here. */
    boolean knows(String tag) {
        return byTag.containsKey(tag);
    }

    /** Adds an interval that began so many ms after the first tuple. */
    void add(Histogram interval, long sinceFirstTupleMs) {
        LatencySeries series = byTag.get(interval.getTag());
        if (sinceFirstTupleMs < WARM_UP_MS) {
            series.addWarmUp(interval);
        } else {
            series.add(interval);
        }
    }

    /** The latencies of a tag, if there are any. */
    Optional<LatencySeries> of(String tag) {
        return Optional.of(byTag.get(tag)).filter(series -> series.total().getTotalCount() > 0);
    }
}
