package io.eyewall.tail.auto;

/**
 * How busy a bolt is in one worker.
 *
 * @param executors how many executors it has there
 * @param utilisation for which part of their time they execute tuples, in the mean, from 0 to 1
 */
public record BoltLoad(int executors, double utilisation) {

    /** Both together. */
    public BoltLoad plus(BoltLoad other) {
        int all = executors + other.executors;
        return new BoltLoad(all, (executors * utilisation + other.executors * other.utilisation) / all);
    }
}
