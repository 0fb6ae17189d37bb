package io.eyewall.integration.bench.data;

import java.math.BigDecimal;
import java.util.List;
import java.util.function.Function;

/**
 * The median, minimum and maximum of some figures. Each of them is null if it is not known.
 */
public record Spread(BigDecimal median, BigDecimal minimum, BigDecimal maximum) {

    private static final BigDecimal TWO = BigDecimal.valueOf(2);

    /** The spread of one figure or more. The median of an even number of figures is the mean of the middle two. */
    public static Spread of(List<BigDecimal> figures) {
        List<BigDecimal> sorted = figures.stream().sorted().toList();
        int middle = sorted.size() / 2;
        BigDecimal median = sorted.size() % 2 == 1 ? sorted.get(middle) : sorted.get(middle - 1).add(sorted.get(middle)).divide(TWO);
        return new Spread(median, sorted.get(0), sorted.get(sorted.size() - 1));
    }

    /** Whether none of the three is known. */
    public boolean isEmpty() {
        return median == null && minimum == null && maximum == null;
    }

    /** Whether minimum and maximum are known and differ. */
    public boolean hasEnds() {
        return minimum != null && maximum != null && minimum.compareTo(maximum) != 0;
    }

    /** The text {@code median [minimum - maximum]}, or the known part of it. */
    public String show(Function<BigDecimal, String> figure) {
        if (hasEnds()) {
            String ends = figure.apply(minimum) + " - " + figure.apply(maximum);
            return median == null ? ends : figure.apply(median) + " [" + ends + "]";
        }
        if (median != null) {
            return figure.apply(median);
        }
        if (minimum != null) {
            return maximum == null ? figure.apply(minimum) + " or more" : figure.apply(minimum);
        }
        return maximum == null ? "" : "up to " + figure.apply(maximum);
    }
}
