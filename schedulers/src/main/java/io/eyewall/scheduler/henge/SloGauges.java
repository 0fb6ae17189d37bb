package io.eyewall.scheduler.henge;

import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;
import org.apache.storm.metric.StormMetricsRegistry;

/** What Nimbus's metrics have of the SLOs. */
final class SloGauges {

    private SloGauges() {
    }

    /** Registers the gauges of the last report; any thread may read them. */
    static void register(StormMetricsRegistry metrics, Supplier<SloReport> report) {
        gauge(metrics, "slo:topologies-met", report, rows -> count(rows, SloReport.MET));
        gauge(metrics, "slo:topologies-missed", report, rows -> count(rows, SloReport.MISSED));
        gauge(metrics, "slo:topologies-unknown", report,
            rows -> rows.rows().size() - count(rows, SloReport.MET) - count(rows, SloReport.MISSED));
        gauge(metrics, "slo:utility", report, rows -> rows.rows().stream().mapToDouble(row -> row.utility().orElse(0)).sum());
        gauge(metrics, "slo:utility-max", report, rows -> rows.rows().stream().mapToDouble(SloReport.Row::maxUtility).sum());
    }

    private static void gauge(StormMetricsRegistry metrics, String name, Supplier<SloReport> report, ToDoubleFunction<SloReport> value) {
        metrics.registerGauge(name, () -> value.applyAsDouble(report.get()));
    }

    private static long count(SloReport report, String state) {
        return report.rows().stream().filter(row -> row.state().equals(state)).count();
    }
}
