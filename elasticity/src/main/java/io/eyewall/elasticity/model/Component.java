package io.eyewall.elasticity.model;

/**
 * A component of a topology with its tasks, whose number is fixed when the topology is submitted and bounds its executors.
 *
 * @param id the component's id
 * @param firstTask the first of its tasks
 * @param lastTask the last of its tasks, itself included
 */
public record Component(String id, int firstTask, int lastTask) {

    private static final String SYSTEM_PREFIX = "__";

    /** Checks the range. */
    public Component {
        if (firstTask > lastTask) {
            throw new IllegalArgumentException("Component " + id + ": first task " + firstTask + " is after last task " + lastTask);
        }
    }

    /** How many tasks it has. */
    public int taskCount() {
        return lastTask - firstTask + 1;
    }

    /** Whether it is one of Storm's own, such as the acker: its executors are placed, but it is no operator and is never scaled. */
    public boolean isSystem() {
        return isSystemId(id);
    }

    /** Whether a component or stream is one of Storm's own. */
    public static boolean isSystemId(String id) {
        return id.startsWith(SYSTEM_PREFIX);
    }
}
