package io.eyewall.examples.measuring;

import java.util.function.DoubleSupplier;

/**
 * The times at which a spout task's messages are due: one every 1/rate seconds from the start, or that in the mean, whether or not
 * anybody asked in the meantime. A message that is emitted late keeps its due time, so that waiting counts as latency (no coordinated
 * omission).
 *
 * <p>The n-th message, from 0, is due at {@code start + phase + n / rate}: at 4 per second, half a period of phase and a start of 1 s
 * the first three are due at 1.125 s, 1.375 s and 1.625 s. Used by one thread.
 */
public final class Pace {

    private static final double NS_PER_SEC = 1e9;

    private final double periodNs;
    private final double phaseNs;
    private final DoubleSupplier gaps;

    private long startNs;
    private double periods;

    /**
     * Makes a schedule that {@link #start} starts.
     *
     * @param ratePerSec messages per second, more than 0
     * @param phase      part of a period by which everything is later, from 0 to less than 1: tasks that share a rate take turns
     * @param gaps       from each message to the next, in periods: always 1, or random with a mean of 1
     */
    public Pace(double ratePerSec, double phase, DoubleSupplier gaps) {
        periodNs = NS_PER_SEC / ratePerSec;
        phaseNs = phase * periodNs;
        this.gaps = gaps;
    }

    /**
     * Starts, or starts afresh, at a time; due times that were not taken are dropped.
     */
    public void start(long nowNs) {
        startNs = nowNs;
        periods = 0;
    }

    /**
     * When the next message is due, in {@link Clock#nanoTime}.
     */
    public long nextDueNs() {
        return startNs + Math.round(phaseNs + periods * periodNs);
    }

    /**
     * Goes on to the message after the next.
     */
    public void advance() {
        periods += gaps.getAsDouble();
    }
}
