package io.eyewall.tail.clock;

import java.util.Optional;

/**
 * Estimates the offset of another clock from round trips, and bounds the error. Used by one thread.
 *
 * <p>A question leaves at t0, reaches the other side at t1, its answer leaves there at t2 and arrives here at t3; t1 and t2 are times of
 * the other clock. With delay d = (t3 - t0) - (t2 - t1), the offset is ((t1 - t0) + (t2 - t3)) / 2 and wrong by at most d / 2, whatever
 * the lengths of the two ways: F. Cristian, "Probabilistic clock synchronization", Distributed Computing 3 (1989), section 3, and
 * D. L. Mills, "Internet Time Synchronization: the Network Time Protocol", IEEE Transactions on Communications 39 (1991), section IV. As in
 * Mills's clock filter (RFC 5905, section 10) the sample with the smallest delay counts, after the error of each was increased by its age
 * times the rate at which the two clocks may drift apart.
 *
 * <p>For example t0 = 1,000, t1 = 5,040, t2 = 5,050, t3 = 1,110 gives d = 100 and the offset 3,990, wrong by 50 at most; a second later,
 * in nanoseconds, by 100,050.
 */
public final class ClockOffsetEstimator {

    /** The nanoseconds per second by which two undisciplined crystals, of 50 ppm each, drift apart at most. */
    public static final long DRIFT_NS_PER_SEC = 100_000;

    private static final int WINDOW = 64;
    private static final long SECOND_NS = 1_000_000_000L;

    /** A ring of the last samples: offset, half of the delay, and when the answer arrived. */
    private final long[] offsetsNs = new long[WINDOW];
    private final long[] errorsNs = new long[WINDOW];
    private final long[] heardNs = new long[WINDOW];
    private int next;
    private int size;

    /**
     * Adds a round trip. An impossible one (an answer before its question) is ignored. One that contradicts the others shows that the other
     * host has started again and has another clock; the others are then forgotten.
     *
     * @param t0 when the question left, on this clock
     * @param t1 when it arrived, on the other clock
     * @param t2 when the answer left, on the other clock
     * @param t3 when it arrived, on this clock
     */
    public void add(long t0, long t1, long t2, long t3) {
        long delayNs = t3 - t0 - (t2 - t1);
        if (t3 < t0 || t2 < t1 || delayNs < 0) {
            return;
        }
        long offsetNs = t2 - t3 + delayNs / 2;
        // Half a nanosecond is lost in each division, and the clocks drift apart during the round trip, too.
        long errorNs = delayNs / 2 + 1 + drift(t3 - t0);
        at(t3).filter(known -> Math.abs(known.offsetNs() - offsetNs) > known.errorBoundNs() + errorNs).ifPresent(other -> size = 0);
        offsetsNs[next] = offsetNs;
        errorsNs[next] = errorNs;
        heardNs[next] = t3;
        next = (next + 1) % WINDOW;
        size = Math.min(size + 1, WINDOW);
    }

    /** The offset and its error at {@code nowNs} of this clock; empty before the first round trip. */
    public Optional<ClockOffset> at(long nowNs) {
        ClockOffset best = null;
        for (int age = 1; age <= size; age++) {
            int sample = Math.floorMod(next - age, WINDOW);
            long errorNs = errorsNs[sample] + drift(nowNs - heardNs[sample]);
            if (best == null || errorNs < best.errorBoundNs()) {
                best = new ClockOffset(offsetsNs[sample], errorNs);
            }
        }
        return Optional.ofNullable(best);
    }

    private static long drift(long durationNs) {
        return durationNs / SECOND_NS * DRIFT_NS_PER_SEC + durationNs % SECOND_NS * DRIFT_NS_PER_SEC / SECOND_NS + 1;
    }
}
