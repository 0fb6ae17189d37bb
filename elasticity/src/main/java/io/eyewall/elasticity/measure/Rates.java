package io.eyewall.elasticity.measure;

/**
 * How fast tuples come into, are processed by and leave an executor, a component or a topology.
 *
 * @param inputPerSec tuples per second on the way in: what the parents emit towards it; for a source, what it brings in itself
 * @param executedPerSec tuples per second that are processed: the field's processing or execution rate
 * @param emittedPerSec tuples per second emitted, over all streams, each tuple counted once however many subscribers it has
 * @param utilisation the share of the time that an executor spends executing, from 0 to 1, on average over the executors;
 *     {@link Double#NaN} where it is not known, as for sources
 * @param resolutionPerSec by how many tuples per second input and processing together may be off, since Storm counts a sample
 */
public record Rates(double inputPerSec, double executedPerSec, double emittedPerSec, double utilisation, double resolutionPerSec) {

    /** Nothing moves. */
    public static final Rates ZERO = new Rates(0, 0, 0, Double.NaN, 0);
}
