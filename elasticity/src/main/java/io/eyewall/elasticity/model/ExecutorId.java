package io.eyewall.elasticity.model;

import java.util.Comparator;

/**
 * An executor: a thread that runs the tasks {@code firstTask..lastTask} of one component of a topology. The field calls it an instance of
 * an operator. An executor whose task range changes is another executor.
 *
 * @param topologyId the topology
 * @param firstTask the first of its tasks
 * @param lastTask the last of its tasks, itself included
 */
public record ExecutorId(String topologyId, int firstTask, int lastTask) implements Comparable<ExecutorId> {

    private static final Comparator<ExecutorId> ORDER = Comparator.comparing(ExecutorId::topologyId)
        .thenComparingInt(ExecutorId::firstTask)
        .thenComparingInt(ExecutorId::lastTask);

    /** Checks the range. */
    public ExecutorId {
        if (firstTask > lastTask) {
            throw new IllegalArgumentException("Executor of " + topologyId + ": first task " + firstTask + " is after last task "
                + lastTask);
        }
    }

    /** How many tasks it runs. */
    public int taskCount() {
        return lastTask - firstTask + 1;
    }

    /** How many tasks the two have in common. */
    public int overlap(ExecutorId other) {
        return Math.max(0, Math.min(lastTask, other.lastTask) - Math.max(firstTask, other.firstTask) + 1);
    }

    @Override
    public int compareTo(ExecutorId other) {
        return ORDER.compare(this, other);
    }

    @Override
    public String toString() {
        return topologyId + "[" + firstTask + "-" + lastTask + "]";
    }
}
