package io.eyewall.scheduler.henge;

import com.codahale.metrics.Gauge;
import com.codahale.metrics.Metric;
import io.eyewall.elasticity.henge.HengeEvent.Kind;
import io.eyewall.scheduler.cluster.LeaderFigure;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.LongSupplier;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;
import org.apache.storm.metric.StormMetricsRegistry;

/**
 * What Nimbus's metrics have of the SLOs: nothing in a Nimbus that does not lead, except its own searches and steps. Not thread-safe,
 * except that any thread may read the gauges.
 */
final class SloGauges {

    private static final String SHARE = "slo:utility-share-";

    private final StormMetricsRegistry metrics;
    private final LeaderFigure<SloReport> report;
    /** The gauges of topologies, by the gauge's name. */
    private final Map<String, Gauge<Double>> shares = new TreeMap<>();

    private SloGauges(StormMetricsRegistry metrics, LeaderFigure<SloReport> report) {
        this.metrics = metrics;
        this.report = report;
    }

    /**
     * Registers the gauges of the last report, and of the searches and the steps since Nimbus began by what became of them.
     *
     * @param conf Nimbus's configuration
     * @param clockMs the time in milliseconds since 1970
     */
    static SloGauges register(StormMetricsRegistry metrics, Map<String, Object> conf, LongSupplier clockMs, ToLongFunction<Kind> counts) {
        LeaderFigure<SloReport> report = new LeaderFigure<>(SloReport.NONE, conf, clockMs);
        gauge(metrics, "slo:topologies-met", report, rows -> count(rows, SloReport.MET));
        gauge(metrics, "slo:topologies-missed", report, rows -> count(rows, SloReport.MISSED));
        gauge(metrics, "slo:topologies-unknown", report,
            rows -> rows.rows().size() - count(rows, SloReport.MET) - count(rows, SloReport.MISSED));
        gauge(metrics, "slo:utility", report, rows -> rows.rows().stream().mapToDouble(row -> row.utility().orElse(0)).sum());
        gauge(metrics, "slo:utility-max", report, rows -> rows.rows().stream().filter(row -> row.utility().isPresent())
            .mapToDouble(SloReport.Row::maxUtility).sum());
        metrics.registerGauge("slo:searches-begun", () -> counts.applyAsLong(Kind.RECONVERGENCE));
        metrics.registerGauge("slo:searches-converged", () -> counts.applyAsLong(Kind.CONVERGED));
        metrics.registerGauge("slo:steps-planned", () -> counts.applyAsLong(Kind.PLANNED));
        metrics.registerGauge("slo:steps-kept", () -> counts.applyAsLong(Kind.KEPT));
        metrics.registerGauge("slo:steps-rejected", () -> counts.applyAsLong(Kind.REJECTED));
        metrics.registerGauge("slo:steps-aborted", () -> counts.applyAsLong(Kind.ABORTED));
        metrics.registerGauge("slo:steps-not-judged", () -> counts.applyAsLong(Kind.NOT_JUDGED));
        return new SloGauges(metrics, report);
    }

    /** Sets a round's report: registers a gauge for each topology that is new in it, and removes those of topologies that it lacks. */
    void set(SloReport next) {
        report.set(next);
        List<SloReport.Row> rows = next.rows();
        Map<String, Metric> gone = new TreeMap<>(shares);
        rows.forEach(row -> gone.remove(SHARE + row.topologyName()));
        metrics.removeAll(() -> gone);
        shares.keySet().removeAll(gone.keySet());
        rows.forEach(row -> shares.computeIfAbsent(SHARE + row.topologyName(),
            name -> metrics.registerGauge(name, () -> share(row.topologyName()))));
    }

    /** A topology's utility as a share of its maximum; not a number while figures are missing. */
    private double share(String topology) {
        return report.get().rows().stream().filter(row -> row.topologyName().equals(topology) && row.utility().isPresent())
            .mapToDouble(row -> row.utility().getAsDouble() / row.maxUtility()).findFirst().orElse(Double.NaN);
    }

    private static void gauge(StormMetricsRegistry metrics, String name, LeaderFigure<SloReport> report,
        ToDoubleFunction<SloReport> value) {

        metrics.registerGauge(name, () -> value.applyAsDouble(report.get()));
    }

    private static long count(SloReport report, String state) {
        return report.rows().stream().filter(row -> row.state().equals(state)).count();
    }
}
