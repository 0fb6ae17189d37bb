/**
 * What a topology is promised, and how far the promise is kept: service level objectives, utility functions and juice (Le Xu, Elastic
 * techniques to handle dynamism in real-time data processing systems, University of Illinois, 2021, chapter 3).
 *
 * <pre>
 *  TopologyRates --&gt; Juice --+
 *  latency, throughput ------+-- value of each SloMetric --&gt; attainment --&gt; UtilityFunction --&gt; utility
 *                      Slo --+   (threshold of each SloMetric, maximum utility)
 * </pre>
 */
package io.eyewall.elasticity.slo;
