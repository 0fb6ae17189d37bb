package io.eyewall.integration.bench;

import io.eyewall.core.report.HumanTime;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.Locale;

/**
 * The figures of a run, in the order of the tables.
 */
enum Measure {

    THROUGHPUT("tuples/s"),
    P50("p50"),
    P90("p90"),
    P99("p99"),
    P99_9("p99.9"),
    MAX("max"),
    CPU("CPU s/M tuples");

    private final String title;

    Measure(String title) {
        this.title = title;
    }

    String title() {
        return title;
    }

    /** The figure of a run; latencies in ns. */
    double of(RunResult run) {
        return switch (this) {
            case THROUGHPUT -> run.counts().received() / run.seconds();
            case P50 -> percentileNs(run, 50);
            case P90 -> percentileNs(run, 90);
            case P99 -> percentileNs(run, 99);
            case P99_9 -> percentileNs(run, 99.9);
            case MAX -> percentileNs(run, 100);
            case CPU -> run.cpuSeconds() / (run.counts().received() / 1e6);
        };
    }

    /** A figure with three significant digits, latencies with their unit. */
    String format(double figure) {
        return switch (this) {
            case THROUGHPUT, CPU -> quantity(figure);
            case P50, P90, P99, P99_9, MAX -> HumanTime.of(Math.round(figure));
        };
    }

    private static double percentileNs(RunResult run, double percentile) {
        return (double) run.latencies().getValueAtPercentile(percentile);
    }

    private static String quantity(double figure) {
        BigDecimal rounded = BigDecimal.valueOf(figure).round(new MathContext(3));
        return String.format(Locale.ROOT, "%,." + Math.max(0, Math.min(3, rounded.scale())) + "f", rounded);
    }
}
