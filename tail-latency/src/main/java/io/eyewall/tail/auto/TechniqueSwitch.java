package io.eyewall.tail.auto;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * The switch of a technique. It changes when the conditions have asked for the change in several periods in a row, and stays as it is while
 * they ask for neither. Each time that the technique is switched on again, it stays on for at least twice as long: balancing, for example,
 * is switched off only as a trial, and trials become rarer. One that follows the cluster's scheduler is not judged: it changes with each
 * order. Read by any thread, judged or ordered by one.
 *
 * <p>Example: on after 3 periods, off after 12, then 24 and at most 48.
 */
public final class TechniqueSwitch {

    /** How many periods in a row must ask for the change. */
    static final int PERIODS_TO_ON = 3;

    private final int mostPeriodsToOff;
    private final AtomicInteger switches = new AtomicInteger();
    private int periodsToOff;
    /** How many periods in a row have asked for the change. */
    private int periods;
    private volatile boolean on;

    /**
     * A switch that is off.
     *
     * @param periodsToOff how many periods in a row must ask for off, at first
     * @param mostPeriodsToOff the limit of that number, which doubles
     */
    TechniqueSwitch(int periodsToOff, int mostPeriodsToOff) {
        this.periodsToOff = periodsToOff;
        this.mostPeriodsToOff = mostPeriodsToOff;
    }

    /** Whether the technique is on. */
    public boolean isOn() {
        return on;
    }

    /** How often it was switched. */
    int switches() {
        return switches.get();
    }

    /** Follows an order, at once; returns whether the switch has changed. */
    boolean order(boolean nowOn) {
        if (on == nowOn) {
            return false;
        }
        on = nowOn;
        switches.incrementAndGet();
        return true;
    }

    /**
     * Ends a period; returns whether the switch has changed.
     *
     * @param forIt whether the conditions ask for the technique
     * @param againstIt whether the conditions ask to switch the technique off; neither is true in the band between
     */
    boolean judge(boolean forIt, boolean againstIt) {
        periods = (on ? againstIt : forIt) ? periods + 1 : 0;
        if (periods < (on ? periodsToOff : PERIODS_TO_ON)) {
            return false;
        }
        periods = 0;
        if (!on && switches.get() > 0) {
            periodsToOff = Math.min(mostPeriodsToOff, 2 * periodsToOff);
        }
        on = !on;
        switches.incrementAndGet();
        return true;
    }
}
