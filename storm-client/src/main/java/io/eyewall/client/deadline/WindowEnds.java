package io.eyewall.client.deadline;

/**
 * Until when the tuples of one executor's windows may wait: a result is due only when the window ends that a tuple contributes to. After
 * Xu, section 5.4: PROGRESSMAP takes the progress of a stream to a time by a running linear fit, and TRANSFORM takes a tuple to the end of
 * its window.
 *
 * <p>The progress here is the number of the window, since that is what a result waits for. This class is for processing-time windows, and
 * event-time ones whose times only the task's thread may read; see {@link WindowProgress} for others. The fit is the time at which the last
 * window fired, and the time between two. It errs to the early side: a window that comes sooner shortens it at once, and it lengthens
 * slowly, up to the windows' slide. Where a window does not fire in its time or comes much sooner, nothing is known until the next one, and
 * tuples have the deadline of their message. This is always so where windows fire eight times as often as their slide says, as in a
 * stream that is replayed fast.
 *
 * <p>Worked example, with a slide of 8 s: windows fired at 100 s and at 108 s. Until the next one, tuples may wait until 108 + 8 - 1 = 115
 * s, where 1 s is the eighth of a window that is left for executing them.
 */
final class WindowEnds {

    /** What comes within this part of a window after the last sign of one belongs to it. This part is left for executing what waits. */
    private static final int SMALL_PART = 8;
    /** By this part the time between two windows grows with each window, unless one comes sooner. */
    private static final int GROWTH = 16;
    /** A window that is sooner than that by this part is much sooner. */
    private static final int MUCH = 4;
    private static final long NOTHING_KNOWN = 0;

    private final long slideNs;
    /** Until when tuples may wait; in the past if the window is over. Written under the lock of this object. */
    private volatile long untilNs = NOTHING_KNOWN;
    /** Whether a window has fired, when the last one began to, the last sign of it, and the time between two. Guarded by this object. */
    private boolean hasFired;
    private long firedNs;
    private long seenNs;
    private long betweenNs;

    /** Windows that end as often as that, or more often; in nanoseconds. */
    WindowEnds(long slideNs) {
        this.slideNs = slideNs;
        betweenNs = slideNs;
    }

    /**
     * A window fires, or goes on to. For any thread.
     *
     * @return the time at which it began to
     */
    synchronized long fires(long nowNs) {
        long sinceNs = nowNs - seenNs;
        seenNs = nowNs;
        if (hasFired) {
            if (sinceNs < betweenNs / SMALL_PART) {
                return firedNs;
            }
            boolean known = sinceNs >= betweenNs - betweenNs / MUCH;
            betweenNs = Math.min(Math.min(sinceNs, slideNs), betweenNs + betweenNs / GROWTH);
            untilNs = known ? nowNs + betweenNs - betweenNs / SMALL_PART : NOTHING_KNOWN;
        }
        hasFired = true;
        firedNs = nowNs;
        return nowNs;
    }

    /** Until when a tuple with that deadline may wait: until its window is nearly over, or until its deadline if that is later. */
    long untilNs(long deadlineNs) {
        return Math.max(deadlineNs, untilNs);
    }
}
