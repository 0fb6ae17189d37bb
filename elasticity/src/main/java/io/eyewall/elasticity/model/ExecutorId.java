package io.eyewall.elasticity.model;

import java.util.Comparator;

/**
 * An executor: the thread that runs the tasks {@code firstTask..lastTask} of one component of a topology. In the literature it is an
 * instance of an operator. An executor with another range of tasks is another executor.
 *
 * @param topologyId the topology's id
 * @param firstTask the first of its tasks
 * @param lastTask the last of its tasks, inclusive
 */
public record ExecutorId(String topologyId, int firstTask, int lastTask) implements Comparable<ExecutorId> {

    private static final Comparator<ExecutorId> ORDER = Comparator.comparing(ExecutorId::topologyId)
        .thenComparingInt(ExecutorId::firstTask)
        .thenComparingInt(ExecutorId::lastTask);

    /** Checks that the first task is not after the last. */
    public ExecutorId {
        if (firstTask > lastTask) {
            throw new IllegalArgumentException("Executor of " + topologyId + ": first task " + firstTask + " is after last task "
                + lastTask);
        }
    }

    /** The number of tasks that it runs. */
    public int taskCount() {
        return lastTask - firstTask + 1;
    }

    /** The number of tasks that both executors run. */
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
