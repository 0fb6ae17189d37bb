package io.eyewall.scheduler.henge;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.codahale.metrics.Gauge;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.TreeMap;
import org.apache.storm.metric.StormMetricsRegistry;
import org.junit.jupiter.api.Test;

class SloGaugesTest {

    @Test
    void shouldCountTopologiesAndAddUpUtilities() {
        Map<String, Double> values = new TreeMap<>();
        Map<String, Gauge<?>> gauges = new TreeMap<>();
        StormMetricsRegistry registry = new StormMetricsRegistry() {
            @Override
            public <V> Gauge<V> registerGauge(String name, Gauge<V> gauge) {
                gauges.put(name, gauge);
                return super.registerGauge(name, gauge);
            }
        };
        SloReport report = new SloReport(1, "", "", false, OptionalDouble.of(1.5), new TreeMap<>(Map.of("a", 2.5)),
            List.of(row(SloReport.MET, 10, 10), row(SloReport.MISSED, 0.5, 1), row(SloReport.MISSED, 1, 2),
                new SloReport.Row("a", "", "", OptionalDouble.empty(), 5, "left alone: it is new", "")));

        SloGauges.register(registry, () -> report, kind -> kind.name().length());

        gauges.forEach((name, gauge) -> values.put(name, value(gauge)));
        assertEquals(Map.of("slo:topologies-met", 1.0, "slo:topologies-missed", 2.0, "slo:topologies-unknown", 1.0, "slo:utility", 11.5,
            "slo:utility-max", 13.0, "slo:steps-planned", 7.0, "slo:steps-aborted", 7.0, "slo:steps-kept", 4.0, "slo:steps-rejected", 8.0,
            "slo:steps-not-judged", 10.0), values);
        assertEquals(report, SloReport.of(report.toBytes()));
    }

    private static double value(Gauge<?> gauge) {
        return ((Number) gauge.getValue()).doubleValue();
    }

    private static SloReport.Row row(String state, double utility, double max) {
        return new SloReport.Row("a", "", "", OptionalDouble.of(utility), max, state, "");
    }
}
