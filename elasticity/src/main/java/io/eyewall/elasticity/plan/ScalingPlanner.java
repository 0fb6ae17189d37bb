package io.eyewall.elasticity.plan;

import io.eyewall.elasticity.measure.ClusterSnapshot;

/**
 * Decides how a topology grows or shrinks: the module {@code Strategy} of Xu's thesis, section 2.3.2.
 *
 * <p>A planner is pure: the same snapshot and request make the same plan, nothing is remembered, and any thread may ask. Every plan gives
 * every operator at least one executor and at most as many as it has tasks, uses only slots that the topology has or that are free, leaves
 * executors where they are unless it says otherwise, and empties exactly the machines that it removes.
 */
@FunctionalInterface
public interface ScalingPlanner {

    /**
     * Makes a plan.
     *
     * @param snapshot the cluster
     * @param request what is wished
     * @throws ScalingRefusedException if there is no plan
     */
    ScalingPlan plan(ClusterSnapshot snapshot, ScalingGoal request) throws ScalingRefusedException;
}
