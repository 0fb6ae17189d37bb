package io.eyewall.tail.auto;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * Whether a technique is on: it changes when the conditions have asked for that several periods in a row, and stays as it is where they
 * ask for neither. One that is switched on again stays on for twice as long at least, so that what is off for a trial only is tried ever
 * more rarely. Read by any thread, judged by one.
 *
 * <p>Example: on after 3 periods, off after 12, then 24 and at most 48.
 */
public final class TechniqueSwitch {

    /** How many periods in a row have to ask for it. */
    static final int PERIODS_TO_ON = 3;

    private final int mostPeriodsToOff;
    private final AtomicInteger switches = new AtomicInteger();
    private int periodsToOff;
    /** How many periods in a row have asked for the change. */
    private int periods;
    private volatile boolean on;

    /**
     * Off.
     *
     * @param periodsToOff how many periods in a row have to ask for off, at first
     * @param mostPeriodsToOff what it does not exceed when it doubles
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

    /**
     * Ends a period; answers whether the technique is another than before.
     *
     * @param forIt whether the conditions ask for the technique
     * @param againstIt whether they ask to be without; neither is the band between
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
