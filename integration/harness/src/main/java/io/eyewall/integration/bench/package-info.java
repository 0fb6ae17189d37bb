/**
 * Two installations, or two configurations, side by side: the same topology on real worker processes, in turns, within one run.
 *
 * <pre>
 *   BenchCommand --&gt; BenchOptions (scenarios, sides A and B)
 *        |
 *        `--&gt; Interleaving  A B | B A | A B   --each--&gt; TopologyRuns (ClusterRuns: submit, warm up, measure, kill) --&gt; RunResult
 *                  |
 *                  `--&gt; Comparison --&gt; ComparisonTable (terminal, Markdown), ResultFiles (.hlog, CSV, plot)
 * </pre>
 *
 * <p>Figures of different runs of the command are not comparable; the ratio of the two sides within one run is.
 */
package io.eyewall.integration.bench;
