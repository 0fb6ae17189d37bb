package io.eyewall.elasticity.model;

/**
 * A component of a topology and its tasks. The number of tasks is fixed at submission and is the upper bound of the number of executors.
 *
 * @param id the component's id
 * @param firstTask the first of its tasks
 * @param lastTask the last of its tasks, inclusive
 */
public record Component(String id, int firstTask, int lastTask) {

    private static final String SYSTEM_PREFIX = "__";

    /** Checks that the first task is not after the last. */
    public Component {
        if (firstTask > lastTask) {
            throw new IllegalArgumentException("Component " + id + ": first task " + firstTask + " is after last task " + lastTask);
        }
    }

    /** The number of its tasks. */
    public int taskCount() {
        return lastTask - firstTask + 1;
    }

    /** Whether it is a system component of Storm's, such as the acker: its executors need slots, but it is no operator and never scaled. */
    public boolean isSystem() {
        return isSystemId(id);
    }

    /** Whether a component or stream with this id is Storm's own. */
    public static boolean isSystemId(String id) {
        return id.startsWith(SYSTEM_PREFIX);
    }
}
