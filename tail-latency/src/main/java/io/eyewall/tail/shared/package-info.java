/**
 * Shared executor queues: the executors of a bolt in one worker take tuples from one queue, if any task of the bolt may execute them. So no
 * tuple waits behind a slow one while another executor is idle (Guangxiang Du, <em>New techniques to lower the tail latency in stream
 * processing systems</em>, University of Illinois, 2016, sections 3.2 and 4.2).
 *
 * <pre>
 *                      ┌─ tuples ──────────────────────────── SharedTuples ─┬─ whichever executor is free
 *   producers ─ SharingQueue of the executor addressed                      │
 *                      └─ ticks, flushes, metrics ─ its own JCQueue ────────┴─ that executor
 * </pre>
 *
 * <p>{@link io.eyewall.tail.shared.SharingBolts} decides, {@link io.eyewall.tail.shared.SharingConfiguration} has the setting,
 * {@link io.eyewall.tail.shared.SharedQueuesFeature} joins it to a worker.
 */
package io.eyewall.tail.shared;
