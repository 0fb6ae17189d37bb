/**
 * When messages are due, and what became of them: per-task counters and latency histograms, written four times a second by a thread
 * that is not on the tuples' way.
 *
 * <pre>
 *   tuple thread                           flush thread (one per worker, daemon)
 *   count, record latency  --lock free--&gt;  &lt;component&gt;-&lt;taskId&gt;.csv   counters, a line each time
 *                                          &lt;component&gt;-&lt;taskId&gt;.hlog  histogram of what came since
 * </pre>
 */
package io.eyewall.examples.measuring;
