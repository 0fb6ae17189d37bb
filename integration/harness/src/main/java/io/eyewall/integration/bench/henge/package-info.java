/**
 * Measures how well topologies meet their service levels while something changes: {@code storm bench henge/...}.
 *
 * <pre>
 *   UtilityOptions: a UtilityScenario
 *     --&gt; UtilityBench: each round and side on a UtilityStage --&gt; UtilityRun (a piece at a time)
 *           \--&gt; UtilityResults: table of UtilityFigures, CSV, plots
 * </pre>
 */
package io.eyewall.integration.bench.henge;
