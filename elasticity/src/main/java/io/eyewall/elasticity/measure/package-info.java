/**
 * Turns the counters in heartbeats into rates, and joins these with the state of the cluster to the snapshot that planners work on.
 *
 * <pre>
 *  heartbeats -- ExecutorCounters --&gt; RateMeter (one CounterWindow per executor) --&gt; TopologyRates
 *                                                                                       |
 *  machines, placements --&gt; ClusterState ------------------------------------------------+--&gt; ClusterSnapshot
 * </pre>
 */
package io.eyewall.elasticity.measure;
