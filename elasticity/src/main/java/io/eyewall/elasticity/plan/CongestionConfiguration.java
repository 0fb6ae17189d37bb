package io.eyewall.elasticity.plan;

/**
 * When an operator counts as congested.
 *
 * @param congestionRate an operator is congested if its input is more than this many times what it processes; at least 1. This is the
 *     {@code CongestionRate} of Xu's thesis, section 2.2.3. Example: with an input of 1,300 tuples per second and 1,000 processed, the
 *     ratio of 1.3 exceeds a rate of 1.2
 * @param saturation if no operator is congested in this sense, those are congested whose executors are busy for at least this share of the
 *     time; above 0 and at most 1. The thesis has no such bound. It is needed with back-pressure: a full queue stops its senders, so that
 *     no more tuples arrive than are processed
 */
public record CongestionConfiguration(double congestionRate, double saturation) {

    /** The congestion rate of the thesis, 1.2, and a saturation of 0.9. */
    public static final CongestionConfiguration DEFAULT = new CongestionConfiguration(1.2, 0.9);

    /** Checks the ranges. */
    public CongestionConfiguration {
        if (!(congestionRate >= 1)) {
            throw new IllegalArgumentException("Congestion rate " + congestionRate + " is below 1");
        }
        if (!(saturation > 0 && saturation <= 1)) {
            throw new IllegalArgumentException("Saturation " + saturation + " is not in (0, 1]");
        }
    }
}
