/**
 * The schedule of messages, and the measurement of what happens to them: counters and latency histograms of each task, which a separate
 * thread writes four times a second.
 *
 * <pre>
 *   tuple thread                           flush thread (one per worker, daemon)
 *   count, record latency  --lock free--&gt;  &lt;component&gt;-&lt;taskId&gt;.csv   counters, one line per flush
 *                                          &lt;component&gt;-&lt;taskId&gt;.hlog  histogram of the latencies since the last flush
 * </pre>
 */
package io.eyewall.examples.measuring;
