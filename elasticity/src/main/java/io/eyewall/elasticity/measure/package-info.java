/**
 * Turns the counters in heartbeats into rates, and adds these to the state of the cluster: the snapshot that planners work on.
 *
 * <pre>
 *  heartbeats -- ExecutorCounters --&gt; StatisticServer (one CounterWindow per executor) --&gt; TopologyRates
 *                                                                                             |
 *  machines, placements --&gt; GlobalState ------------------------------------------------------+--&gt; ClusterSnapshot
 * </pre>
 */
package io.eyewall.elasticity.measure;
