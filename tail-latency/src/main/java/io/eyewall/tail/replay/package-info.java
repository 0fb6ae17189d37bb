/**
 * Adaptive timeout with selective replay: a spout's message that takes longer than nearly all others is sent once more, and the first
 * instance that is complete counts (Guangxiang Du, <em>New techniques to lower the tail latency in stream processing systems</em>,
 * University of Illinois, 2016, sections 3.1 and 4.1).
 *
 * <pre>
 *   user's spout ── emit ──► ReplayingSpout ── emit ──► Storm: a message of its own, with its own tree, for each instance
 *        ▲                    │  LateMessages: pending ones, oldest first ── AdaptiveTimeout, ReplayBudget
 *        └── one ack or fail ─┘ ◄── ack, fail of each instance
 *   the executor's loop ── every round ──► late messages are sent again
 * </pre>
 *
 * <p>{@link io.eyewall.tail.replay.AdaptiveTimeout} and {@link io.eyewall.tail.replay.ReplayBudget} decide,
 * {@link io.eyewall.tail.replay.ReplayConfiguration} has the settings, {@link io.eyewall.tail.replay.AdaptiveReplayFeature} joins it to a
 * worker.
 */
package io.eyewall.tail.replay;
