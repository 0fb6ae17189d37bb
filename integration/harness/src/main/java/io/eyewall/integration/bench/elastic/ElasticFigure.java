package io.eyewall.integration.bench.elastic;

import io.eyewall.core.report.HumanTime;
import java.util.Locale;

/** A figure of a run, and how a table shows it. */
enum ElasticFigure {

    RESTARTED("workers restarted"),
    AT_ZERO("seconds at zero"),
    MISSING("messages missing"),
    FAILED("failed"),
    P99_BEFORE("p99 before"),
    WORST_P99("p99 of the worst second"),
    P99_AFTERWARDS("p99 afterwards"),
    AS_BEFORE("as before after"),
    RATE_BEFORE("tuples/s before"),
    RATE_AFTERWARDS("afterwards"),
    GAIN("gain"),
    CONVERGENCE("settled after");

    private final String title;

    ElasticFigure(String title) {
        this.title = title;
    }

    String title() {
        return title;
    }

    double of(ElasticRun run) {
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
            case GAIN -> run.rateAfterwards() / run.rateBefore() - 1;
            case CONVERGENCE -> run.secondsUntilSettled();
        };
    }

    String format(double value) {
        return switch (this) {
            case P99_BEFORE, WORST_P99, P99_AFTERWARDS -> HumanTime.of(Math.round(value));
            case AS_BEFORE -> String.format(Locale.ROOT, "%.2f s", value);
            case CONVERGENCE -> String.format(Locale.ROOT, "%.0f s", value);
            case GAIN -> String.format(Locale.ROOT, "%+.0f %%", 100 * value);
            case RESTARTED, AT_ZERO, MISSING, FAILED, RATE_BEFORE, RATE_AFTERWARDS -> String.format(Locale.ROOT, "%,.0f", value);
        };
    }
}
