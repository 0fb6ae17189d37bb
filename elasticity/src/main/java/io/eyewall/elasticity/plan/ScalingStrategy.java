package io.eyewall.elasticity.plan;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * The ways to decide how a topology grows and shrinks, each by the name that a person gives it.
 */
public enum ScalingStrategy {

    /** Stela: new executors for the congested operators with the highest effective throughput percentage. */
    ETP("ETP"),
    /** DS2's one-step estimate: new executors where demand over true capacity is highest. */
    DS2("load"),
    /** Moves executors of the operators nearest to a spout. */
    SPOUT_DISTANCE("nearness"),
    /** Moves executors of the operators nearest to a sink. */
    OUTPUT_DISTANCE("nearness"),
    /** Moves executors of the operators with the most descendants. */
    DESCENDANTS("below it"),
    /** Moves executors of the operators with the most neighbours. */
    CENTRALITY("neighbours"),
    /** Moves executors with the least link load, neighbours to the same machine. */
    LEAST_LINK_LOAD("quietness"),
    /** Moves executors with the most link load, neighbours to the same machine. */
    MOST_LINK_LOAD("tuples/s");

    private final String scoreName;

    ScalingStrategy(String scoreName) {
        this.scoreName = scoreName;
    }

    /**
     * The strategy of a name, such as {@code least-link-load}.
     *
     * @throws IllegalArgumentException if there is none; the message lists all
     */
    public static ScalingStrategy named(String name) {
        return Arrays.stream(values())
            .filter(strategy -> strategy.toString().equals(name))
            .findFirst()
            .orElseThrow(() -> new IllegalArgumentException("No scaling strategy " + name + ": it is one of "
                + Arrays.stream(values()).map(ScalingStrategy::toString).collect(Collectors.joining(", "))));
    }

    /** The planner of this strategy. */
    public ScalingPlanner planner(CongestionConfiguration configuration) {
        return switch (this) {
            case ETP -> new StelaPlanner(configuration);
            case DS2 -> new Ds2Planner(configuration);
            case SPOUT_DISTANCE -> new MigrationPlanner(this, configuration, ExecutorImportance.NEAR_SPOUT, false);
            case OUTPUT_DISTANCE -> new MigrationPlanner(this, configuration, ExecutorImportance.NEAR_OUTPUT, false);
            case DESCENDANTS -> new MigrationPlanner(this, configuration, ExecutorImportance.DESCENDANTS, false);
            case CENTRALITY -> new MigrationPlanner(this, configuration, ExecutorImportance.CENTRALITY, false);
            case LEAST_LINK_LOAD -> new MigrationPlanner(this, configuration, ExecutorImportance.LEAST_LINK_LOAD, true);
            case MOST_LINK_LOAD -> new MigrationPlanner(this, configuration, ExecutorImportance.MOST_LINK_LOAD, true);
        };
    }

    /**
     * What its scores are: the ETP as a share of 1; the load, demand over capacity; the nearness, 1 / (1 + links); how many operators are
     * below an operator or next to it; the quietness, 1 / (1 + tuples per second), or the tuples per second, on the links of an executor.
     */
    public String scoreName() {
        return scoreName;
    }

    /** The name that a person gives it. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
