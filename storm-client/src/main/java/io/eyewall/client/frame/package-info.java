/**
 * Frames, in which tuples go from worker to worker: many tuples behind one another in one buffer, each with a head of a few bytes.
 *
 * <pre>
 *  executor's thread                                  thread that receives
 *  tuple ─ FrameWriter ─ OpenFrame ─ Frame ─ bytes ─ FrameReader ─ tuples
 *             └ ValueWriter   └ FramePool                └ ValueReader
 * </pre>
 *
 * <p>{@link io.eyewall.client.frame.FrameFormat} has the format; {@code design/006} in the repository has the reasons.
 */
package io.eyewall.client.frame;
