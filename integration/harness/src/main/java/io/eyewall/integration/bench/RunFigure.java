package io.eyewall.integration.bench;

import io.eyewall.integration.bench.data.Measurement;
import io.eyewall.integration.bench.data.Quantity;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The figures of a run, in the order of the tables. */
enum RunFigure {

    THROUGHPUT("tuples_per_s", 1),
    BULK("bulk_messages_per_s", 1),
    P50("p50_ns", 0),
    P90("p90_ns", 0),
    P99("p99_ns", 0),
    P99_9("p99.9_ns", 0),
    MAX("max_ns", 0),
    DEADLINES_MET("deadlines_met_percent", 2),
    CPU("cpu_s_per_million_tuples", 4),
    FAILED("messages_failed", 0);

    private final String column;
    private final int decimals;

    RunFigure(String column, int decimals) {
        this.column = column;
        this.decimals = decimals;
    }

    /** All figures that some measurements have, as columns of a file. */
    static List<Quantity> quantities(List<Measurement> measured) {
        return Arrays.stream(values()).filter(measure -> measured.stream().anyMatch(line -> line.figures().containsKey(measure.column)))
            .map(measure -> new Quantity(measure.column)).toList();
    }

    /** All figures of a run that its scenario has, by column. */
    static Map<String, BigDecimal> figures(RunResult run) {
        Map<String, BigDecimal> figures = new LinkedHashMap<>();
        for (RunFigure measure : values()) {
            if (measure.isOf(run.scenario())) {
                figures.put(measure.column, BigDecimal.valueOf(measure.of(run)).setScale(measure.decimals, RoundingMode.HALF_UP));
            }
        }
        return figures;
    }

    /** The figure of a run whose scenario has it; latencies in ns. */
    double of(RunResult run) {
        return switch (this) {
            case THROUGHPUT -> run.counts().received() / run.seconds();
            case BULK -> run.bulk().acked() / run.seconds();
            case P50 -> percentileNs(run, 50);
            case P90 -> percentileNs(run, 90);
            case P99 -> percentileNs(run, 99);
            case P99_9 -> percentileNs(run, 99.9);
            case MAX -> percentileNs(run, 100);
            case DEADLINES_MET ->
                run.latencies().getPercentileAtOrBelowValue(EngineScenarios.targetNs(run.scenario()).orElseThrow());
            case CPU -> run.cpuSeconds() / (run.counts().received() / 1e6);
            case FAILED -> run.counts().failed();
        };
    }

    private boolean isOf(Scenario scenario) {
        return switch (this) {
            case BULK -> EngineScenarios.bulkSpouts(scenario).isPresent();
            case DEADLINES_MET -> EngineScenarios.targetNs(scenario).isPresent();
            default -> true;
        };
    }

    private static double percentileNs(RunResult run, double percentile) {
        return (double) run.latencies().getValueAtPercentile(percentile);
    }
}
