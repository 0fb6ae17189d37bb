package io.eyewall.tail.clock;

/**
 * The offset of another clock from this one.
 *
 * @param offsetNs the time of the other clock minus that of this one, in nanoseconds
 * @param errorBoundNs the largest error of the offset, in nanoseconds
 */
public record ClockOffset(long offsetNs, long errorBoundNs) {
}
