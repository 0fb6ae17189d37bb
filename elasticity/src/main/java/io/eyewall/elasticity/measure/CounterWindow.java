package io.eyewall.elasticity.measure;

import io.eyewall.elasticity.model.Component;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;

/**
 * The sliding window over one executor's counters: the differences between heartbeats that are a period apart, with the time each covers.
 * A rate is what was counted divided by the time that the counters cover, so that a missing heartbeat makes one longer step, and the time
 * between a worker's last heartbeat and its restart, of which nothing is known, counts for nothing.
 */
final class CounterWindow {

    /** Storm tells times in whole seconds: two starts that seem this close are one. */
    private static final long START_TOLERANCE_MS = 2_000;

    private final long periodMs;
    private final long windowMs;
    private final Deque<Step> steps = new ArrayDeque<>();
    private ExecutorCounters last;

    CounterWindow(long periodMs, int windowPeriods) {
        this.periodMs = periodMs;
        this.windowMs = periodMs * windowPeriods;
    }

    /**
     * Takes a heartbeat.
     *
     * @return whether it moved the window; one that is a duplicate, late, or less than a period after the last one does not, and what it
     *     counted is contained in the next one that does
     */
    boolean add(ExecutorCounters counters) {
        if (last == null || counters.timeMs() < last.timeMs() - windowMs) {
            // The first, or the clock was set back: what came before has no place on the new time line.
            steps.clear();
            last = counters;
            return true;
        }
        boolean sameStart = Math.abs(counters.startMs() - last.startMs()) <= START_TOLERANCE_MS;
        if (counters.timeMs() <= last.timeMs() || (sameStart && counters.timeMs() - last.timeMs() < periodMs)) {
            return false;
        }
        if (!sameStart && counters.startMs() > last.timeMs() - periodMs) {
            append(new Step(counters.startMs(), counters.timeMs(), counters.emitted(), counters.executed(), counters.busyMs()));
        } else if (sameStart && !isReset(counters)) {
            append(difference(counters));
        }
        // Else the counters began anew, or the start moved though the executor lived: its clock was set. Of the time between nothing is
        // known.
        last = counters;
        return true;
    }

    /**
     * What was counted between {@code nowMs} minus the window and {@code nowMs}, per second, or null if the window covers no time.
     */
    Measured measured(long nowMs) {
        long fromMs = nowMs - windowMs;
        double coveredMs = 0;
        double executed = 0;
        double busyMs = 0;
        // Sorted, so that sums are added up in one order on every run.
        Map<String, Double> emitted = new TreeMap<>();
        for (Step step : steps) {
            double share = step.shareWithin(fromMs, nowMs);
            if (share == 0) {
                continue;
            }
            coveredMs += share * (step.toMs - step.fromMs);
            executed += share * step.executed;
            busyMs += share * step.busyMs;
            step.emitted.forEach((stream, count) -> emitted.merge(stream, share * count, Double::sum));
        }
        if (coveredMs == 0) {
            return null;
        }
        double seconds = coveredMs / 1_000;
        emitted.replaceAll((stream, count) -> count / seconds);
        return new Measured(emitted, executed / seconds, Math.min(1, busyMs / coveredMs), (1 / last.samplingRate() - 1) / seconds);
    }

    private boolean isReset(ExecutorCounters counters) {
        return counters.executed() < last.executed()
            || last.emitted().entrySet().stream().anyMatch(entry -> counters.emitted().getOrDefault(entry.getKey(), 0L) < entry.getValue());
    }

    private Step difference(ExecutorCounters counters) {
        Map<String, Long> emitted = new HashMap<>(counters.emitted());
        last.emitted().forEach((stream, count) -> emitted.merge(stream, -count, Long::sum));
        // Busy time is an average times a count, and may seem to shrink a little.
        double busyMs = counters.busyMs() - last.busyMs();
        return new Step(last.timeMs(), counters.timeMs(), emitted, counters.executed() - last.executed(), busyMs < 0 ? 0 : busyMs);
    }

    private void append(Step step) {
        if (step.toMs > step.fromMs) {
            steps.add(step);
        }
        while (!steps.isEmpty() && steps.getFirst().toMs <= step.toMs - windowMs) {
            steps.removeFirst();
        }
    }

    /**
     * An executor's rates.
     *
     * @param emittedPerSec by stream
     * @param executedPerSec tuples per second
     * @param utilisation the share of time spent executing, NaN if not known
     * @param resolutionPerSec by how much one counter may be off
     */
    record Measured(Map<String, Double> emittedPerSec, double executedPerSec, double utilisation, double resolutionPerSec) {

        double emittedPerSec(String stream) {
            return emittedPerSec.getOrDefault(stream, 0.0);
        }

        double allEmittedPerSec() {
            return emittedPerSec.entrySet().stream()
                .filter(entry -> !Component.isSystemId(entry.getKey()))
                .mapToDouble(Map.Entry::getValue)
                .sum();
        }
    }

    private record Step(long fromMs, long toMs, Map<String, Long> emitted, long executed, double busyMs) {

        double shareWithin(long startMs, long endMs) {
            long overlapMs = Math.min(toMs, endMs) - Math.max(fromMs, startMs);
            return overlapMs <= 0 ? 0 : (double) overlapMs / (toMs - fromMs);
        }
    }
}
