package io.eyewall.elasticity.measure;

import io.eyewall.elasticity.model.ExecutorId;
import java.util.Map;

/**
 * The counters of one executor in one heartbeat. They start at 0 and never decrease while the executor lives.
 *
 * <p>Storm counts an evenly spread sample of the tuples and adds {@code 1 / samplingRate} for each. The counters here are Storm's, so they
 * are not scaled again. Each may be off by up to {@code 1 / samplingRate - 1} tuples.
 *
 * @param executor the executor
 * @param timeMs when the counters were read, in milliseconds on any clock that all heartbeats of this executor share
 * @param uptimeMs how long the executor had been running at that time, in milliseconds; a resolution of a second is enough
 * @param emitted tuples emitted so far, by stream
 * @param executed tuples executed so far that came from operators (ticks not included), by input; empty for a spout
 * @param busyMs milliseconds spent executing so far, {@link Double#NaN} if unknown, as for a spout
 * @param samplingRate the share of tuples that are counted, above 0 and at most 1 ({@code topology.stats.sample.rate})
 */
public record ExecutorCounters(ExecutorId executor, long timeMs, long uptimeMs, Map<String, Long> emitted,
        Map<Input, Long> executed, double busyMs, double samplingRate) {

    /** Checks the ranges. */
    public ExecutorCounters {
        if (!(samplingRate > 0 && samplingRate <= 1)) {
            throw new IllegalArgumentException("Executor " + executor + ": sampling rate " + samplingRate + " is not in (0, 1]");
        }
        if (uptimeMs < 0 || busyMs < 0 || isBelowZero(emitted) || isBelowZero(executed)) {
            throw new IllegalArgumentException("Executor " + executor + ": a counter or the uptime is below 0 at " + timeMs + " ms");
        }
        emitted = Map.copyOf(emitted);
        executed = Map.copyOf(executed);
    }

    long startMs() {
        return timeMs - uptimeMs;
    }

    private static boolean isBelowZero(Map<?, Long> counts) {
        return counts.values().stream().anyMatch(count -> count < 0);
    }
}
