/**
 * Frames, in which tuples go from worker to worker: many tuples behind one another in one buffer, each with a head of a few bytes.
 *
 * <pre>
 *  threads that emit            sending thread                               thread of the network
 *  tuple ─ FrameWriter ─ FrameLane ─ OutgoingFrames ─ FrameMessage ─ bytes ─ FramedMessages ─ FrameReader ─ tuples
 *             └ ValueWriter   └ OpenFrame, FramePool     └ FrameGate                             └ ValueReader
 * </pre>
 *
 * <p>{@link io.eyewall.client.frame.FrameFormat} has the format; {@code design/006} in the repository has the reasons.
 */
package io.eyewall.client.frame;
