package io.eyewall.elasticity.plan;

/**
 * When an operator counts as congested.
 *
 * @param congestionRate an operator is congested if its input is more than this many times what it processes; at least 1. The
 *     {@code CongestionRate} of Xu's thesis, section 2.2.3: example, 1,300 tuples per second in and 1,000 processed is above 1.2
 * @param saturation where no operator is congested in that sense, one is if its executors are busy for at least this share of the time;
 *     above 0 and at most 1. The thesis has no such bound: with back-pressure a full queue stops its senders, and no more tuples come in
 *     than are processed
 */
public record CongestionConfiguration(double congestionRate, double saturation) {

    /** The thesis' rate of 1.2, and a saturation of 0.9. */
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
