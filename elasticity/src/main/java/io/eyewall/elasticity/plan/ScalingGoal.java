package io.eyewall.elasticity.plan;

/**
 * The wish to run a topology on more or fewer machines. Which ones is for the planner to say.
 *
 * @param topologyId the topology
 * @param direction more or fewer
 * @param machines how many more or fewer, at least 1
 */
public record ScalingGoal(String topologyId, Direction direction, int machines) {

    /** Checks the number. */
    public ScalingGoal {
        if (machines < 1) {
            throw new IllegalArgumentException("Topology " + topologyId + ": scaling by " + machines + " machines, at least 1 needed");
        }
    }

    /** More or fewer machines. */
    public enum Direction {
        /** More machines. */
        OUT,
        /** Fewer machines. */
        IN
    }
}
