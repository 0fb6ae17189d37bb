package io.eyewall.elasticity.plan;

/** Makes the planner of each strategy. */
public final class ScalingPlanners {

    private ScalingPlanners() {
    }

    /**
     * The planner of a strategy.
     *
     * @param configuration when an operator counts as congested
     */
    public static ScalingPlanner of(ScalingStrategy strategy, CongestionConfiguration configuration) {
        return switch (strategy) {
            case ETP -> new StelaPlanner(configuration);
            case DS2 -> new Ds2Planner(configuration);
            case SPOUT_DISTANCE -> new MigrationPlanner(strategy, configuration, ExecutorImportance.NEAR_SPOUT, false);
            case OUTPUT_DISTANCE -> new MigrationPlanner(strategy, configuration, ExecutorImportance.NEAR_OUTPUT, false);
            case DESCENDANTS -> new MigrationPlanner(strategy, configuration, ExecutorImportance.DESCENDANTS, false);
            case CENTRALITY -> new MigrationPlanner(strategy, configuration, ExecutorImportance.CENTRALITY, false);
            case LEAST_LINK_LOAD -> new MigrationPlanner(strategy, configuration, ExecutorImportance.LEAST_LINK_LOAD, true);
            case MOST_LINK_LOAD -> new MigrationPlanner(strategy, configuration, ExecutorImportance.MOST_LINK_LOAD, true);
        };
    }
}
