package io.eyewall.integration.bench.henge;

import io.eyewall.integration.bench.data.Quantity;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Optional;
import java.util.OptionalDouble;

/** A figure of a run, and the column of a file that has it. Utilities are in per cent of the most that there could be. */
enum UtilityFigure {

    AVERAGE("average_utility_percent", 2),
    P15("p15_utility_percent", 2),
    P50("p50_utility_percent", 2),
    P90("p90_utility_percent", 2),
    /** The average before the first change. */
    BEFORE("before_the_change_percent", 2),
    /** The average after it. */
    AFTER("after_the_change_percent", 2),
    /** How long it takes until the utility is as before the change; none if it does not come back. */
    BACK("as_before_after_s", 0),
    STEPS("steps", 0),
    STEPS_IN_FIRST_HALF("steps_in_first_half", 0),
    STEPS_IN_SECOND_HALF("steps_in_second_half", 0),
    BEING_APPLIED("steps_being_applied_percent", 2),
    /** The median of the times from the plan of a step until the cluster has its executors. */
    APPLIED_AFTER("step_applied_after_s", 1),
    /** How much less utility there is in the half minutes after steps were planned than in those before; negative if there is more. */
    LOST("lost_after_a_step_percent", 2),
    /** How many messages arrived; those that wait in a worker which restarts do not. */
    PROCESSED("messages_processed", 0);

    private final String column;
    private final int decimals;

    UtilityFigure(String column, int decimals) {
        this.column = column;
        this.decimals = decimals;
    }

    Quantity quantity() {
        return new Quantity(column);
    }

    /** The figure with its significant decimals; empty if the run has none. */
    Optional<BigDecimal> of(UtilityRun run) {
        OptionalDouble value = value(run);
        return value.isEmpty() ? Optional.empty()
            : Optional.of(BigDecimal.valueOf(value.getAsDouble()).setScale(decimals, RoundingMode.HALF_UP));
    }

    private OptionalDouble value(UtilityRun run) {
        return switch (this) {
            case AVERAGE -> OptionalDouble.of(run.averagePercent());
            case P15 -> OptionalDouble.of(run.percentile(15));
            case P50 -> OptionalDouble.of(run.percentile(50));
            case P90 -> OptionalDouble.of(run.percentile(90));
            case BEFORE -> run.percentBeforeChange();
            case AFTER -> run.percentAfterChange();
            case BACK -> run.secondsUntilAsBefore();
            case STEPS -> OptionalDouble.of((double) run.steps(0) + run.steps(1));
            case STEPS_IN_FIRST_HALF -> OptionalDouble.of((double) run.steps(0));
            case STEPS_IN_SECOND_HALF -> OptionalDouble.of((double) run.steps(1));
            case BEING_APPLIED -> OptionalDouble.of(run.applyingPercent());
            case APPLIED_AFTER -> run.medianSecondsUntilApplied();
            case LOST -> run.percentLostAfterSteps();
            case PROCESSED -> OptionalDouble.of((double) run.processed());
        };
    }
}
