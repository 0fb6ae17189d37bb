package io.eyewall.elasticity.plan;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * The strategies by which a topology grows and shrinks. {@link ScalingPlanners} has the planner of each.
 */
public enum ScalingStrategy {

    /** Stela: new executors for the congested operators with the highest effective throughput percentage. */
    ETP("ETP"),
    /** The one-step estimate of DS2: new executors where demand over true capacity is highest. */
    DS2("load"),
    /** Moves executors of the operators nearest to a spout. */
    SPOUT_DISTANCE("nearness"),
    /** Moves executors of the operators nearest to a sink. */
    OUTPUT_DISTANCE("nearness"),
    /** Moves executors of the operators with the most descendants. */
    DESCENDANTS("below it"),
    /** Moves executors of the operators with the most neighbours. */
    CENTRALITY("neighbours"),
    /** Moves executors with the least link load, and keeps neighbours together. */
    LEAST_LINK_LOAD("quietness"),
    /** Moves executors with the most link load, and keeps neighbours together. */
    MOST_LINK_LOAD("tuples/s");

    private final String scoreName;

    ScalingStrategy(String scoreName) {
        this.scoreName = scoreName;
    }

    /**
     * The strategy with a name, such as {@code least-link-load}.
     *
     * @throws IllegalArgumentException if there is none; the message lists all names
     */
    public static ScalingStrategy named(String name) {
        return Arrays.stream(values())
            .filter(strategy -> strategy.toString().equals(name))
            .findFirst()
            .orElseThrow(() -> new IllegalArgumentException("No scaling strategy " + name + ": it is one of "
                + Arrays.stream(values()).map(ScalingStrategy::toString).collect(Collectors.joining(", "))));
    }

    /**
     * The name of its scores in a plan. The ETP is from 0 to 1. The load is demand over capacity. The nearness is 1 / (1 + links). The
     * scores of {@link #DESCENDANTS} and {@link #CENTRALITY} count operators downstream of an operator, or next to it. The quietness is 1 /
     * (1 + tuples per second on the links of an executor).
     */
    public String scoreName() {
        return scoreName;
    }

    /** The name that users write. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
