package io.eyewall.client.deadline;

import java.util.concurrent.TimeUnit;

/**
 * Until when the tuples of one task's event-time windows may wait. After Xu, section 5.4. The progress of
 * the stream is the latest time of a tuple. TRANSFORM takes a tuple of the progress p to the end of its window, {@code (p div slide + 1) *
 * slide}. Storm has the window fire when the watermark, which is the progress minus the lag, has reached that. PROGRESSMAP takes the
 * progress at which it fires to the worker's time by a linear fit over the last pairs of a progress and of the time at which it was seen.
 *
 * <p>A pair is taken when a tuple arrives, not when it is executed: a held tuple would lengthen the next hold. A tuple that makes a window
 * fire is not held, nor is what arrives after it until it is executed. So a wrong fit costs order by deadline, and delays no
 * result. Nothing waits for longer than a slide after the last window was over, in the worker's time, minus an eighth that is left for
 * executing what waits. A stream that stands still for a slide, or jumps by one, begins anew.
 *
 * <p>Worked example, with a slide of 8 s and a lag of 2 s: a tuple of the time 802 s is executed at 10 s, and the watermark is 800 s. The
 * next window fires when the progress is 810 s. Tuples of the times 804 and 806 s arrived at 12 and 14 s. By the fit, 810 s arrives at 18
 * s, and tuples may wait until 18 - (18 - 10) / 8 = 17 s.
 */
final class WindowProgress {

    /** This part of a window is left for executing what waits. */
    private static final int SMALL_PART = 8;
    /** As many pairs are kept, and as many are taken in a window at most. */
    private static final int PAIRS = 16;
    private static final long NOTHING_KNOWN = 0;

    private final long slideMs;
    private final long slideNs;
    private final long lagMs;
    private final long stepMs;
    /** Below this progress there is nothing to learn. This and the next two are written under the lock of this object. */
    private volatile long newsMs = Long.MIN_VALUE;
    /** A tuple of that progress has the next window fire. Written before {@link #untilNs}. */
    private volatile long firesMs = Long.MIN_VALUE;
    /** Until when tuples may wait; in the past if they may not. */
    private volatile long untilNs = NOTHING_KNOWN;
    /** The last pairs, when the last window was over, and the latest time of a tuple. Guarded by this object, like what follows. */
    private final long[] progressMs = new long[PAIRS];
    private final long[] seenNs = new long[PAIRS];
    private int pairs;
    /** The index of the last pair. */
    private int last;
    private long overNs;
    private long latestMs = Long.MIN_VALUE;

    /**
     * Windows of the tuples' own times.
     *
     * @param slideMs the time between two windows, at least 1
     * @param lagMs by how much a tuple may be older than the latest one
     */
    WindowProgress(long slideMs, long lagMs) {
        this.slideMs = slideMs;
        this.lagMs = lagMs;
        slideNs = TimeUnit.MILLISECONDS.toNanos(slideMs);
        stepMs = Math.max(1, slideMs / PAIRS);
    }

    /** Whether the arrival of a tuple of that time must be {@linkplain #arrives reported}. For any thread. */
    boolean isNews(long tupleMs) {
        return tupleMs >= newsMs;
    }

    /** A tuple of that time has arrived. For any thread. */
    synchronized void arrives(long tupleMs, long nowNs) {
        latestMs = Math.max(latestMs, tupleMs);
        if (pairs == 0 || tupleMs - progressMs[last] >= stepMs) {
            boolean anew = pairs > 0 && (tupleMs - progressMs[last] > slideMs || nowNs - seenNs[last] > slideNs);
            pairs = anew ? 1 : Math.min(pairs + 1, PAIRS);
            last = (last + 1) % PAIRS;
            progressMs[last] = tupleMs;
            seenNs[last] = nowNs;
        }
        update();
    }

    /** Whether a tuple of that time has a window fire, which must be {@linkplain #passes reported}. For any thread. */
    boolean isOver(long tupleMs) {
        return tupleMs >= firesMs;
    }

    /** A tuple that has a window fire is executed. For the task's thread. */
    synchronized void passes(long tupleMs, long nowNs) {
        latestMs = Math.max(latestMs, tupleMs);
        firesMs = (Math.floorDiv(tupleMs - lagMs, slideMs) + 1) * slideMs + lagMs;
        overNs = nowNs;
        update();
    }

    /** Until when a tuple with that deadline may wait: until its window is nearly over, or until its deadline if that is later. */
    long untilNs(long deadlineNs) {
        return Math.max(deadlineNs, untilNs);
    }

    private void update() {
        boolean fires = latestMs >= firesMs;
        newsMs = fires || pairs == 0 ? latestMs + 1 : Math.min(progressMs[last] + stepMs, firesMs);
        if (fires || pairs < 2) {
            untilNs = NOTHING_KNOWN;
        } else {
            long windowNs = Math.min(fitNs() - overNs, slideNs);
            untilNs = overNs + windowNs - windowNs / SMALL_PART;
        }
    }

    /** When a tuple arrives that has the next window fire: the line with the least squares, from the last pair on. */
    private long fitNs() {
        double meanMs = 0;
        double meanNs = 0;
        for (int i = 0; i < pairs; i++) {
            meanMs += (double) (progressMs[before(i)] - progressMs[last]) / pairs;
            meanNs += (double) (seenNs[before(i)] - seenNs[last]) / pairs;
        }
        double both = 0;
        double squares = 0;
        for (int i = 0; i < pairs; i++) {
            double ms = (double) (progressMs[before(i)] - progressMs[last]) - meanMs;
            both += ms * ((double) (seenNs[before(i)] - seenNs[last]) - meanNs);
            squares += ms * ms;
        }
        double leftNs = meanNs + both / squares * ((double) (firesMs - progressMs[last]) - meanMs);
        return seenNs[last] + (long) Math.min(leftNs, (double) slideNs);
    }

    /** The index of the pair so many before the last one. */
    private int before(int count) {
        return Math.floorMod(last - count, PAIRS);
    }
}
