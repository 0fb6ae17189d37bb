package io.eyewall.elasticity.henge;

/**
 * How a topology without an SLO does.
 *
 * @param throughputPerSec what its sinks process, in tuples per second
 * @param juice the share of its input that it processes, at most 1
 */
public record Standing(double throughputPerSec, double juice) {

    /** Limits the juice, which is above 1 while queues empty. */
    public Standing {
        juice = Math.min(1, juice);
    }

    /** What is left of an earlier standing, by the figure that fell more: 0.8 if it processes four fifths of what it did. */
    double shareOf(Standing earlier) {
        return Math.min(share(throughputPerSec, earlier.throughputPerSec), share(juice, earlier.juice));
    }

    private static double share(double now, double then) {
        return then > 0 ? now / then : 1;
    }
}
