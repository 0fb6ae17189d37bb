package io.eyewall.tail.output;

import io.eyewall.client.substitute.LoggedDrops;
import io.prometheus.metrics.model.registry.MultiCollector;
import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.util.Map;

/** How many tuples a worker has dropped because they could not be deserialized, in Prometheus' format. Safe for use by any thread. */
final class PrometheusDrops implements MultiCollector {

    private final LoggedDrops drops;
    private final String topology;

    /** {@code topology} is its name, without the number and time that Storm adds. */
    PrometheusDrops(LoggedDrops drops, String topology) {
        this.drops = drops;
        this.topology = topology;
    }

    @Override
    public MetricSnapshots collect() {
        Map<LoggedDrops.Source, Long> counts = drops.counts();
        if (counts.isEmpty()) {
            return new MetricSnapshots();
        }
        CounterSnapshot.Builder counter = CounterSnapshot.builder().name("eyewall_unreadable_tuples")
            .help("Tuples that were dropped since the worker started, since they could not be deserialized.");
        counts.forEach((source, count) -> counter.dataPoint(CounterSnapshot.CounterDataPointSnapshot.builder()
            .labels(Labels.of("topology", topology, "component", source.component(), "stream", source.stream()))
            .value(count.doubleValue()).build()));
        return MetricSnapshots.of(counter.build());
    }
}
