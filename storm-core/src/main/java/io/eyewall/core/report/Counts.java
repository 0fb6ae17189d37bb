package io.eyewall.core.report;

/**
 * What measuring tasks counted up to an instant. Interpolated between their lines, so not whole numbers.
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

    /** What was counted since {@code earlier}. */
    public Counts minus(Counts earlier) {
        return plus(earlier.times(-1));
    }

    /** Whether any count is less: what is counted never becomes less, but a task that starts over begins at zero. */
    boolean isLessThan(Counts earlier) {
        return emitted < earlier.emitted || acked < earlier.acked || failed < earlier.failed || received < earlier.received;
    }

    /** All counts multiplied: by a share of a second, or by 1/s to make them rates. */
    public Counts times(double factor) {
        return new Counts(emitted * factor, acked * factor, failed * factor, received * factor);
    }
}
