/**
 * The scheduler for latency-based load balancing. It turns balancing on for topologies that do not configure it, and moves stragglers to
 * other machines: executors that stay slow with hardly any traffic.
 *
 * <pre>
 *   submission ── BalancedByDefault: topology.latency.balancing ──► the topology's configuration, which workers read
 *   heartbeats ── MoveCoordinator, StragglerPlanner ── move ──► LatencyBalancedScheduler.schedule ──► assignment
 * </pre>
 */
package io.eyewall.scheduler.balanced;
