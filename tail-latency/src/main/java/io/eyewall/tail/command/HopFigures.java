package io.eyewall.tail.command;

import java.util.stream.StreamSupport;
import org.HdrHistogram.Histogram;

/**
 * What was recorded of one hop. Immutable, as far as nobody changes the histogram.
 *
 * @param latencyNs the values, in nanoseconds
 * @param errorBoundNs by how much any of them may be wrong because it rests on the clocks of two hosts, in nanoseconds; 0 where it does not
 * @param dropped how many more there were that could not be recorded
 */
record HopFigures(Histogram latencyNs, long errorBoundNs, long dropped) {

    /** Whether the median may be wrong by more than it is. */
    boolean isUncertain() {
        return latencyNs.getTotalCount() > 0 && errorBoundNs > latencyNs.getValueAtPercentile(50);
    }

    /** Both together. */
    HopFigures plus(HopFigures other) {
        Histogram sum = latencyNs.copy();
        sum.setAutoResize(true);
        sum.add(other.latencyNs);
        return new HopFigures(sum, Math.max(errorBoundNs, other.errorBoundNs), dropped + other.dropped);
    }

    /** Whether these figures can be what {@code earlier} has become: nothing is missing that was there. */
    boolean continues(HopFigures earlier) {
        return dropped >= earlier.dropped && earlier.latencyNs.getMaxValue() <= latencyNs.getMaxValue() && StreamSupport
            .stream(earlier.latencyNs.recordedValues().spliterator(), false)
            .allMatch(value -> latencyNs.getCountAtValue(value.getValueIteratedTo()) >= value.getCountAtValueIteratedTo());
    }

    /** What was recorded since {@code earlier}, which these figures continue. */
    HopFigures since(HopFigures earlier) {
        Histogram difference = latencyNs.copy();
        difference.subtract(earlier.latencyNs);
        return new HopFigures(difference, errorBoundNs, dropped - earlier.dropped);
    }
}
