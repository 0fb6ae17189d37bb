/**
 * Puts latency recording together: {@link io.eyewall.tail.recording} records on the way of tuples,
 * {@link io.eyewall.tail.output} reports what was recorded.
 */
package io.eyewall.tail;
