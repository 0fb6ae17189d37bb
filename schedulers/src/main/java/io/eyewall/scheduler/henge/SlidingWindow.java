package io.eyewall.scheduler.henge;

import java.util.Optional;
import java.util.function.Predicate;

/**
 * A window over a total that grows, such as a histogram since the start of a worker. It covers between half of its length
 * and all of it, once it is as long as that, and keeps two earlier totals only. Not thread-safe.
 */
final class SlidingWindow<T> {

    /** The length of the window over what topologies report. */
    static final long TWO_MINUTES_MS = 120_000;

    private final long halfMs;
    private T older;
    private T newer;
    private long newerMs;
    private boolean restarted;

    SlidingWindow(long lengthMs) {
        halfMs = lengthMs / 2;
    }

    /**
     * The total at the beginning of the window.
     *
     * @param total the present total
     * @param nowMs the time, in milliseconds
     * @param isContinued whether the present total continues an earlier one, that is, was not reset since
     * @return empty if the total was reset within the window, so that all of it belongs to the window; the present total at first
     */
    Optional<T> baseline(T total, long nowMs, Predicate<T> isContinued) {
        if (newer == null) {
            older = total;
            newer = total;
            newerMs = nowMs;
        } else if (!isContinued.test(newer) || (!restarted && !isContinued.test(older))) {
            restarted = true;
            newer = total;
            newerMs = nowMs;
            return Optional.empty();
        } else if (nowMs - newerMs >= halfMs) {
            Optional<T> baseline = restarted ? Optional.empty() : Optional.of(older);
            older = newer;
            newer = total;
            newerMs = nowMs;
            restarted = false;
            return baseline;
        }
        return restarted ? Optional.empty() : Optional.of(older);
    }
}
