/**
 * {@code storm bench}: compares two installations, or several configurations. The same topology runs on real worker processes, the sides in
 * turns, within one run of the command.
 *
 * <pre>
 *   BenchCommand --&gt; BenchOptions (scenarios, sides A and B)
 *        |
 *        `--&gt; Interleaving  A B | B A | A B   --each--&gt; TopologyRuns (ClusterRuns: submit, warm up, measure, kill) --&gt; RunResult
 *                  |
 *                  `--&gt; Comparison, ResultFiles --&gt; data.Measurements, page.MeasurementTable
 * </pre>
 *
 * <p>Figures of different runs of the command cannot be compared; the ratio of two sides within one run can.
 */
package io.eyewall.integration.bench;
