/**
 * Measures running topologies and decides how they grow and shrink. Pure Java: nothing here knows Storm's classes, reads a clock or does
 * I/O.
 *
 * <pre>
 *  heartbeats                                  request: OUT or IN, by how many machines
 *      |                                                    |
 *      v                                                    v
 *  StatisticServer --rates--&gt; ClusterSnapshot ---&gt; ScalingPlanner ---&gt; ScalingPlan
 *  (window of 20 x 10 s)             ^              one per ScalingStrategy:      counts, slots,
 *                                    |              StelaPlanner  (ETP)           order chosen, why,
 *  machines, assignments --&gt; GlobalState            Ds2Planner                    throughput predicted
 *                                                   MigrationPlanner
 *
 *  within a planner:   PlanDraft = Loads (rates as arrays; congestion; projection)
 *                                + PlacementDraft (executors to slots)
 *                                + ThroughputModel (prediction)
 *  scale-in, all:      MachineRemoval
 * </pre>
 */
package io.eyewall.elasticity;
