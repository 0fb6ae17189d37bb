package io.eyewall.client.deadline;

import java.util.concurrent.TimeUnit;

/**
 * So many messages a second have the target, and some more in a burst that follows a pause. The generic cell rate algorithm of ATM
 * networks: each token is due a fixed time after the one before it.
 */
final class RateTokens implements Tokens {

    /** The tokens of so long a pause are kept. */
    private static final long BURST_NS = TimeUnit.MILLISECONDS.toNanos(100);

    private final double intervalNs;
    private final long othersNs;
    /** When the next token is due. Written by the thread that emits; others may read an earlier time. */
    private double nextNs = -BURST_NS;

    /**
     * A burst of tokens.
     *
     * @param perSec how many there are in a second
     * @param othersNs the target of messages without a token, in nanoseconds
     */
    RateTokens(long perSec, long othersNs) {
        intervalNs = (double) TimeUnit.SECONDS.toNanos(1) / perSec;
        this.othersNs = othersNs;
    }

    @Override
    public long untilDeadlineNs(long nowNs, long targetNs) {
        long waitNs = Math.max(0, (long) (nextNs - nowNs));
        return waitNs == 0 ? targetNs : Math.min(Math.max(targetNs, othersNs), waitNs + targetNs);
    }

    @Override
    public long take(long nowNs, long targetNs) {
        double dueNs = Math.max(nextNs, (double) (nowNs - BURST_NS));
        if (dueNs > nowNs) {
            return Math.max(targetNs, othersNs);
        }
        nextNs = dueNs + intervalNs;
        return targetNs;
    }
}
