/**
 * Latency-based load balancing: shuffle groupings that send less to the tasks that keep tuples longer.
 *
 * <pre>
 *   LatencySampler: queue wait + execution of this worker's tasks
 *        │ every period (WorkerBalancing)
 *        ├── LoadReportingReceiver ── the connections by which other workers send here ── their WorkerBalancing
 *        └── TrafficShares, one for each executor and subscriber ── TaskRing ── WeightedShuffle chooses tasks
 * </pre>
 *
 * <p>{@link io.eyewall.tail.balance.TrafficShares} decides, {@link io.eyewall.client.settings.tail.BalancingConfiguration} has the
 * settings, {@link io.eyewall.tail.balance.LatencyBalancingFeature} joins it to a worker.
 */
package io.eyewall.tail.balance;
