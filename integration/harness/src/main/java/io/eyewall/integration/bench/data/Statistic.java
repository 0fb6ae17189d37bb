package io.eyewall.integration.bench.data;

import java.util.Arrays;
import java.util.Optional;

/** The statistic over a side's rounds that the figures of a line are. */
public enum Statistic {

    /** The figures of one round; the file has the number of the round. */
    ROUND("the number of a round"),
    /** The median of all rounds. */
    MEDIAN("median"),
    /** The minimum of all rounds. */
    MINIMUM("minimum"),
    /** The maximum of all rounds. */
    MAXIMUM("maximum"),
    /** The median of the ratios to the first side, round by round. */
    RATIO_MEDIAN("ratio median"),
    /** The minimum of these ratios. */
    RATIO_MINIMUM("ratio minimum"),
    /** The maximum of these ratios. */
    RATIO_MAXIMUM("ratio maximum");

    private final String title;

    Statistic(String title) {
        this.title = title;
    }

    /** The value of the column {@code round} in a file; for {@link #ROUND} a description. */
    public String title() {
        return title;
    }

    /** The statistic of this title, except {@link #ROUND}. */
    static Optional<Statistic> titled(String title) {
        return Arrays.stream(values()).filter(statistic -> statistic != ROUND && statistic.title.equals(title)).findFirst();
    }
}
