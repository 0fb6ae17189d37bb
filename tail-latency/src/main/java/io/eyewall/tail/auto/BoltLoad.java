package io.eyewall.tail.auto;

/**
 * The load of a bolt in one worker.
 *
 * @param executors the number of its executors there
 * @param utilisation the mean share of their time in which they execute tuples, from 0 to 1
 */
public record BoltLoad(int executors, double utilisation) {

    /** The load of both together. */
    public BoltLoad plus(BoltLoad other) {
        int all = executors + other.executors;
        return new BoltLoad(all, (executors * utilisation + other.executors * other.utilisation) / all);
    }
}
