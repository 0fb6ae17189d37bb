package io.eyewall.client.deadline;

import java.util.concurrent.TimeUnit;

/**
 * How many messages of a spout's executor have its target: so many a second, and some more in a burst that follows a pause. The generic
 * cell rate algorithm of ATM networks: each token is due a fixed time after the one before it.
 */
final class Tokens {

    /** Every message has the target. */
    static final Tokens UNLIMITED = new Tokens(0, 0);

    /** The tokens of so long a pause are kept. */
    private static final long BURST_NS = TimeUnit.MILLISECONDS.toNanos(100);

    private final double intervalNs;
    private final long othersNs;
    /** When the next token is due. Written by the thread that emits; others may read an earlier time. */
    private double nextNs;

    /**
     * A burst of tokens.
     *
     * @param perSec how many there are in a second; 0 for as many as messages
     * @param othersNs the target of messages without a token, in nanoseconds
     */
    Tokens(long perSec, long othersNs) {
        intervalNs = perSec == 0 ? 0 : (double) TimeUnit.SECONDS.toNanos(1) / perSec;
        this.othersNs = othersNs;
        nextNs = -BURST_NS;
    }

    /**
     * How long it is until the deadline of the next message with a token, in nanoseconds, or of one without if that is sooner. For any
     * thread.
     *
     * @param nowNs the time since the worker started
     * @param targetNs the target of a message with a token
     */
    long untilDeadlineNs(long nowNs, long targetNs) {
        long waitNs = intervalNs == 0 ? 0 : Math.max(0, (long) (nextNs - nowNs));
        return waitNs == 0 ? targetNs : Math.min(Math.max(targetNs, othersNs), waitNs + targetNs);
    }

    /**
     * The target of a message that is emitted now, in nanoseconds. For the thread that emits.
     *
     * @param nowNs the time since the worker started
     * @param targetNs the target of a message with a token
     */
    long take(long nowNs, long targetNs) {
        if (intervalNs == 0) {
            return targetNs;
        }
        double dueNs = Math.max(nextNs, (double) (nowNs - BURST_NS));
        if (dueNs > nowNs) {
            return Math.max(targetNs, othersNs);
        }
        nextNs = dueNs + intervalNs;
        return targetNs;
    }
}
