/**
 * The offset of another host's clock from this host's, estimated from round trips of small UDP packets, with a bound on the error.
 *
 * <pre>
 *   this host    askedNs ─────────────────────────────────── heardNs
 *                      \                                   /
 *   the other           receivedNs ───────────── answeredNs
 * </pre>
 *
 * <p>{@link io.eyewall.tail.clock.ClockOffsetEstimator} estimates the offset from such times, {@link io.eyewall.tail.clock.ClockExchange}
 * decides when to ask the next question, {@link io.eyewall.tail.clock.ClockProbe} is the packet, and
 * {@link io.eyewall.tail.clock.ClockProber} is the socket.
 */
package io.eyewall.tail.clock;
