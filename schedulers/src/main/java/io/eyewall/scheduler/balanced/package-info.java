/**
 * The scheduler that goes with latency-based load balancing: it has the topologies that say nothing of it balanced, and moves what stays
 * slow with hardly any traffic to another machine.
 *
 * <pre>
 *   a topology is submitted ── BalancedByDefault: topology.latency.balancing ──► its configuration, which workers read
 *   heartbeats ── MoveCoordinator, StragglerPlanner ── a move ──► LatencyBalancedScheduler.schedule ──► the assignment
 * </pre>
 */
package io.eyewall.scheduler.balanced;
