package io.eyewall.integration.bench;

import io.eyewall.core.report.Counts;
import java.util.List;
import org.HdrHistogram.Histogram;

/** Invented results of runs. */
final class BenchResults {

    static final long START_MS = 1_700_000_000_000L;

    private BenchResults() {
    }

    /** A run of ten seconds with latencies of 1 to 1000 times {@code latencyNs}. */
    static RunResult run(double tuplesPerSec, long latencyNs, double cpuSeconds) {
        return run(tuplesPerSec, latencyNs, cpuSeconds, 0);
    }

    /** The same with a part of the cores' time stolen. */
    static RunResult run(double tuplesPerSec, long latencyNs, double cpuSeconds, double stolen) {
        return run(Scenario.named("const-null/ack/1w").get(0), tuplesPerSec, latencyNs, cpuSeconds, stolen);
    }

    /** The same under another scenario, with three quarters of the messages acked in bulk. */
    static RunResult run(Scenario scenario, double tuplesPerSec, long latencyNs, double cpuSeconds, double stolen) {
        Histogram latencies = new Histogram(3);
        for (int i = 1; i <= 1000; i++) {
            latencies.recordValue(i * latencyNs);
        }
        latencies.setTag("e2e");
        latencies.setStartTimeStamp(START_MS);
        latencies.setEndTimeStamp(START_MS + 1000);
        Counts counts = new Counts(10 * tuplesPerSec, 0, 0, 10 * tuplesPerSec);
        return new RunResult(scenario, 10, counts, new Counts(0, 7.5 * tuplesPerSec, 0, 0), cpuSeconds, stolen, List.of(latencies));
    }
}
