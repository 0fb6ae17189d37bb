package io.eyewall.integration.bench.henge;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.DoubleStream;
import org.HdrHistogram.Histogram;

/**
 * One run of one side.
 *
 * @param shares the total utility in each piece of ten seconds, as a share of the most that there could be
 * @param beginMs when the first piece began, in ms since 1970
 * @param log the action log, oldest first; empty for a side that takes no action
 * @param stolen the part of the cores' time, of 1, that the hypervisor gave to others
 */
record UtilityRun(List<Double> shares, long beginMs, List<LogEntry> log, double stolen) {

    static final int PIECE_SECONDS = 10;
    /** The objective of every topology: a mean latency of at most this, from due to processed. */
    static final double OBJECTIVE_MS = 60;

    private static final double NS_PER_MS = 1e6;
    private static final long PIECE_MS = PIECE_SECONDS * 1_000L;
    private static final double PERCENT = 100;

    UtilityRun {
        shares = List.copyOf(shares);
        log = List.copyOf(log);
    }

    /**
     * An entry of the action log.
     *
     * @param timeMs when, in ms since 1970
     * @param step the number of the step; 0 for none
     * @param kind what happened, such as {@code PLANNED}
     */
    record LogEntry(long timeMs, long step, String kind) {
    }

    /**
     * The latencies of one task in a short time.
     *
     * @param middleMs the middle of that time, in ms since 1970
     * @param count how many there are
     * @param meanNs their mean
     */
    record Latencies(long middleMs, long count, double meanNs) {

        static Latencies of(Histogram interval) {
            return new Latencies(interval.getStartTimeStamp() + (interval.getEndTimeStamp() - interval.getStartTimeStamp()) / 2,
                interval.getTotalCount(), interval.getMean());
        }
    }

    /**
     * The shares of pieces, one after the other: the mean over the topologies of min(1, objective / mean latency), which is equation 3.2 of
     * Xu's thesis. A topology of which nothing arrives has none.
     *
     * @param latencies those of each topology, from due to processed
     * @param beginMs when the first piece begins
     */
    static List<Double> shares(List<List<Latencies>> latencies, long beginMs, int pieces) {
        double[] shares = new double[pieces];
        for (List<Latencies> ofTopology : latencies) {
            double[] sumsNs = new double[pieces];
            long[] counts = new long[pieces];
            for (Latencies some : ofTopology) {
                long piece = Math.floorDiv(some.middleMs - beginMs, PIECE_MS);
                if (piece >= 0 && piece < pieces) {
                    sumsNs[(int) piece] += some.count * some.meanNs;
                    counts[(int) piece] += some.count;
                }
            }
            for (int piece = 0; piece < pieces; piece++) {
                if (counts[piece] > 0) {
                    shares[piece] += Math.min(1, OBJECTIVE_MS * NS_PER_MS * counts[piece] / sumsNs[piece]) / latencies.size();
                }
            }
        }
        return DoubleStream.of(shares).boxed().toList();
    }

    /** The average share, in per cent. */
    double averagePercent() {
        return PERCENT * shares.stream().mapToDouble(Double::doubleValue).average().orElse(0);
    }

    /** The share that a part of the pieces does not exceed, in per cent, by the nearest rank; {@code percentile} is above 0. */
    double percentile(double percentile) {
        List<Double> ascending = shares.stream().sorted().toList();
        int rank = (int) Math.ceil(percentile / PERCENT * ascending.size());
        return PERCENT * ascending.get(Math.min(ascending.size(), Math.max(1, rank)) - 1);
    }

    /** How many steps were planned in one of the halves of the run, 0 or 1. */
    long steps(int half) {
        return log.stream().filter(entry -> entry.kind.equals("PLANNED") && half(entry) == half).count();
    }

    /** The part of the run, in per cent, in which a step was being applied: from its plan until the cluster had its executors. */
    double applyingPercent() {
        Map<Long, Long> plannedMs = new HashMap<>();
        long sumMs = 0;
        for (LogEntry entry : log) {
            if (entry.kind.equals("PLANNED")) {
                plannedMs.put(entry.step, entry.timeMs);
            } else if (entry.step > 0 && plannedMs.containsKey(entry.step)) {
                // Applied, aborted, or dropped.
                sumMs += entry.timeMs - plannedMs.remove(entry.step);
            }
        }
        return PERCENT * sumMs / (shares.size() * PIECE_MS);
    }

    private int half(LogEntry entry) {
        return entry.timeMs - beginMs < shares.size() * PIECE_MS / 2 ? 0 : 1;
    }
}
