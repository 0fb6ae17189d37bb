package io.eyewall.elasticity.measure;

/**
 * The rates of an executor, a component or a topology.
 *
 * @param inputPerSec tuples per second that arrive: what the parents emit to it; for a source, what it emits itself
 * @param executedPerSec tuples per second that are processed, also called the processing or execution rate
 * @param emittedPerSec tuples per second emitted, over all streams; each tuple counts once, however many subscribers it has
 * @param utilisation the share of the time spent executing, from 0 to 1, on average over the executors; {@link Double#NaN} if unknown, as
 *     for sources
 * @param resolutionPerSec the largest error of the difference between input and processing, in tuples per second, caused by sampling
 */
public record Rates(double inputPerSec, double executedPerSec, double emittedPerSec, double utilisation, double resolutionPerSec) {

    /** No tuples at all, utilisation unknown. */
    public static final Rates ZERO = new Rates(0, 0, 0, Double.NaN, 0);
}
