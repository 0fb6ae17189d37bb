package io.eyewall.integration.bench.data;

import java.util.Arrays;
import java.util.Optional;

/** What of a side's rounds the figures of a line are. */
public enum Statistic {

    /** Those of one round; the file has the number of the round. */
    ROUND("the number of a round"),
    /** The median of all rounds. */
    MEDIAN("median"),
    /** The least of all rounds. */
    MINIMUM("minimum"),
    /** The most of all rounds. */
    MAXIMUM("maximum"),
    /** The median of the ratios to the first side, round by round. */
    RATIO_MEDIAN("ratio median"),
    /** The least of these ratios. */
    RATIO_MINIMUM("ratio minimum"),
    /** The most of these ratios. */
    RATIO_MAXIMUM("ratio maximum");

    private final String title;

    Statistic(String title) {
        this.title = title;
    }

    /** As the column {@code round} of a file has it; of {@link #ROUND} a description. */
    public String title() {
        return title;
    }

    /** The statistic of this title, except {@link #ROUND}. */
    static Optional<Statistic> titled(String title) {
        return Arrays.stream(values()).filter(statistic -> statistic != ROUND && statistic.title.equals(title)).findFirst();
    }
}
