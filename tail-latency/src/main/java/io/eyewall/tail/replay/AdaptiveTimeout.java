package io.eyewall.tail.replay;

import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/**
 * Decides after which time a message is late: Algorithm 1 of Guangxiang Du, <em>New techniques to lower the tail latency in stream
 * processing systems</em> (University of Illinois, 2016), section 3.1. The longer the tail of the last period, the shorter the timeout:
 * <ul>
 * <li>p90 if p99 is more than twice p90,</li>
 * <li>else p95 if p99.9 is more than twice p95,</li>
 * <li>else p99.9.</li>
 * </ul>
 * With p90 to p99.9 of 9.3, 20, 128 and 599 ms it is 9.3 ms; with 10, 12, 15 and 18 ms it is 18 ms. A period with too few messages is
 * extended.
 *
 * <p>It departs from the algorithm in one respect: no more messages may be late than may be sent again, since the first late messages would
 * use up the budget for the latest ones. If 5 % may be sent again, the timeout is never below p95, 20 ms with the first figures; from 10 %
 * on it is the algorithm's own.
 *
 * <p>Used by one thread.
 */
final class AdaptiveTimeout {

    /** The timeout before enough messages are complete: no message is late. */
    static final long NONE_NS = Long.MAX_VALUE;

    private static final long LONGEST_NS = TimeUnit.HOURS.toNanos(1);
    private static final int DIGITS = 2;
    private static final int LONG_TAIL = 2;
    private static final int WHOLE = 100;

    private final int samples;
    private final int percent;
    private final long minNs;
    private final long maxNs;
    private final Histogram latenciesNs = new Histogram(LONGEST_NS, DIGITS);
    private long timeoutNs = NONE_NS;

    /**
     * Begins without messages.
     *
     * @param samples the number of messages that a choice needs
     * @param percent the share of messages that may be late, in per cent
     * @param minNs the lower limit of the timeout
     * @param maxNs the upper limit of the timeout
     */
    AdaptiveTimeout(int samples, int percent, long minNs, long maxNs) {
        this.samples = samples;
        this.percent = percent;
        this.minNs = minNs;
        this.maxNs = maxNs;
    }

    /** Records the latency of a complete message. */
    void completed(long latencyNs) {
        latenciesNs.recordValue(Math.min(Math.max(0, latencyNs), LONGEST_NS));
    }

    /** Ends a period and chooses the timeout of the next one; with too few messages it does nothing and returns false. */
    boolean endPeriod() {
        if (latenciesNs.getTotalCount() < samples) {
            return false;
        }
        long chosenNs = choose(percentile(90), percentile(95), percentile(99), percentile(99.9));
        timeoutNs = Math.max(minNs, Math.min(maxNs, Math.max(chosenNs, percentile(WHOLE - percent))));
        latenciesNs.reset();
        return true;
    }

    /** The time after which a message is late, in ns. */
    long timeoutNs() {
        return timeoutNs;
    }

    /** The algorithm's choice among percentiles in any unit. */
    static long choose(long p90, long p95, long p99, long p999) {
        if (p99 > LONG_TAIL * p90) {
            return p90;
        }
        return p999 > LONG_TAIL * p95 ? p95 : p999;
    }

    private long percentile(double percent) {
        return latenciesNs.getValueAtPercentile(percent);
    }
}
