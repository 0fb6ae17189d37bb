package io.eyewall.core.report;

/**
 * The counts of measuring tasks up to an instant. They are interpolated between lines, so they are not whole numbers.
 *
 * @param emitted root tuples that spouts emitted
 * @param acked root tuples that were acked
 * @param failed root tuples that were failed or timed out
 * @param received tuples that sinks processed
 */
public record Counts(double emitted, double acked, double failed, double received) {

    static final Counts NONE = new Counts(0, 0, 0, 0);

    /** The sum of both. */
    public Counts plus(Counts other) {
        return new Counts(emitted + other.emitted, acked + other.acked, failed + other.failed, received + other.received);
    }

    /** The counts since {@code earlier}. */
    public Counts minus(Counts earlier) {
        return plus(earlier.times(-1));
    }

    /** Whether any count is less than in the other counts. Counts only grow, except that a task that restarts begins at zero. */
    boolean isLessThan(Counts earlier) {
        return emitted < earlier.emitted || acked < earlier.acked || failed < earlier.failed || received < earlier.received;
    }

    /** All counts multiplied: by a share of a second, or by 1/s to make them rates. */
    public Counts times(double factor) {
        return new Counts(emitted * factor, acked * factor, failed * factor, received * factor);
    }
}
