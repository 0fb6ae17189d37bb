package io.eyewall.tail.command;

import java.util.stream.StreamSupport;
import org.HdrHistogram.Histogram;

/**
 * The recorded figures of one hop. Immutable, if the histogram is not changed.
 *
 * @param latencyNs the values, in nanoseconds
 * @param errorBoundNs the largest error of a value from the clocks of two hosts, in nanoseconds; 0 if values depend on one clock
 * @param dropped the number of further values that could not be recorded
 */
record HopFigures(Histogram latencyNs, long errorBoundNs, long dropped) {

    /** Whether the error bound exceeds the median. */
    boolean isUncertain() {
        return latencyNs.getTotalCount() > 0 && errorBoundNs > latencyNs.getValueAtPercentile(50);
    }

    /** The figures of both, added up. */
    HopFigures plus(HopFigures other) {
        Histogram sum = latencyNs.copy();
        sum.setAutoResize(true);
        sum.add(other.latencyNs);
        return new HopFigures(sum, Math.max(errorBoundNs, other.errorBoundNs), dropped + other.dropped);
    }

    /** Whether these figures continue {@code earlier}, so that all values of {@code earlier} are among them. */
    boolean continues(HopFigures earlier) {
        return dropped >= earlier.dropped && earlier.latencyNs.getMaxValue() <= latencyNs.getMaxValue() && StreamSupport
            .stream(earlier.latencyNs.recordedValues().spliterator(), false)
            .allMatch(value -> latencyNs.getCountAtValue(value.getValueIteratedTo()) >= value.getCountAtValueIteratedTo());
    }

    /** The figures since {@code earlier}, which these continue. */
    HopFigures since(HopFigures earlier) {
        Histogram difference = latencyNs.copy();
        difference.subtract(earlier.latencyNs);
        return new HopFigures(difference, errorBoundNs, dropped - earlier.dropped);
    }
}
