package io.eyewall.tail.clock;

/**
 * How another clock stands to this one.
 *
 * @param offsetNs the other clock minus this one, in nanoseconds
 * @param errorBoundNs by how much the offset may be wrong, in nanoseconds
 */
public record ClockOffset(long offsetNs, long errorBoundNs) {
}
