package io.eyewall.tail.output;

import io.eyewall.tail.recording.HopKey;
import org.HdrHistogram.Histogram;

/**
 * Something that wants every interval of every hop. Called by one thread at a time: {@link #begin}, {@link #hop} for each hop, ordered by
 * component and then point, {@link #end}.
 */
interface IntervalOutput extends AutoCloseable {

    /** An interval is over; times are in milliseconds since the epoch. */
    void begin(long startMs, long endMs);

    /**
     * What a hop recorded in the interval, which may be nothing. The histogram is the caller's again afterwards.
     *
     * @param clockErrorNs by how much a value may be wrong because it rests on two hosts' clocks, in nanoseconds
     */
    void hop(HopKey key, Histogram interval, long clockErrorNs);

    /** That were all hops. */
    void end();

    /** No interval will follow. */
    @Override
    default void close() {
    }
}
