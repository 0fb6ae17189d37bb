package io.eyewall.client.acking;

import io.eyewall.client.time.NanoClock;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * The trees of one worker that need not go on, since another instance of their message is complete. Executors drop those of their tuples
 * that they have not begun. A feature whose messages have several instances creates this object before {@link LedgerAckingFeature} joins.
 *
 * <p>The set is only a hint. A root is forgotten when another one takes its place in the table, and after a while, so that a root id that a
 * spout uses again much later counts as new. No other root is ever reported as cancelled. Safe for use by any thread. A look-up takes two
 * reads, or one while nothing is cancelled.
 */
public final class CancelledRoots {

    private static final int PLACES = 1 << 13;
    private static final long GOLDEN = 0x9E37_79B9_7F4A_7C15L;
    private static final int SHIFT = Long.SIZE - Integer.numberOfTrailingZeros(PLACES);

    private final NanoClock clock;
    private final long lifetimeNs;
    /** The roots that were cancelled in the current lifetime, and in the one before; null for none. */
    private volatile Generation young;
    private volatile Generation old;

    /**
     * Without any root.
     *
     * @param lifetimeNs the time for which a root is remembered at least; at most twice as long
     */
    public CancelledRoots(NanoClock clock, long lifetimeNs) {
        this.clock = clock;
        this.lifetimeNs = lifetimeNs;
    }

    /** Cancels a root: no more of its tuples need to begin. */
    void add(long root) {
        long nowNs = clock.nanoTime();
        Generation generation = young;
        if (generation == null || nowNs - generation.beganNs >= lifetimeNs) {
            generation = next(nowNs);
        }
        generation.roots.set(place(root), root);
    }

    /** Whether a root is cancelled. */
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
