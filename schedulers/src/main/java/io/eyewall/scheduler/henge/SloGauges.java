package io.eyewall.scheduler.henge;

import io.eyewall.elasticity.henge.HengeEvent.Kind;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;
import org.apache.storm.metric.StormMetricsRegistry;

/** What Nimbus's metrics have of the SLOs. */
final class SloGauges {

    private SloGauges() {
    }

    /** Registers the gauges of the last report, and of the steps since Nimbus began by what became of them; any thread may read them. */
    static void register(StormMetricsRegistry metrics, Supplier<SloReport> report, ToLongFunction<Kind> counts) {
        gauge(metrics, "slo:topologies-met", report, rows -> count(rows, SloReport.MET));
        gauge(metrics, "slo:topologies-missed", report, rows -> count(rows, SloReport.MISSED));
        gauge(metrics, "slo:topologies-unknown", report,
            rows -> rows.rows().size() - count(rows, SloReport.MET) - count(rows, SloReport.MISSED));
        gauge(metrics, "slo:utility", report, rows -> rows.rows().stream().mapToDouble(row -> row.utility().orElse(0)).sum());
        gauge(metrics, "slo:utility-max", report, rows -> rows.rows().stream().filter(row -> row.utility().isPresent())
            .mapToDouble(SloReport.Row::maxUtility).sum());
        metrics.registerGauge("slo:steps-planned", () -> counts.applyAsLong(Kind.PLANNED));
        metrics.registerGauge("slo:steps-kept", () -> counts.applyAsLong(Kind.KEPT));
        metrics.registerGauge("slo:steps-rejected", () -> counts.applyAsLong(Kind.REJECTED));
        metrics.registerGauge("slo:steps-aborted", () -> counts.applyAsLong(Kind.ABORTED));
        metrics.registerGauge("slo:steps-not-judged", () -> counts.applyAsLong(Kind.NOT_JUDGED));
    }

    private static void gauge(StormMetricsRegistry metrics, String name, Supplier<SloReport> report, ToDoubleFunction<SloReport> value) {
        metrics.registerGauge(name, () -> value.applyAsDouble(report.get()));
    }

    private static long count(SloReport report, String state) {
        return report.rows().stream().filter(row -> row.state().equals(state)).count();
    }
}
