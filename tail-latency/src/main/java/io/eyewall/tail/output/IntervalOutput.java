package io.eyewall.tail.output;

import io.eyewall.tail.recording.HopKey;
import org.HdrHistogram.Histogram;

/**
 * An output that gets every interval of every hop. Called by one thread at a time: {@link #begin}, {@link #hop} for each hop, ordered by
 * component and then point, {@link #end}.
 */
interface IntervalOutput extends AutoCloseable {

    /** An interval is over; times are in milliseconds since the epoch. */
    void begin(long startMs, long endMs);

    /**
     * The values of a hop in the interval; there may be none. The histogram may only be used during the call.
     *
     * @param clockErrorNs the largest error of a value from the clocks of two hosts, in nanoseconds
     */
    void hop(HopKey key, Histogram interval, long clockErrorNs);

    /** The interval has no more hops. */
    void end();

    /** No interval will follow. */
    @Override
    default void close() {
    }
}
