package io.eyewall.elasticity.plan;

/**
 * What a scaling is to reach: a topology that runs on more or fewer machines. The planner chooses the machines.
 *
 * @param topologyId the topology's id
 * @param direction whether the topology grows or shrinks
 * @param machines the number of machines to add or remove, at least 1
 */
public record ScalingGoal(String topologyId, Direction direction, int machines) {

    /** Checks that there is at least one machine. */
    public ScalingGoal {
        if (machines < 1) {
            throw new IllegalArgumentException("Topology " + topologyId + ": scaling by " + machines + " machines, at least 1 needed");
        }
    }

    /** Whether a topology grows or shrinks. */
    public enum Direction {
        /** The topology grows to more machines. */
        OUT,
        /** The topology shrinks to fewer machines. */
        IN
    }
}
