package io.eyewall.client.ring;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The rings that bring messages to this process. A thread that has nothing to do may watch them for a moment before it waits: what comes
 * meanwhile wakes nobody. To watch for about as long as wake-ups cost takes at most twice the CPU time of the better choice between
 * watching and waiting (A. Karlin and others, <i>Empirical studies of competitive spinning for a shared-memory multiprocessor</i>, SOSP
 * 1991). A watch lasts for four times as long as it usually takes until a message comes, and at most for {@value #LONGEST_US} us: a tuple
 * that comes back wakes two threads of the other worker.
 *
 * <p>Rings are watched only after this process has written to another one or got something, since an answer may be under way, and seldom
 * where hardly a fourth of the watches brings one. Any thread may add, remove and expect; one at a time watches.
 */
public final class WatchedRings {

    private static final WatchedRings OF_PROCESS = new WatchedRings();
    /** Where too few watches bring something, so many chances are left out before the next one. */
    private static final int LEFT_OUT = 15;
    private static final double ENOUGH = 0.25;
    /** The number of watches that an average covers, roughly. */
    private static final int WATCHES = 16;
    private static final int LONGEST_US = 120;
    private static final long LONGEST_NS = TimeUnit.MICROSECONDS.toNanos(LONGEST_US);
    private static final long SHORTEST_NS = TimeUnit.MICROSECONDS.toNanos(10);
    private static final int TIMES_AS_LONG = 4;

    private final List<Ring> rings = new CopyOnWriteArrayList<>();
    private final AtomicBoolean watched = new AtomicBoolean();
    /** Whether an answer may be under way. Written by any thread. */
    private volatile boolean expected;
    // For the thread that watches.
    private final List<Ring> begun = new ArrayList<>();
    /** Which part of the watches brings messages, and how long it takes until they come, on average. */
    private double successes = 2 * ENOUGH;
    private long usuallyNs = LONGEST_NS / TIMES_AS_LONG;
    private int leftOut;
    private long sinceNs;
    private long untilNs;

    /** A ring that one thread at a time reads. */
    public interface Ring {

        /** Has the calling thread read the ring from now on, in place of the thread that its writer wakes; returns whether it does. */
        boolean tryBegin();

        /** Hands over the messages that are there; returns whether there were any. Throws nothing, nor do the other methods. */
        boolean read();

        /** Gives the ring back. Its writer wakes the other thread from now on. */
        void end();
    }

    /** The rings of this process. */
    public static WatchedRings ofProcess() {
        return OF_PROCESS;
    }

    /** Adds a ring. */
    public void add(Ring ring) {
        rings.add(ring);
    }

    /** Removes a ring; one that is not there does no harm. */
    public void remove(Ring ring) {
        rings.remove(ring);
    }

    /** Whether there are none. */
    public boolean isEmpty() {
        return rings.isEmpty();
    }

    /** Says that an answer to what was just written may come. */
    public void expect() {
        if (!expected) { // Other threads read it.
            expected = true;
        }
    }

    /**
     * Begins to watch if that is worth it; returns whether it does. Then the calling thread must {@link #read} until something came or the
     * watch {@link #isOver}, and {@link #end} it.
     */
    public boolean tryBegin(long nowNs) {
        if (!expected || rings.isEmpty() || !watched.compareAndSet(false, true)) {
            return false;
        }
        expected = false;
        if (leftOut > 0) {
            leftOut--;
        } else {
            for (Ring ring : rings) {
                if (ring.tryBegin()) {
                    begun.add(ring);
                }
            }
        }
        if (begun.isEmpty()) {
            watched.set(false);
            return false;
        }
        sinceNs = nowNs;
        long enoughNs = successes < ENOUGH ? LONGEST_NS : TIMES_AS_LONG * usuallyNs;
        untilNs = nowNs + Math.max(SHORTEST_NS, Math.min(enoughNs, LONGEST_NS));
        return true;
    }

    /** Whether it has lasted long enough. */
    public boolean isOver(long nowNs) {
        return nowNs - untilNs >= 0;
    }

    /** Hands over the messages of the first ring that has any; returns whether there were any. */
    public boolean read() {
        for (int i = 0; i < begun.size(); i++) { // Called again and again: without an iterator.
            if (begun.get(i).read()) {
                return true;
            }
        }
        return false;
    }

    /** Ends the watch, in which messages came or not. */
    public void end(long nowNs, boolean came) {
        begun.forEach(Ring::end);
        begun.clear();
        if (came) {
            usuallyNs += (nowNs - sinceNs - usuallyNs) / WATCHES;
            expected = true;
        }
        successes += ((came ? 1 : 0) - successes) / WATCHES;
        leftOut = successes < ENOUGH ? LEFT_OUT : 0;
        watched.set(false);
    }
}
