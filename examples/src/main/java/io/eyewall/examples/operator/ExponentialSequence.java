package io.eyewall.examples.operator;

/**
 * Random numbers with an exponential distribution and a mean of 1. The same seed and task give the same numbers. For one thread.
 */
final class ExponentialSequence {

    /** Tasks start 2^44 numbers apart, so that they never use the same ones. */
    private static final int TASK_SHIFT = 44;
    private static final int UNIFORM_BITS = 53;

    private final long seed;
    private long number;

    /**
     * The sequence of one task.
     *
     * @param taskIndex from 0
     */
    ExponentialSequence(long seed, int taskIndex) {
        this.seed = seed;
        number = (long) taskIndex << TASK_SHIFT;
    }

    /**
     * The next number; it is 0 or more.
     */
    double next() {
        number++;
        double uniform = ((SeededHash.of(seed, number) >>> (Long.SIZE - UNIFORM_BITS)) + 1) * 0x1p-53;
        return -Math.log(uniform);
    }
}
