package io.eyewall.core.report;

import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.HdrHistogram.Histogram;

/**
 * The latencies of one run under one name: their distribution, and their course over time.
 *
 * <p>Time is divided into equal pieces, at first of one second. When there are too many pieces, their length doubles, so that memory is
 * bounded.
 */
public final class LatencySeries {

    private static final int SIGNIFICANT_DIGITS = 3;
    private static final int MAX_PIECES = 300;

    private final String name;
    private long clockErrorNs;
    private final Histogram total = new Histogram(SIGNIFICANT_DIGITS);
    private final Histogram warmUp = new Histogram(SIGNIFICANT_DIGITS);
    private TreeMap<Long, Histogram> pieces = new TreeMap<>();
    private long pieceMs = 1000;
    private long originMs;

    /** Creates a series without any latencies; {@code name} is what the legend shows. */
    public LatencySeries(String name) {
        this.name = name;
    }

    /** The name, with the {@linkplain #widenClockError error of the clocks} if there is one. */
    public String name() {
        return clockErrorNs == 0 ? name : name + " (clocks +-" + HumanTime.of(clockErrorNs) + ')';
    }

    /** Sets by how many ns latencies may be wrong because they depend on the clocks of two hosts; the largest value counts. */
    void widenClockError(long errorNs) {
        clockErrorNs = Math.max(clockErrorNs, errorNs);
    }

    /** Adds an interval of latencies in ns to the distribution and to the course of time. */
    public void add(Histogram interval) {
        total.add(interval);
        addToTimeline(interval);
    }

    /** Adds an interval to the course of time; to the distribution only if nothing is added after warm-up. */
    public void addWarmUp(Histogram interval) {
        warmUp.add(interval);
        addToTimeline(interval);
    }

    /** All latencies in ns after warm-up; those of warm-up if there are no others. */
    public Histogram total() {
        return total.getTotalCount() > 0 ? total : warmUp;
    }

    /** The latencies in ns of each piece of time, by the seconds from the first interval to the end of the piece. */
    SortedMap<Double, Histogram> timeline() {
        SortedMap<Double, Histogram> timeline = new TreeMap<>();
        pieces.forEach((piece, latencies) -> timeline.put((piece + 1) * pieceMs / 1000.0, latencies));
        return timeline;
    }

    private void addToTimeline(Histogram interval) {
        if (interval.getTotalCount() == 0) {
            return;
        }
        if (pieces.isEmpty()) {
            originMs = interval.getStartTimeStamp();
        }
        long middleMs = interval.getStartTimeStamp() + (interval.getEndTimeStamp() - interval.getStartTimeStamp()) / 2;
        pieces.computeIfAbsent(Math.floorDiv(middleMs - originMs, pieceMs), piece -> new Histogram(SIGNIFICANT_DIGITS)).add(interval);
        while (pieces.size() > MAX_PIECES) {
            halvePieces();
        }
    }

    private void halvePieces() {
        TreeMap<Long, Histogram> longer = new TreeMap<>();
        for (Map.Entry<Long, Histogram> piece : pieces.entrySet()) {
            longer.computeIfAbsent(Math.floorDiv(piece.getKey(), 2), key -> new Histogram(SIGNIFICANT_DIGITS)).add(piece.getValue());
        }
        pieces = longer;
        pieceMs *= 2;
    }
}
