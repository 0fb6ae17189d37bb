package io.eyewall.client.acking;

import io.eyewall.client.time.NanoClock;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * The trees of one worker that need not go on, since another instance of their message is complete: executors drop what they have not begun
 * of them. A feature that has messages of several instances makes it before {@link LedgerAckingFeature} joins.
 *
 * <p>A hint and no more: a root may be forgotten, where another one takes its place in the table, and is after a while, so that a root id
 * that a spout uses again one day is a new one. No other root is ever taken for cancelled. Safe for any thread; looking up takes two reads,
 * one while nothing is cancelled.
 */
public final class CancelledRoots {

    private static final int PLACES = 1 << 13;
    private static final long GOLDEN = 0x9E37_79B9_7F4A_7C15L;
    private static final int SHIFT = Long.SIZE - Integer.numberOfTrailingZeros(PLACES);

    private final NanoClock clock;
    private final long lifetimeNs;
    /** What was cancelled since the last lifetime began, and what in the one before; null for nothing. */
    private volatile Generation young;
    private volatile Generation old;

    /**
     * Without any.
     *
     * @param lifetimeNs for how long a root is remembered at least; twice as long at most
     */
    public CancelledRoots(NanoClock clock, long lifetimeNs) {
        this.clock = clock;
        this.lifetimeNs = lifetimeNs;
    }

    /** Of a root nothing needs to begin any more. */
    void add(long root) {
        long nowNs = clock.nanoTime();
        Generation generation = young;
        if (generation == null || nowNs - generation.beganNs >= lifetimeNs) {
            generation = next(nowNs);
        }
        generation.roots.set(place(root), root);
    }

    /** Whether nothing of a root needs to begin. */
    boolean contains(long root) {
        Generation generation = young;
        return generation != null && (isIn(generation, root) || isIn(old, root));
    }

    /** Whether a root was cancelled in a generation, and not too long ago. */
    private boolean isIn(Generation generation, long root) {
        return generation != null && generation.has(root) && clock.nanoTime() - generation.beganNs < 2 * lifetimeNs;
    }

    private synchronized Generation next(long nowNs) {
        if (young == null || nowNs - young.beganNs >= lifetimeNs) {
            old = young;
            young = new Generation(new AtomicLongArray(PLACES), nowNs);
        }
        return young;
    }

    private static int place(long root) {
        return (int) ((root * GOLDEN) >>> SHIFT);
    }

    private record Generation(AtomicLongArray roots, long beganNs) {

        boolean has(long root) {
            return roots.get(place(root)) == root;
        }
    }
}
