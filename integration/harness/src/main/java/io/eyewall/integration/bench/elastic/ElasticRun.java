package io.eyewall.integration.bench.elastic;

import io.eyewall.core.report.Counts;
import io.eyewall.core.report.MeasureDirectory;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.function.LongFunction;
import org.HdrHistogram.Histogram;

/**
 * The measurements of the seconds around one change of a running topology.
 *
 * @param seconds the seconds in order; second 0 begins with the request to Nimbus
 * @param quarters the same time in quarters of a second
 * @param restarted how many workers are new, beyond those that came with a new machine
 * @param leaving the end of the workers that were to end
 * @param stolen the part of the cores' time, of 1, that the hypervisor gave to others
 */
record ElasticRun(List<Slice> seconds, List<Slice> quarters, int restarted, Leaving leaving, double stolen) {

    private static final int QUARTERS = 4;
    private static final long SECOND_MS = 1000;
    /** A quarter is as before if at least this part of the messages arrived ... */
    private static final double USUAL_RATE = 0.9;
    /** ... and p99 was at most so many times that of the worst quarter before. */
    private static final double USUAL_P99 = 2;
    /** The topology runs as before when this many quarters in a row do. */
    private static final int IN_A_ROW = 5 * QUARTERS;
    /** How many seconds are one point of a plot. */
    private static final int PIECE = 10;
    private static final int FEW_PIECES = 3;
    /** "Afterwards" means the last seconds since the change: one in this many. */
    private static final int AFTERWARDS_ONE_IN = 4;
    /** Throughput has settled when it was this many times above and below its value afterwards ... */
    private static final int CROSSINGS = 2;
    /** ... with a standard deviation of at most this part of that value. */
    private static final double SETTLED_DEVIATION = 0.05;

    /** A second, or a quarter of one, counted from the change; {@code latencies} in ns from due to processed. */
    record Slice(int number, Counts counts, Histogram latencies) {

        double p99Ns() {
            return latencies.getValueAtPercentile(99);
        }
    }

    /**
     * The end of the workers that the change left without executors.
     *
     * @param seconds until only the others ran; all seconds since the change if they did not end
     * @param heldTuples how many tuples one of them held for other workers, at most at a time; empty if none has reported that
     */
    record Leaving(double seconds, OptionalLong heldTuples) {
    }

    ElasticRun {
        seconds = List.copyOf(seconds);
        quarters = List.copyOf(quarters);
    }

    /**
     * Divides measurements into seconds.
     *
     * @param countsAt returns the counts up to an instant
     * @param intervals latencies of tasks, with tags and times
     * @param changeMs when the request went to Nimbus
     * @param before the number of seconds before the change
     * @param after the number of seconds from the change on
     * @param restarted as above
     * @param leaving as above
     * @param stolen as above
     */
    static ElasticRun of(LongFunction<Counts> countsAt, List<Histogram> intervals, long changeMs, int before, int after, int restarted,
            Leaving leaving, double stolen) {
        return new ElasticRun(slices(countsAt, intervals, changeMs, SECOND_MS, -before, after),
            slices(countsAt, intervals, changeMs, SECOND_MS / QUARTERS, -QUARTERS * before, QUARTERS * after), restarted, leaving, stolen);
    }

    private static List<Slice> slices(LongFunction<Counts> countsAt, List<Histogram> intervals, long changeMs, long lengthMs, int begin,
            int end) {
        List<Slice> slices = new ArrayList<>();
        for (int number = begin; number < end; number++) {
            long startMs = changeMs + number * lengthMs;
            Histogram latencies = new Histogram(3);
            intervals.stream().filter(interval -> MeasureDirectory.END_TO_END.equals(interval.getTag()))
                .filter(interval -> Math.floorDiv(middleMs(interval) - startMs, lengthMs) == 0).forEach(latencies::add);
            slices.add(new Slice(number, countsAt.apply(startMs + lengthMs).minus(countsAt.apply(startMs)), latencies));
        }
        return slices;
    }

    /** The number of seconds in which no message arrived. */
    double secondsAtZero() {
        return seconds.stream().filter(second -> second.counts().received() < 1).count();
    }

    /** How many fewer messages arrived than at the rate before the change. */
    double missing() {
        List<Slice> since = since();
        return Math.max(0, rateBefore() * since.size() - since.stream().mapToDouble(second -> second.counts().received()).sum());
    }

