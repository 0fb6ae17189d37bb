/**
 * The spout and the bolts of the topologies.
 *
 * <p>Every tuple between operators ends with the field {@code dueNs}: the time, in {@link io.eyewall.examples.measuring.Clock#nanoTime},
 * at which the spout's message was due, or {@link io.eyewall.examples.operator.MessageSource#NOT_MEASURED}. Sinks subtract it from their
 * own time. Streams of text have the fields {@code text, sequence, dueNs}, where {@code sequence} is the number of the message in the whole
 * topology. A message keeps its number when it is emitted again.
 *
 * <pre>
 *   MessageSource (what) + EmitSchedule (when)  -&gt;  PacedSpout  -&gt;  FunctionBolt*  -&gt;  SinkBolt
 *                                                     ^  ack, fail: the message id is the SpoutMessage
 * </pre>
 */
package io.eyewall.examples.operator;
