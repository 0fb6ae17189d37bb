/**
 * When messages are due, and what became of them: per-task counters and latency histograms, written once a second by a thread that is
 * not on the tuples' way.
 *
 * <pre>
 *   tuple thread                           flush thread (one per worker, daemon)
 *   count, record latency  --lock free--&gt;  &lt;component&gt;-&lt;taskId&gt;.csv   counters, one line per second
 *                                          &lt;component&gt;-&lt;taskId&gt;.hlog  histogram of each second
 * </pre>
 */
package io.eyewall.examples.measuring;
