/**
 * How the clock of another host stands to this one's, estimated from round trips of small UDP packets, with a bound on the error.
 *
 * <pre>
 *   this host    askedNs ─────────────────────────────────── heardNs
 *                      \                                   /
 *   the other           receivedNs ───────────── answeredNs
 * </pre>
 *
 * <p>{@link io.eyewall.tail.clock.ClockOffsetEstimator} decides from such four times, {@link io.eyewall.tail.clock.ClockPeer} says when to
 * ask whom, {@link io.eyewall.tail.clock.ClockProbe} is what travels, and {@link io.eyewall.tail.clock.ClockProber} is the socket.
 */
package io.eyewall.tail.clock;
