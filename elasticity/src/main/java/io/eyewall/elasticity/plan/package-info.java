/**
 * Decides, from a snapshot, how a topology grows or shrinks, and which executor moves away from a machine on which it is slow.
 *
 * <pre>
 *  ClusterSnapshot --+--&gt; ScalingPlanner --&gt; ScalingPlan      for each ScalingStrategy: StelaPlanner, Ds2Planner
 *  ScalingGoal     --+                                         or MigrationPlanner
 *
 *  within a scaling planner:   PlanDraft = OperatorLoads (rates as arrays; congestion; projection)
 *                                        + PlacementDraft (executors to slots)
 *                                        + ThroughputModel (prediction)
 *  scale-in, all of them:      MachineRemoval
 *
 *  ClusterSnapshot -----&gt; StragglerPlanner --&gt; ExecutorMove
 * </pre>
 */
package io.eyewall.elasticity.plan;
