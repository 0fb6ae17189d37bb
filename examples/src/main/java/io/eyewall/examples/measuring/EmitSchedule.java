package io.eyewall.examples.measuring;

import java.util.function.DoubleSupplier;

/**
 * The times at which a spout task's messages are due: one every 1/rate seconds from the start, exactly or on average, whether or not Storm
 * asks the spout for messages. A message that is emitted late keeps its due time, so that its latency includes the wait (no coordinated
 * omission).
 *
 * <p>With a constant rate, message n, from 0, is due at {@code start + (phase + n) / rate}. With 4 messages per second, a phase of half a
 * period and a start at 1 s, the first three messages are due at 1.125 s, 1.375 s and 1.625 s. If the rate changes, a message is due when
 * the integral of the rate reaches its number. For one thread.
 */
public final class EmitSchedule {

    private static final double NS_PER_SEC = 1e9;

    private final double phase;
    private final DoubleSupplier gaps;

    private EmitRates rates;
    private long startNs;
    /** How many messages come before the next one, by the gaps; the phase counts as a part of one. */
    private double messages;
    /** The step of the rates in which the next message is due, how many steps there were before these rates, and how many messages. */
    private int step;
    private long stepsBefore;
    private double messagesBeforeStep;
    private long nextDueNs;

    /**
     * A schedule that {@link #start} starts.
     *
     * @param rates messages per second
     * @param phase the delay of all messages in periods, from 0 to less than 1, so that tasks that share a rate take turns
     * @param gaps  returns the gap from each message to the next, in periods: always 1, or random with a mean of 1
     */
    public EmitSchedule(EmitRates rates, double phase, DoubleSupplier gaps) {
        this.rates = rates;
        this.phase = phase;
        this.gaps = gaps;
    }

    /**
     * Starts the schedule at a time with the first rate, or restarts it. Messages that were due before are dropped.
     */
    public void start(long nowNs) {
        startNs = nowNs;
        messages = phase;
        step = 0;
        stepsBefore = 0;
        messagesBeforeStep = 0;
        findDueTime();
    }

    /**
     * When the next message is due, by {@link Clock#nanoTime}.
     */
    public long nextDueNs() {
        return nextDueNs;
    }

    /**
     * Advances to the following message.
     */
    public void advance() {
        messages += gaps.getAsDouble();
        findDueTime();
    }

    private void findDueTime() {
        while (messages - messagesBeforeStep >= rates.perSec(step) * rates.stepSecs()) {
            messagesBeforeStep += rates.perSec(step) * rates.stepSecs();
            step++;
            if (step == rates.steps()) {
                stepsBefore += step;
                step = 0;
                rates = rates.next();
            }
        }
        // Step 0 of a constant rate has no end, and 0 * the largest number is 0.
        nextDueNs = startNs
            + Math.round(((stepsBefore + step) * rates.stepSecs() + (messages - messagesBeforeStep) / rates.perSec(step)) * NS_PER_SEC);
    }
}
