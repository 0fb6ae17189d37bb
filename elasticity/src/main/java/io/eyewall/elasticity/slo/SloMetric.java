package io.eyewall.elasticity.slo;

/** The metrics for which an SLO can set a threshold. */
public enum SloMetric {

    /** The end-to-end latency in milliseconds. The threshold is a maximum. */
    LATENCY_MS("latency", "ms", false),
    /** The {@linkplain Juice juice}, from 0 to 1. The threshold is a minimum. */
    JUICE("juice", "", true),
    /** The tuples per second that all sinks process together. The threshold is a minimum. */
    THROUGHPUT_PER_SEC("throughput", "tuples/s", true);

    private final String title;
    private final String unit;
    private final boolean minimum;

    SloMetric(String title, String unit, boolean minimum) {
        this.title = title;
        this.unit = unit;
        this.minimum = minimum;
    }

    /** Its name for a person. */
    public String title() {
        return title;
    }

    /** Its unit, empty for a ratio. */
    public String unit() {
        return unit;
    }

    /** Whether the threshold is a minimum; if not, it is a maximum. */
    public boolean isMinimum() {
        return minimum;
    }

    /**
     * How far a threshold is attained: the ratio of equation 3.1 (current value / threshold) or 3.2 (threshold / current value) of Xu's
     * thesis, at most 1. Example: with a latency of 80 ms and a threshold of 60 ms it is 0.75.
     *
     * @param value the current value, at least 0
     * @param threshold the threshold, above 0
     */
    public double attainment(double value, double threshold) {
        if (minimum) {
            return Math.min(1, value / threshold);
        }
        return value <= threshold ? 1 : threshold / value;
    }
}
