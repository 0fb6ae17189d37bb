/**
 * Applies what {@code elasticity} decides to a running cluster, as a scheduler within Nimbus.
 *
 * <pre>
 *  storm scale ──order──▶ blob store ◀──reads, answers── ScalingCoordinator (a thread of its own) ◀── heartbeats
 *       │                                                   │  plans, remembers the PreparedScaling
 *       └──ordinary rebalance: new counts──▶ Nimbus ──▶ ElasticityScheduler.schedule
 *                                                           ├ a prepared scaling fits: places its executors, commits
 *                                                           └ anything else: as Storm's DefaultScheduler
 * </pre>
 *
 * A plan changes nothing. Only the rebalance does, which the caller sends with rights of his own, and whose assignment goes the way of
 * every other assignment.
 */
package io.eyewall.scheduler.scaling;
