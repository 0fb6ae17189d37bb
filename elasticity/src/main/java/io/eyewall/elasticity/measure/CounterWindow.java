package io.eyewall.elasticity.measure;

import io.eyewall.elasticity.model.Component;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;

/**
 * The sliding window over the counters of one executor. It holds the differences between heartbeats that are at least a period apart, each
 * with the time that it covers. A rate is the count divided by the time covered. A missing heartbeat makes one step longer; the time
 * between the last heartbeat of a worker and its restart is left out, since nothing is known of it.
 */
final class CounterWindow {

    /** Storm reports times in whole seconds: start times that differ by no more than this belong to the same start. */
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
     * Adds a heartbeat.
     *
     * @return whether the heartbeat moved the window. A duplicate, a late one, or one less than a period after the last does not; its
     *     counts are part of the next one that does
     */
    boolean add(ExecutorCounters counters) {
        if (last == null || counters.timeMs() < last.timeMs() - windowMs) {
            // The first heartbeat, or the clock was set back: older steps do not fit on the new time line.
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
        // Else the counters were reset, or the clock was set, which moves the start of an executor that did not restart. Nothing is known
        // of the time since the last heartbeat.
        last = counters;
        return true;
    }

    /** The rates between {@code nowMs} minus the window and {@code nowMs}, or null if no counts cover any of that time. */
    Measured measured(long nowMs) {
        long fromMs = nowMs - windowMs;
        double coveredMs = 0;
        double busyMs = 0;
        // Sorted, so that floating-point sums are the same in every run.
        Map<String, Double> emitted = new TreeMap<>();
        Map<Input, Double> executed = new TreeMap<>(Comparator.comparing(Input::from).thenComparing(Input::stream));
        for (Step step : steps) {
            double share = step.shareWithin(fromMs, nowMs);
            if (share == 0) {
                continue;
            }
            coveredMs += share * (step.toMs - step.fromMs);
            busyMs += share * step.busyMs;
            step.emitted.forEach((stream, count) -> emitted.merge(stream, share * count, Double::sum));
            step.executed.forEach((input, count) -> executed.merge(input, share * count, Double::sum));
        }
        if (coveredMs == 0) {
            return null;
        }
        double seconds = coveredMs / 1_000;
        emitted.replaceAll((stream, count) -> count / seconds);
        executed.replaceAll((input, count) -> count / seconds);
        return new Measured(emitted, executed, Math.min(1, busyMs / coveredMs), 1 / last.samplingRate(), seconds);
    }

    private boolean isReset(ExecutorCounters counters) {
        return hasShrunk(last.executed(), counters.executed()) || hasShrunk(last.emitted(), counters.emitted());
    }

    private static <K> boolean hasShrunk(Map<K, Long> before, Map<K, Long> now) {
        return before.entrySet().stream().anyMatch(entry -> now.getOrDefault(entry.getKey(), 0L) < entry.getValue());
    }

    private Step difference(ExecutorCounters counters) {
        // Busy time is an average times a count, so rounding can make it shrink a little.
        double busyMs = counters.busyMs() - last.busyMs();
        return new Step(last.timeMs(), counters.timeMs(), difference(last.emitted(), counters.emitted()),
            difference(last.executed(), counters.executed()), busyMs < 0 ? 0 : busyMs);
    }

    private static <K> Map<K, Long> difference(Map<K, Long> before, Map<K, Long> now) {
        Map<K, Long> difference = new HashMap<>(now);
        before.forEach((key, count) -> difference.merge(key, -count, Long::sum));
        return difference;
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
     * The rates of an executor.
     *
     * @param emittedPerSec tuples emitted per second, by stream
     * @param executedByInput tuples executed per second, by input
     * @param utilisation the share of time spent executing, NaN if unknown
     * @param block one of this many tuples is counted, for all of them
     * @param seconds the time that the rates cover
     */
    record Measured(Map<String, Double> emittedPerSec, Map<Input, Double> executedByInput, double utilisation, double block,
            double seconds) {

        /** The largest error of one count divided by the time, in tuples per second, caused by sampling. */
        double resolutionPerSec() {
            return (block - 1) / seconds;
        }

        /** The variance that sampling gives to the emit rate of a stream, for an executor with so many tasks: each samples by itself. */
        double emittedVariance(String stream, int tasks) {
            return variance(emittedPerSec(stream), emittedPerSec.values().stream().mapToDouble(Double::doubleValue).sum(), tasks);
        }

        /** The variance that sampling gives to the execution rate of an input. */
        double executedVariance(Input input) {
            return variance(executedPerSec(input), executedPerSec(), 1);
        }

        /**
         * The variance of a rate whose tuples are sampled together with others. Storm counts a random tuple of each block. So a count is
         * off by a part of a block at both ends of the window; and in each block chance decides whether it is a tuple of this rate.
         */
        private double variance(double perSec, double allPerSec, int samplers) {
            double atEnds = samplers * (block * block - 1) / 3 / (seconds * seconds);
            double amongOthers = allPerSec > 0 ? (block - 1) * perSec * (1 - perSec / allPerSec) / seconds : 0;
            return atEnds + amongOthers;
        }

        double emittedPerSec(String stream) {
            return emittedPerSec.getOrDefault(stream, 0.0);
        }

        double executedPerSec(Input input) {
            return executedByInput.getOrDefault(input, 0.0);
        }

        double executedPerSec() {
            return executedByInput.values().stream().mapToDouble(Double::doubleValue).sum();
        }

        double allEmittedPerSec() {
            return emittedPerSec.entrySet().stream()
                .filter(entry -> !Component.isSystemId(entry.getKey()))
                .mapToDouble(Map.Entry::getValue)
                .sum();
        }
    }

    private record Step(long fromMs, long toMs, Map<String, Long> emitted, Map<Input, Long> executed, double busyMs) {

        /** The share of the step's time that lies between two times. */
        double shareWithin(long startMs, long endMs) {
            long overlapMs = Math.min(toMs, endMs) - Math.max(fromMs, startMs);
            return overlapMs <= 0 ? 0 : (double) overlapMs / (toMs - fromMs);
        }
    }
}
