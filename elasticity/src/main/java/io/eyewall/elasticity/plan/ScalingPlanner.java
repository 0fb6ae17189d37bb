package io.eyewall.elasticity.plan;

import io.eyewall.elasticity.measure.ClusterSnapshot;

/**
 * Decides how a topology grows or shrinks: the module {@code Strategy} of Xu's thesis, section 2.3.2.
 *
 * <p>A planner is pure: the same snapshot and goal always make the same plan, and it keeps no state. Thread-safe. In every plan, each
 * operator has at least one executor and at most as many as it has tasks; only slots are used that the topology has or that are free;
 * executors stay where they are unless the plan moves them; and exactly the machines that the plan removes are left without executors.
 */
@FunctionalInterface
public interface ScalingPlanner {

    /**
     * Makes a plan.
     *
     * @param snapshot the cluster
     * @param goal what the plan is to reach
     * @throws ScalingRefusedException if there is no such plan
     */
    ScalingPlan plan(ClusterSnapshot snapshot, ScalingGoal goal) throws ScalingRefusedException;
}
