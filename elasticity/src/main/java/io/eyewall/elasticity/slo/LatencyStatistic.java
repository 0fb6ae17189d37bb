package io.eyewall.elasticity.slo;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The statistic of the latencies of many tuples that a threshold is for: the mean or a percentile.
 *
 * @param percentile above 0 and below 100; {@link Double#NaN} for the mean
 */
public record LatencyStatistic(double percentile) {

    /** The arithmetic mean. */
    public static final LatencyStatistic MEAN = new LatencyStatistic(Double.NaN);

    private static final Pattern PERCENTILE = Pattern.compile("p(\\d{1,2}(?:\\.\\d{1,4})?)");
    private static final int MAX_PERCENTILE = 100;

    /** Checks the range. */
    public LatencyStatistic {
        if (percentile <= 0 || percentile >= MAX_PERCENTILE) {
            throw new IllegalArgumentException("Percentile " + percentile + " is not between 0 and 100");
        }
    }

    /**
     * The statistic with a name: {@code mean}, or {@code p} and a percentile such as {@code p50}, {@code p99} or {@code p99.9}.
     *
     * @throws IllegalArgumentException if there is none; the message says what a name looks like
     */
    public static LatencyStatistic named(String name) {
        if ("mean".equals(name)) {
            return MEAN;
        }
        Matcher matcher = PERCENTILE.matcher(name);
        if (!matcher.matches() || Double.parseDouble(matcher.group(1)) == 0) {
            throw new IllegalArgumentException("'" + name + "' is no statistic of latencies: write mean, or p and a percentile above 0 and "
                + "below 100, such as p99.9");
        }
        return new LatencyStatistic(Double.parseDouble(matcher.group(1)));
    }

    /** Whether it is the mean. */
    public boolean isMean() {
        return Double.isNaN(percentile);
    }

    /** The name that users write. */
    @Override
    public String toString() {
        if (isMean()) {
            return "mean";
        }
        return percentile == Math.rint(percentile) ? String.format(Locale.ROOT, "p%.0f", percentile) : "p" + percentile;
    }
}
