package io.eyewall.integration.bench.elastic;

import io.eyewall.integration.bench.data.Quantity;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Optional;

/** A figure of a run, and the column of a file that has it. */
enum ElasticFigure {

    RESTARTED("workers_restarted", 0),
    AT_ZERO("seconds_at_zero", 0),
    MISSING("messages_missing", 0),
    FAILED("messages_failed", 0),
    P99_BEFORE("p99_before_ns", 0),
    WORST_P99("p99_of_the_worst_second_ns", 0),
    P99_AFTERWARDS("p99_afterwards_ns", 0),
    AS_BEFORE("as_before_after_s", 2),
    RATE_BEFORE("before_tuples_per_s", 1),
    RATE_AFTERWARDS("afterwards_tuples_per_s", 1),
    GAIN("gain_percent", 1),
    CONVERGENCE("settled_after_s", 0),
    LEFT("worker_left_after_s", 1),
    HELD("worker_held_tuples", 0);

    private final String column;
    private final int decimals;

    ElasticFigure(String column, int decimals) {
        this.column = column;
        this.decimals = decimals;
    }

    Quantity quantity() {
        return new Quantity(column);
    }

    /** The figure with its significant decimals; empty if the run has none. */
    Optional<BigDecimal> of(ElasticRun run) {
        if (this == HELD && run.leaving().heldTuples().isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(BigDecimal.valueOf(value(run)).setScale(decimals, RoundingMode.HALF_UP));
    }

    private double value(ElasticRun run) {
        return switch (this) {
            case RESTARTED -> run.restarted();
            case AT_ZERO -> run.secondsAtZero();
            case MISSING -> run.missing();
            case FAILED -> run.failed();
            case P99_BEFORE -> run.p99BeforeNs();
            case WORST_P99 -> run.worstP99Ns();
            case P99_AFTERWARDS -> run.p99AfterwardsNs();
            case AS_BEFORE -> run.secondsUntilUsual();
            case RATE_BEFORE -> run.rateBefore();
            case RATE_AFTERWARDS -> run.rateAfterwards();
            case GAIN -> 100 * (run.rateAfterwards() / run.rateBefore() - 1);
            case CONVERGENCE -> run.secondsUntilSettled();
            case LEFT -> run.leaving().seconds();
            case HELD -> run.leaving().heldTuples().orElseThrow();
        };
    }
}
