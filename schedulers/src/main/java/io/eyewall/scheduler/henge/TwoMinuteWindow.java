package io.eyewall.scheduler.henge;

import java.util.Optional;
import java.util.function.Predicate;

/**
 * A window over a total that grows, such as a histogram since the start of a worker. It covers the last one to two minutes, and keeps two
 * earlier totals only. Not thread-safe.
 */
final class TwoMinuteWindow<T> {

    private static final long HALF_MS = 60_000;

    private T older;
    private T newer;
    private long newerMs;
    private boolean restarted;

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
        } else if (nowMs - newerMs >= HALF_MS) {
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