    /** How many messages failed since the change. */
    double failed() {
        return since().stream().mapToDouble(second -> second.counts().failed()).sum();
    }

    double p99BeforeNs() {
        return p99Ns(before());
    }

    /** The largest p99 of a second since the change. */
    double worstP99Ns() {
        return since().stream().mapToDouble(Slice::p99Ns).max().orElseThrow();
    }

    double p99AfterwardsNs() {
        return p99Ns(afterwards());
    }

    /** After how many seconds the topology ran as before for a while; the number of all seconds since the change if it never did. */
    double secondsUntilUsual() {
        double worstBeforeNs = quarters.stream().filter(quarter -> quarter.number() < 0).mapToDouble(Slice::p99Ns).max().orElseThrow();
        double enough = USUAL_RATE * rateBefore() / QUARTERS;
        int inARow = 0;
        for (Slice quarter : quarters) {
            boolean isUsual = quarter.counts().received() >= enough && quarter.p99Ns() <= USUAL_P99 * worstBeforeNs;
            inARow = quarter.number() >= 0 && isUsual ? inARow + 1 : 0;
            if (inARow == IN_A_ROW) {
                return (quarter.number() + 1.0 - IN_A_ROW) / QUARTERS;
            }
        }
        return since().size();
    }

    /** How many messages arrived per second before the change. */
    double rateBefore() {
        return rate(before());
    }

    /** How many messages arrive per second afterwards. */
    double rateAfterwards() {
        return rate(afterwards());
    }

    /**
     * After how many seconds throughput had converged, by the criterion of Le Xu, <em>Elastic techniques to handle dynamism in real-time
     * data processing systems</em>, 2021, section 2.4.4: it oscillates twice above and twice below its later average, with a standard
     * deviation of at most 5 %. The number of all seconds since the change if it has not.
     */
    double secondsUntilSettled() {
        double average = rateAfterwards();
        List<Slice> since = since();
        for (int end = 2 * CROSSINGS; end <= since.size(); end++) {
            for (int begin = 0; begin <= end - 2 * CROSSINGS; begin++) {
                if (isSettled(since.subList(begin, end), average)) {
                    return end;
                }
            }
        }
        return since.size();
    }

    /** Messages per second in pieces of ten seconds, or of one second in a short run, by the second in which a piece begins. */
    Map<Double, Double> rates() {
        Map<Double, Double> rates = new TreeMap<>();
        int length = since().size() < FEW_PIECES * PIECE ? 1 : PIECE;
        for (List<Slice> part : List.of(before(), since())) {
            for (int begin = 0; begin < part.size(); begin += length) {
                List<Slice> piece = part.subList(begin, Math.min(begin + length, part.size()));
                if (piece.size() == length || begin == 0) {
                    rates.put((double) piece.get(0).number(), rate(piece));
                }
            }
        }
        return rates;
    }

    private static boolean isSettled(List<Slice> window, double average) {
        double squares = 0;
        int above = 0;
        int below = 0;
        for (Slice second : window) {
            double difference = second.counts().received() - average;
            squares += difference * difference;
            above += difference > 0 ? 1 : 0;
            below += difference < 0 ? 1 : 0;
        }
        return above >= CROSSINGS && below >= CROSSINGS && Math.sqrt(squares / window.size()) <= SETTLED_DEVIATION * average;
    }

    private List<Slice> before() {
        return seconds.stream().filter(second -> second.number() < 0).toList();
    }

    private List<Slice> since() {
        return seconds.stream().filter(second -> second.number() >= 0).toList();
    }

    private List<Slice> afterwards() {
        return seconds.subList(seconds.size() - Math.max(1, since().size() / AFTERWARDS_ONE_IN), seconds.size());
    }

    private static double rate(List<Slice> seconds) {
        return seconds.stream().mapToDouble(second -> second.counts().received()).average().orElseThrow();
    }

    private static double p99Ns(List<Slice> seconds) {
        Histogram all = new Histogram(3);
        seconds.forEach(second -> all.add(second.latencies()));
        return all.getValueAtPercentile(99);
    }

    private static long middleMs(Histogram interval) {
        return interval.getStartTimeStamp() + (interval.getEndTimeStamp() - interval.getStartTimeStamp()) / 2;
    }
}
