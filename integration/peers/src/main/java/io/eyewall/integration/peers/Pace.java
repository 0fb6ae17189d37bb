package io.eyewall.integration.peers;

import io.eyewall.examples.measuring.EmitRates;
import io.eyewall.examples.measuring.EmitSchedule;
import io.eyewall.examples.measuring.SystemClock;
import java.io.Serializable;

/** When records are due, as in the examples' spouts. For the thread of the source's task. */
final class Pace implements Serializable {

    /** In the place of a due time: the latency of this record is not measured. */
    static final long NOT_MEASURED = 0;

    private final long ratePerSec;
    private final int measuredEvery;

    /** Null until the first record, and without a rate. */
    private transient EmitSchedule schedule;
    private transient long number;

    /** {@code ratePerSec} is 0 for full speed. */
    Pace(long ratePerSec, int measuredEvery) {
        this.ratePerSec = ratePerSec;
        this.measuredEvery = measuredEvery;
    }

    /** Waits until the next record is due, and returns when it was due, by {@link SystemClock#nanoTime}, or {@link #NOT_MEASURED}. */
    long awaitNext() {
        boolean measured = number % measuredEvery == 0;
        number++;
        if (ratePerSec == 0) {
            return measured ? SystemClock.INSTANCE.nanoTime() : NOT_MEASURED;
        }
        long nowNs = SystemClock.INSTANCE.nanoTime();
        if (schedule == null) {
            schedule = new EmitSchedule(EmitRates.constant(ratePerSec), 0, () -> 1);
            schedule.start(nowNs);
        }
        long dueNs = schedule.nextDueNs();
        schedule.advance();
        if (dueNs > nowNs) {
            SystemClock.INSTANCE.sleepNs(dueNs - nowNs);
        }
        return measured ? dueNs : NOT_MEASURED;
    }
}
