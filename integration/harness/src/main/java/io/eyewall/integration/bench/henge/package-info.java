/**
 * Measures how well topologies meet their service levels while their load changes: {@code storm bench henge/...}.
 *
 * <pre>
 *   DiurnalRates (files of rates) --&gt; DiurnalBench: each round and side --&gt; UtilityRun (ten seconds at a time)
 *                                                  \--&gt; UtilityResults: table, CSV, plots
 * </pre>
 */
package io.eyewall.integration.bench.henge;
