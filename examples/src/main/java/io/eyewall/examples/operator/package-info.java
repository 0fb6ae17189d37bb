/**
 * The spout and the bolts that the topologies are made of.
 *
 * <p>Every tuple between operators ends with the field {@code dueNs}: the time, in {@link io.eyewall.examples.measuring.Clock#nanoTime},
 * at which the spout's message was due, or {@link io.eyewall.examples.operator.MessageSource#NOT_MEASURED}. Sinks subtract it from their
 * own time. The streams of text are {@code text, sequence, dueNs}, where {@code sequence} is the message's number in the whole topology,
 * the same each time the message is emitted.
 *
 * <pre>
 *   MessageSource (what)  + Pace (when)  -&gt;  PacedSpout  -&gt;  FunctionBolt*  -&gt;  SinkBolt
 *                                              ^  ack, fail: the message id is the message, and is emitted again
 * </pre>
 */
package io.eyewall.examples.operator;
