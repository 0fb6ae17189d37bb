package io.eyewall.integration.bench;

import io.eyewall.core.report.Counts;
import java.util.List;
import org.HdrHistogram.Histogram;

/**
 * The measurements of one run of a topology after its warm-up.
 *
 * @param seconds how long the measurement took
 * @param counts the counts of that time
 * @param cpuSeconds CPU time that the worker JVMs used in that time, user and system, in seconds
 * @param stolen the part of the cores' time, of 1, that the hypervisor gave to others meanwhile; much of it makes latencies longer
 * @param intervals all latencies in ns of that time, by task and second, with tags and times
 * @param latency which of them the tables show
 */
record RunResult(double seconds, Counts counts, double cpuSeconds, double stolen, List<Histogram> intervals, LatencyKind latency) {

    /** The latencies in ns that the tables show. */
    Histogram latencies() {
        Histogram merged = new Histogram(3);
        intervals.stream().filter(interval -> latency.tag().equals(interval.getTag())).forEach(merged::add);
        return merged;
    }
}
