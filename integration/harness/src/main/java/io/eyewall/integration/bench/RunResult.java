package io.eyewall.integration.bench;

import io.eyewall.core.report.Counts;
import java.util.List;
import org.HdrHistogram.Histogram;

/**
 * The measurements of one run of a topology after its warm-up.
 *
 * @param scenario under which it was measured
 * @param seconds how long the measurement took
 * @param counts the counts of that time
 * @param bulk those of bulk spouts among them; all are 0 if there is none
 * @param cpuSeconds CPU time that the worker JVMs used in that time, user and system, in seconds
 * @param stolen the part of the cores' time, of 1, that the hypervisor gave to others meanwhile; much of it makes latencies longer
 * @param intervals all latencies in ns of that time, by task and second, with tags and times
 */
record RunResult(Scenario scenario, double seconds, Counts counts, Counts bulk, double cpuSeconds, double stolen,
    List<Histogram> intervals) {

    /** The latencies in ns that the tables show. */
    Histogram latencies() {
        Histogram merged = new Histogram(3);
        intervals.stream().filter(interval -> scenario.latency().tag().equals(interval.getTag())).forEach(merged::add);
        return merged;
    }
}
