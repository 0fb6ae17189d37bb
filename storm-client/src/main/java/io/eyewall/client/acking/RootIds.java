package io.eyewall.client.acking;

/**
 * The consecutive root ids of one spout task: the task in the upper 22 bits, two bits that are 0, and a counter of 40 bits. The counter
 * starts at a random number, so that a restarted spout task does not take acks for its predecessor as its own. Used by the executor's
 * thread.
 *
 * <p>For example task 3 starting at 16 makes {@code 0x0c00_0000_0010}, then {@code 0x0c00_0000_0011}.
 */
final class RootIds {

    /** The shift of the two bits that are 0 in a root id, in which {@link AckBatch} keeps the kind of an entry. */
    static final int FREE_SHIFT = 40;
    static final long FREE_BITS = 3L << FREE_SHIFT;

    private static final int TASK_SHIFT = 42;
    private static final int LAST_TASK = (1 << (Long.SIZE - TASK_SHIFT)) - 1;
    private static final long COUNTER_BITS = (1L << FREE_SHIFT) - 1;

    private final long task;
    private long counter;

    /**
     * Starts at a number.
     *
     * @param task the spout task
     * @param start any number; the counter starts at its lower 40 bits
     * @throws IllegalArgumentException if the task's id does not fit
     */
    RootIds(int task, long start) {
        if (task < 1 || task > LAST_TASK) {
            throw new IllegalArgumentException("Spout task " + task + " cannot keep a ledger, whose tasks are 1 to " + LAST_TASK
                + ": set topology.acking to acker.");
        }
        this.task = (long) task << TASK_SHIFT;
        counter = start;
    }

    long next() {
        return task | (counter++ & COUNTER_BITS);
    }

    /** The spout task that made a root id. */
    static int taskOf(long root) {
        return (int) (root >>> TASK_SHIFT);
    }
}
