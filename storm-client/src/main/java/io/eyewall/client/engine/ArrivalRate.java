package io.eyewall.client.engine;

import java.util.concurrent.TimeUnit;

/**
 * Decides whether enough messages for a batch come during a nap, from the last {@value #PERIOD_MS} ms in which any came. For one thread.
 */
final class ArrivalRate {

    private static final int PERIOD_MS = 5;
    private static final long PERIOD_NS = TimeUnit.MILLISECONDS.toNanos(PERIOD_MS);
    /** The number of messages from which on a nap is worth it. */
    private static final int WORTH = 2;

    private final long napNs;
    /** How many messages came since {@link #sinceNs}. */
    private long messages;
    private long sinceNs;
    private boolean worthNapping;

    /** Starts to count at {@code nowNs}, on any clock. */
    ArrivalRate(long napNs, long nowNs) {
        this.napNs = napNs;
        sinceNs = nowNs;
    }

    /** Counts a batch of messages; returns whether to nap before the next one. */
    boolean isNapWorthIt(int batch, long nowNs) {
        messages += batch;
        long periodNs = nowNs - sinceNs;
        if (periodNs >= PERIOD_NS) {
            worthNapping = messages * napNs > WORTH * periodNs;
            messages = 0;
            sinceNs = nowNs;
        }
        return worthNapping;
    }
}
