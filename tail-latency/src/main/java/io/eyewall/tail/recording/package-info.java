/**
 * Records where the time of a tuple goes, in every worker, on the threads that the tuple passes through anyway.
 *
 * <pre>
 *  spout task            worker A                              worker B                     bolt task
 *  emit ─┬─ insert ──── receive queue ──────────────────────────────────────────────────── take ─ execute ─ ack
 *        │  EMIT_TO_ENQUEUE          RECEIVE_QUEUE_WAIT                                         EXECUTE
 *        └─ serialize ─ insert ─ transfer queue ─ take ──── network ──── read ─ deserialize ─ insert ─ …
 *           SERIALIZE   EMIT_TO_ENQUEUE  TRANSFER_QUEUE_WAIT  NETWORK         DESERIALIZE   EMIT_TO_ENQUEUE
 *
 *  emit at the spout .. executed: END_TO_END        due at the spout .. executed: DUE_TO_EXECUTED
 *  emit at the spout .. acked there: COMPLETE       emit of this hop .. acked by the receiver: EMIT_TO_ACK
 *  emit .. last offered again, where the queue was full: OVERFLOW
 * </pre>
 *
 * <p>{@link io.eyewall.tail.recording.LatencyStamp} travels with the tuple, {@link io.eyewall.tail.recording.StampWire} takes it to
 * another worker, and {@link io.eyewall.tail.recording.RecordingProbe} turns stamps into values of
 * {@link io.eyewall.tail.recording.HopRecorder}s. The idea of a histogram for every hop, and the choice of hops, are from the study of
 * Heron's latency by instrumentation with HdrHistogram. The stamps, and the sampling of whole tuple trees, are our own.
 */
package io.eyewall.tail.recording;
