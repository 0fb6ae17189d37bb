package io.eyewall.integration.bench;

import java.util.Arrays;
import java.util.function.DoubleFunction;

/**
 * The middle and the ends of some figures. The median of an even number of figures is the mean of the middle two.
 */
public record Spread(double median, double min, double max) {

    /** Of one figure or more. */
    public static Spread of(double... figures) {
        double[] sorted = figures.clone();
        Arrays.sort(sorted);
        int middle = sorted.length / 2;
        double median = sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
        return new Spread(median, sorted[0], sorted[sorted.length - 1]);
    }

    /** {@code median [min - max]}, or the one figure that there is. */
    public String format(DoubleFunction<String> figure) {
        return min == max ? figure.apply(median) : figure.apply(median) + " [" + figure.apply(min) + " - " + figure.apply(max) + "]";
    }
}
