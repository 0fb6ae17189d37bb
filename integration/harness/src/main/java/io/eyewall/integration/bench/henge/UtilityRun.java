package io.eyewall.integration.bench.henge;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import org.HdrHistogram.Histogram;

/**
 * One run of one side.
 *
 * @param shares the total utility in each piece, as a share of the most that there could be
 * @param pieces when the first piece began, and how long each of them is
 * @param changeSecond when something happened, in seconds since the beginning, as a piece began; empty if nothing did
 * @param log the action log, oldest first; empty for a side that takes no action
 * @param processed the number of messages that all topologies processed
 * @param stolen the part of the cores' time, of 1, that the hypervisor gave to others
 */
record UtilityRun(List<Double> shares, Pieces pieces, Optional<Integer> changeSecond, List<LogEntry> log, long processed,
        double stolen) {

    /** The objective of every topology: a mean latency of at most this, from due to processed. */
    static final double OBJECTIVE_MS = 60;

    private static final double NS_PER_MS = 1e6;
    private static final double MS_PER_SEC = 1_000;
    private static final double PERCENT = 100;
    /** The utility is as before if it reaches this share of its mean before the change, for so long. */
    private static final double AS_BEFORE = 0.95;
    private static final int STAYS_SECONDS = 30;
    /** How long before and after the plan of a step utilities are compared. */
    private static final int AROUND_STEP_SECONDS = 30;
    private static final String PLANNED = "PLANNED";
    private static final String APPLIED = "APPLIED";

    UtilityRun {
        shares = List.copyOf(shares);
        log = List.copyOf(log);
    }

    /**
     * The pieces of a run, one after the other.
     *
     * @param beginMs when the first of them begins, in ms since 1970
     * @param number how many there are
     * @param seconds the length of each
     */
    record Pieces(long beginMs, int number, int seconds) {

        long lengthMs() {
            return 1_000L * seconds;
        }

        long endMs() {
            return beginMs + number * lengthMs();
        }

        /** The piece in which a time is, in ms since 1970; below 0 before the first. */
        long at(long timeMs) {
            return Math.floorDiv(timeMs - beginMs, lengthMs());
        }
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

    /** How the plan of a step ended, and after how many milliseconds. */
    private record Plan(String end, long tookMs) {
    }

    /**
     * The latencies of one task in a short time.
     *
     * @param beginMs when it begins, in ms since 1970
     * @param endMs when it ends
     * @param count how many there are
     * @param meanNs their mean
     */
    record Latencies(long beginMs, long endMs, long count, double meanNs) {

        static Latencies of(Histogram interval) {
            return new Latencies(interval.getStartTimeStamp(), interval.getEndTimeStamp(), interval.getTotalCount(), interval.getMean());
        }

        /** The part of its time that is in a piece, of 1. */
        double partIn(Pieces pieces, long piece) {
            long pieceMs = pieces.beginMs + piece * pieces.lengthMs();
            double shared = Math.min(endMs, pieceMs + pieces.lengthMs()) - Math.max(beginMs, pieceMs);
            return endMs > beginMs ? shared / (endMs - beginMs) : 1;
        }
    }

    /**
     * What a topology has measured.
     *
     * @param sinceMs when it was submitted, in ms since 1970; pieces that end earlier do without it
     * @param latencies from due to processed
     */
    record Measured(long sinceMs, List<Latencies> latencies) {
    }

    /**
     * The shares of pieces, one after the other: the mean over the topologies of min(1, objective / mean latency), which is equation 3.2 of
     * Xu's thesis. A topology of which nothing arrives has none.
     *
     * @param measured what each topology has measured
     */
    static List<Double> shares(List<Measured> measured, Pieces pieces) {
        double[] shares = new double[pieces.number];
        int[] topologies = new int[pieces.number];
        for (Measured topology : measured) {
            double[] sumsNs = new double[pieces.number];
            double[] counts = new double[pieces.number];
            for (Latencies some : topology.latencies) {
                long last = Math.min(pieces.number - 1, pieces.at(some.endMs));
                for (long piece = Math.max(0, pieces.at(some.beginMs)); piece <= last; piece++) {
                    double part = some.partIn(pieces, piece);
                    sumsNs[(int) piece] += part * some.count * some.meanNs;
                    counts[(int) piece] += part * some.count;
                }
            }
            for (int piece = (int) Math.max(0, pieces.at(topology.sinceMs)); piece < pieces.number; piece++) {
                topologies[piece]++;
                if (counts[piece] > 0) {
                    shares[piece] += Math.min(1, OBJECTIVE_MS * NS_PER_MS * counts[piece] / sumsNs[piece]);
                }
            }
        }
        List<Double> means = new ArrayList<>();
        for (int piece = 0; piece < pieces.number; piece++) {
            means.add(topologies[piece] == 0 ? 0 : shares[piece] / topologies[piece]);
        }
        return means;
    }

    /**
     * How many messages arrived during the pieces.
     *
     * @param every of how many messages one has measured its latency
     */
    static long processed(List<Measured> measured, Pieces pieces, int every) {
        return every * measured.stream().flatMap(topology -> topology.latencies.stream())
            .filter(some -> some.endMs >= pieces.beginMs && some.endMs < pieces.endMs()).mapToLong(Latencies::count).sum();
    }

    /** The average share, in per cent. */
    double averagePercent() {
        return PERCENT * mean(0, shares.size());
    }

    /** The share that a part of the pieces does not exceed, in per cent, by the nearest rank; {@code percentile} is above 0. */
    double percentile(double percentile) {
        List<Double> ascending = shares.stream().sorted().toList();
        int rank = (int) Math.ceil(percentile / PERCENT * ascending.size());
        return PERCENT * ascending.get(Math.min(ascending.size(), Math.max(1, rank)) - 1);
    }

    /** The average share before the change, in per cent; empty if nothing happened. */
    OptionalDouble percentBeforeChange() {
        return changePiece().map(piece -> OptionalDouble.of(PERCENT * mean(0, piece))).orElse(OptionalDouble.empty());
    }

    /** The average share from the change on, in per cent; empty if nothing happened. */
    OptionalDouble percentAfterChange() {
        return changePiece().map(piece -> OptionalDouble.of(PERCENT * mean(piece, shares.size()))).orElse(OptionalDouble.empty());
    }

    /**
     * How long it takes from the change until the share is back at 95 % of its mean before the change, and stays so for half a minute: 0 if
     * the change does no harm in half a minute. Empty if it does not come back, if there was no utility before, or if nothing happened.
     */
    OptionalDouble secondsUntilAsBefore() {
        if (changePiece().isEmpty()) {
            return OptionalDouble.empty();
        }
        int change = changePiece().get();
        double least = AS_BEFORE * mean(0, change);
        int stays = piecesIn(STAYS_SECONDS);
        int good = 0;
        for (int piece = change; least > 0 && piece < shares.size(); piece++) {
            good = shares.get(piece) >= least ? good + 1 : 0;
            if (good == stays) {
                return OptionalDouble.of((piece + 1 - stays - change) * pieces.seconds);
            }
        }
        return OptionalDouble.empty();
    }

    /** How many steps were planned in one of the halves of the run, 0 or 1. */
    long steps(int half) {
        return log.stream().filter(entry -> entry.kind.equals(PLANNED) && half(entry) == half).count();
    }

    /** The part of the run, in per cent, in which a step was being applied: from its plan until the cluster had its executors. */
    double applyingPercent() {
        return PERCENT * plans().stream().mapToLong(Plan::tookMs).sum() / (shares.size() * pieces.lengthMs());
    }

    /** The median of the times from the plan of a step until the cluster had its executors, in seconds; empty if no step was applied. */
    OptionalDouble medianSecondsUntilApplied() {
        double[] ascending = plans().stream().filter(plan -> plan.end.equals(APPLIED)).mapToDouble(plan -> plan.tookMs / MS_PER_SEC)
            .sorted().toArray();
        int middle = ascending.length / 2;
        return ascending.length == 0 ? OptionalDouble.empty()
            : OptionalDouble.of((ascending[middle] + ascending[(ascending.length - 1) / 2]) / 2);
    }

    /**
     * How much less utility there is, over all steps, in the half minute after the plan than in the half minute before, in per cent of the
     * latter; negative if there is more. Steps nearer than that to the beginning or the end of the run do not count. Empty if there is no
     * step that counts, or no utility before one.
     */
    OptionalDouble percentLostAfterSteps() {
        int around = piecesIn(AROUND_STEP_SECONDS);
        double before = 0;
        double after = 0;
        for (LogEntry entry : log) {
            long piece = pieces.at(entry.timeMs);
            if (entry.kind.equals(PLANNED) && piece >= around && piece + around <= shares.size()) {
                before += mean((int) piece - around, (int) piece);
                after += mean((int) piece, (int) piece + around);
            }
        }
        return before > 0 ? OptionalDouble.of(PERCENT * (1 - after / before)) : OptionalDouble.empty();
    }

    /** The plans of steps that were applied, aborted or dropped, in the order in which that happened. */
    private List<Plan> plans() {
        Map<Long, Long> plannedMs = new HashMap<>();
        List<Plan> plans = new ArrayList<>();
        for (LogEntry entry : log) {
            if (entry.kind.equals(PLANNED)) {
                plannedMs.put(entry.step, entry.timeMs);
            } else if (entry.step > 0 && plannedMs.containsKey(entry.step)) {
                plans.add(new Plan(entry.kind, entry.timeMs - plannedMs.remove(entry.step)));
            }
        }
        return plans;
    }

    private Optional<Integer> changePiece() {
        return changeSecond.map(second -> second / pieces.seconds);
    }

    private int piecesIn(int seconds) {
        return Math.max(1, seconds / pieces.seconds);
    }

    private double mean(int from, int to) {
        return shares.subList(from, to).stream().mapToDouble(Double::doubleValue).average().orElse(0);
    }

    private int half(LogEntry entry) {
        return entry.timeMs - pieces.beginMs < shares.size() * pieces.lengthMs() / 2 ? 0 : 1;
    }
}
