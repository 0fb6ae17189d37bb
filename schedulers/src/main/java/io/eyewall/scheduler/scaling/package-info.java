/**
 * A scheduler within Nimbus that grows and shrinks running topologies as the planners of {@code elasticity} decide.
 *
 * <pre>
 *  storm scale ──request──▶ blob store ◀──reads, responds── ScalingCoordinator (on the scheduler's thread) ◀── heartbeats
 *       │                                                      │  plans, keeps the PreparedScaling
 *       └──ordinary rebalance: new numbers──▶ Nimbus ──▶ ElasticityScheduler.schedule
 *                                                              ├ a prepared scaling fits: places its executors, commits
 *                                                              └ else: as Storm's DefaultScheduler
 * </pre>
 *
 * A plan alone changes nothing. The rebalance applies it: the client sends the rebalance with its own credentials, and the assignment that
 * results is handled like any other.
 */
package io.eyewall.scheduler.scaling;
