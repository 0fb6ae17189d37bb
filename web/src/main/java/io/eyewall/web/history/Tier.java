package io.eyewall.web.history;

import java.time.Duration;

/** How fine and how long samples are kept. A period is what is pruned at once. */
enum Tier {
    FINE(1, 10, Duration.ofDays(1), Duration.ofHours(1)),
    COARSE(2, 300, Duration.ofDays(30), Duration.ofDays(1));

    private final byte prefix;
    private final int stepSecs;
    private final long keptSecs;
    private final long periodSecs;

    Tier(int prefix, int stepSecs, Duration kept, Duration period) {
        this.prefix = (byte) prefix;
        this.stepSecs = stepSecs;
        this.keptSecs = kept.toSeconds();
        this.periodSecs = period.toSeconds();
    }

    /** What the keys of its samples begin with. */
    byte prefix() {
        return prefix;
    }

    int stepSecs() {
        return stepSecs;
    }

    long keptSecs() {
        return keptSecs;
    }

    /** The number of the period in which a time is. */
    long period(long timeSecs) {
        return Math.floorDiv(timeSecs, periodSecs);
    }

    long startSecs(long period) {
        return period * periodSecs;
    }

    /** The end of the step in which a time is: the last sample of a step stands for it. */
    long stepEndSecs(long timeSecs) {
        return -Math.floorDiv(-timeSecs, stepSecs) * stepSecs;
    }
}
