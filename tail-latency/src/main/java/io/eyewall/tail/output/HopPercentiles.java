package io.eyewall.tail.output;

import org.HdrHistogram.Histogram;

/**
 * The figures of one interval, in nanoseconds; all 0 if nothing was recorded.
 *
 * @param count the number of values
 * @param p50Ns the median
 * @param p90Ns the 90th percentile
 * @param p99Ns the 99th percentile
 * @param p999Ns the 99.9th percentile
 * @param maxNs the largest value
 */
record HopPercentiles(long count, long p50Ns, long p90Ns, long p99Ns, long p999Ns, long maxNs) {

    static final HopPercentiles NONE = new HopPercentiles(0, 0, 0, 0, 0, 0);

    static HopPercentiles of(Histogram histogram) {
        if (histogram.getTotalCount() == 0) {
            return NONE;
        }
        return new HopPercentiles(histogram.getTotalCount(), histogram.getValueAtPercentile(50), histogram.getValueAtPercentile(90),
            histogram.getValueAtPercentile(99), histogram.getValueAtPercentile(99.9), histogram.getMaxValue());
    }
}
