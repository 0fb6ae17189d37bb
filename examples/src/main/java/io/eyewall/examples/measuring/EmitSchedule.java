package io.eyewall.examples.measuring;

import java.util.function.DoubleSupplier;

/**
 * The times at which a spout task's messages are due: one every 1/rate seconds from the start, exactly or on average, whether or not Storm
 * asks the spout for messages. A message that is emitted late keeps its due time, so that its latency includes the wait (no coordinated
 * omission).
 *
 * <p>Message n, from 0, is due at {@code start + phase + n / rate}. With 4 messages per second, a phase of half a period and a start at
 * 1 s, the first three messages are due at 1.125 s, 1.375 s and 1.625 s. For one thread.
 */
public final class EmitSchedule {

    private static final double NS_PER_SEC = 1e9;

    private final double periodNs;
    private final double phaseNs;
    private final DoubleSupplier gaps;

    private long startNs;
    private double periods;

    /**
     * A schedule that {@link #start} starts.
     *
     * @param ratePerSec messages per second, more than 0
     * @param phase      the delay of all messages in periods, from 0 to less than 1, so that tasks that share a rate take turns
     * @param gaps       returns the gap from each message to the next, in periods: always 1, or random with a mean of 1
     */
    public EmitSchedule(double ratePerSec, double phase, DoubleSupplier gaps) {
        periodNs = NS_PER_SEC / ratePerSec;
        phaseNs = phase * periodNs;
        this.gaps = gaps;
    }

    /**
     * Starts the schedule at a time, or restarts it. Messages that were due before are dropped.
     */
    public void start(long nowNs) {
        startNs = nowNs;
        periods = 0;
    }

    /**
     * When the next message is due, by {@link Clock#nanoTime}.
     */
    public long nextDueNs() {
        return startNs + Math.round(phaseNs + periods * periodNs);
    }

    /**
     * Advances to the following message.
     */
    public void advance() {
        periods += gaps.getAsDouble();
    }
}
