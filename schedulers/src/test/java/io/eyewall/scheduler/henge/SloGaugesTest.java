package io.eyewall.scheduler.henge;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.codahale.metrics.MetricRegistry;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.storm.daemon.metrics.reporters.PreparableReporter;
import org.apache.storm.metric.StormMetricsRegistry;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class SloGaugesTest {

    private final StormMetricsRegistry metrics = new StormMetricsRegistry();
    private final SloReport report = report(row("a", SloReport.MET, 10, 10), row("b", SloReport.MISSED, 0.5, 1),
        row("c", SloReport.MISSED, 1, 2), unknown("d"));
    private final AtomicLong nowMs = new AtomicLong(1_000_000);
    private final SloGauges gauges =
        SloGauges.register(metrics, Map.of("nimbus.monitor.freq.secs", 10), nowMs::get, kind -> kind.name().length());

    SloGaugesTest() {
        metrics.startMetricsReporters(Map.of("storm.daemon.metrics.reporter.plugins", List.of(Reporter.class.getName())));
    }

    @AfterEach
    void stop() {
        metrics.stopMetricsReporters();
    }

    @Test
    void shouldCountTopologiesAndAddUpUtilities() {
        gauges.set(report);
        assertEquals(Map.ofEntries(Map.entry("slo:topologies-met", 1.0), Map.entry("slo:topologies-missed", 2.0),
            Map.entry("slo:topologies-unknown", 1.0), Map.entry("slo:utility", 11.5), Map.entry("slo:utility-max", 13.0),
            Map.entry("slo:searches-begun", 13.0), Map.entry("slo:searches-converged", 9.0), Map.entry("slo:steps-planned", 7.0),
            Map.entry("slo:steps-aborted", 7.0), Map.entry("slo:steps-kept", 4.0), Map.entry("slo:steps-rejected", 8.0),
            Map.entry("slo:steps-not-judged", 10.0)), allExceptShares());
        assertEquals(report, SloReport.of(report.toBytes()));
    }

    @Test
    void shouldHaveAGaugeForEachTopologyThatHasAnSlo() {
        gauges.set(report);
        assertEquals(Map.of("a", 1.0, "b", 0.5, "c", 0.5, "d", Double.NaN), values("slo:utility-share-"));

        gauges.set(report(row("b", SloReport.MISSED, 0.25, 1), row("e", SloReport.MISSED, 3, 4)));
        assertEquals(Map.of("b", 0.25, "e", 0.75), values("slo:utility-share-"));

        gauges.set(SloReport.NONE);
        assertEquals(Map.of(), values("slo:utility-share-"));
        assertEquals(0.0, values("slo:").get("utility"));
    }

    @Test
    void shouldHaveNoFiguresOfTopologiesWhenThisNimbusNoLongerRunsRounds() {
        gauges.set(report);
        nowMs.addAndGet(60_000);
        assertEquals(11.5, values("slo:").get("utility"));
        nowMs.addAndGet(1);
        assertEquals(0.0, values("slo:").get("utility"));
        assertEquals(0.0, values("slo:").get("topologies-missed"));
        assertEquals(Double.NaN, values("slo:utility-share-").get("a"));
        assertEquals(7.0, values("slo:").get("steps-planned"));
    }

    private static Map<String, Double> allExceptShares() {
        Map<String, Double> values = values("");
        values.keySet().removeIf(name -> name.startsWith("slo:utility-share-"));
        return values;
    }

    /** The gauges whose names begin with this, by the rest of their names. */
    private static Map<String, Double> values(String prefix) {
        Map<String, Double> values = new TreeMap<>();
        Reporter.registry.getGauges((name, gauge) -> name.startsWith(prefix)).forEach((name, gauge) ->
            values.put(name.substring(prefix.length()), ((Number) gauge.getValue()).doubleValue()));
        return values;
    }

    private static SloReport report(SloReport.Row... rows) {
        return new SloReport(1, "", "", false, OptionalDouble.of(1.5), new TreeMap<>(Map.of("a", 2.5)), List.of(rows));
    }

    private static SloReport.Row row(String topology, String state, double utility, double max) {
        return new SloReport.Row(topology, "", "", OptionalDouble.of(utility), max, state, "", 0);
    }

    private static SloReport.Row unknown(String topology) {
        return new SloReport.Row(topology, "", "", OptionalDouble.empty(), 5, "left alone: it is new", "", 0);
    }

    /** Has what a daemon's reporters get. */
    public static final class Reporter implements PreparableReporter {

        private static MetricRegistry registry;

        @Override
        public void prepare(MetricRegistry metrics, Map<String, Object> conf) {
            registry = metrics;
        }

        @Override
        public void start() {
            // It is asked.
        }

        @Override
        public void stop() {
            registry = null;
        }
    }
}
