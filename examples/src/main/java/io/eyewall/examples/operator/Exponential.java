package io.eyewall.examples.operator;

/**
 * Numbers that are distributed exponentially around 1, the same ones for the same seed and task. Used by one thread.
 */
final class Exponential {

    /** Further than the numbers that any task takes, so that tasks are independent of each other. */
    private static final int TASK_SHIFT = 44;
    private static final int UNIFORM_BITS = 53;

    private final long seed;
    private long number;

    /**
     * The sequence of a task.
     *
     * @param taskIndex from 0
     */
    Exponential(long seed, int taskIndex) {
        this.seed = seed;
        number = (long) taskIndex << TASK_SHIFT;
    }

    /**
     * The next one, more than 0.
     */
    double next() {
        number++;
        double uniform = ((SeededHash.of(seed, number) >>> (Long.SIZE - UNIFORM_BITS)) + 1) * 0x1p-53;
        return -Math.log(uniform);
    }
}
