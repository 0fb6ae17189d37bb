package io.eyewall.integration.bench;

import io.eyewall.core.report.Counts;
import java.util.List;
import org.HdrHistogram.Histogram;

/**
 * What one run of a topology measured after its warm-up.
 *
 * @param seconds how long the measurement took
 * @param counts what was counted in that time
 * @param cpuSeconds that the worker JVMs used in that time, user and system
 * @param intervals all latencies in ns of that time, by task and second, with tags and times
 */
record RunResult(double seconds, Counts counts, double cpuSeconds, List<Histogram> intervals) {

    /** Latencies in ns from due to processed. */
    Histogram endToEnd() {
        return merged("e2e");
    }

    private Histogram merged(String tag) {
        Histogram merged = new Histogram(3);
        intervals.stream().filter(interval -> tag.equals(interval.getTag())).forEach(merged::add);
        return merged;
    }
}
