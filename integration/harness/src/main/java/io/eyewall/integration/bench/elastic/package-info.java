/**
 * Measures the costs and benefits of changing a running topology: {@code storm bench elastic/...}.
 *
 * <pre>
 *   ElasticBench: an ElasticScenario --each round and ElasticSide--&gt; ElasticRun (a second at a time)
 *                \--&gt; ElasticResults: table, CSV, plots
 * </pre>
 */
package io.eyewall.integration.bench.elastic;
