package io.eyewall.tail.output;

import io.eyewall.tail.recording.HopKey;
import io.prometheus.metrics.model.registry.MultiCollector;
import io.prometheus.metrics.model.snapshots.ClassicHistogramBuckets;
import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import io.prometheus.metrics.model.snapshots.Quantiles;
import io.prometheus.metrics.model.snapshots.SummarySnapshot;
import io.prometheus.metrics.model.snapshots.Unit;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramIterationValue;

/**
 * The hops of a worker in Prometheus' format: counts and sums since the worker started, quantiles and the maximum of the
 * last interval. Safe for use by any thread.
 */
final class PrometheusHops implements MultiCollector {

    private static final double[] BOUNDS_SECONDS = boundsSeconds();

    private final HopCollector collector;
    private final String topology;

    /**
     * Collects when Prometheus asks.
     *
     * @param topology the name of the topology, without the number and time that Storm adds
     */
    PrometheusHops(HopCollector collector, String topology) {
        this.collector = collector;
        this.topology = topology;
    }

    @Override
    public MetricSnapshots collect() {
        Families families = new Families();
        collector.collect(hop -> families.add(labels(hop.key()), hop));
        return families.build();
    }

    private Labels labels(HopKey key) {
        return Labels.of("topology", topology, "point", key.point().label(), "component", key.component(), "task",
            Integer.toString(key.taskId()), "source", key.source());
    }

    /** 1, 2 and 5 of every power of ten from a microsecond to ten seconds. */
    private static double[] boundsSeconds() {
        double[] bounds = new double[23];
        for (int i = 0; i < bounds.length - 1; i++) {
            // Parsed from text, not computed: queries name a bound by its decimal text.
            bounds[i] = Double.parseDouble((i % 3 == 0 ? 1 : i % 3 == 1 ? 2 : 5) + "e" + (i / 3 - 6));
        }
        bounds[bounds.length - 1] = Double.POSITIVE_INFINITY;
        return bounds;
    }

    private static double seconds(long ns) {
        return Unit.nanosToSeconds(ns);
    }

    /** One scrape. */
    private static final class Families {

        private final SummarySnapshot.Builder summary = named(SummarySnapshot.builder(), "eyewall_hop_latency_seconds",
            "Time of tuples at one point of their way: count and sum since the worker started, quantiles of the last interval.");
        private final HistogramSnapshot.Builder histogram = named(HistogramSnapshot.builder(), "eyewall_hop_latency_histogram_seconds",
            "The same times in buckets, which can be added up over tasks and workers.");
        private final GaugeSnapshot.Builder max = named(GaugeSnapshot.builder(), "eyewall_hop_latency_max_seconds",
            "The longest of these times in the last interval.");
        private final GaugeSnapshot.Builder errorBound = named(GaugeSnapshot.builder(), "eyewall_hop_latency_clock_error_bound_seconds",
            "The largest error of these times, which depend on the clocks of several hosts.");
        private final CounterSnapshot.Builder dropped = CounterSnapshot.builder().name("eyewall_latency_dropped_samples")
            .help("Times that were not recorded: out of range, or on clocks whose offset is unknown.");
        private boolean empty = true;

        void add(Labels labels, HopTotal hop) {
            empty = false;
            long[] counts = new long[BOUNDS_SECONDS.length];
            double sumSeconds = 0;
            Histogram total = hop.total();
            int bucket = 0;
            for (HistogramIterationValue value : total.recordedValues()) {
                double seconds = seconds(total.medianEquivalentValue(value.getValueIteratedTo()));
                while (seconds > BOUNDS_SECONDS[bucket]) {
                    bucket++;
                }
                counts[bucket] += value.getCountAtValueIteratedTo();
                sumSeconds += seconds * value.getCountAtValueIteratedTo();
            }
            HopPercentiles last = hop.lastInterval();
            summary.dataPoint(SummarySnapshot.SummaryDataPointSnapshot.builder().labels(labels).count(total.getTotalCount())
                .sum(sumSeconds).quantiles(quantiles(last)).build());
            histogram.dataPoint(HistogramSnapshot.HistogramDataPointSnapshot.builder().labels(labels).sum(sumSeconds)
                .classicHistogramBuckets(ClassicHistogramBuckets.of(BOUNDS_SECONDS, counts)).build());
            max.dataPoint(gauge(labels, last.count() == 0 ? Double.NaN : seconds(last.maxNs())));
            errorBound.dataPoint(gauge(labels, seconds(hop.errorBoundNs())));
            dropped.dataPoint(CounterSnapshot.CounterDataPointSnapshot.builder().labels(labels).value((double) hop.dropped()).build());
        }

        MetricSnapshots build() {
            return empty ? new MetricSnapshots()
                : MetricSnapshots.of(summary.build(), histogram.build(), max.build(), errorBound.build(), dropped.build());
        }

        /** Prometheus uses NaN for quantiles without values. */
        private static Quantiles quantiles(HopPercentiles last) {
            boolean none = last.count() == 0;
            return Quantiles.builder()
                .quantile(0.5, none ? Double.NaN : seconds(last.p50Ns()))
                .quantile(0.9, none ? Double.NaN : seconds(last.p90Ns()))
                .quantile(0.99, none ? Double.NaN : seconds(last.p99Ns()))
                .quantile(0.999, none ? Double.NaN : seconds(last.p999Ns()))
                .build();
        }

        private static GaugeSnapshot.GaugeDataPointSnapshot gauge(Labels labels, double value) {
            return GaugeSnapshot.GaugeDataPointSnapshot.builder().labels(labels).value(value).build();
        }

        private static <B extends MetricSnapshot.Builder<B>> B named(B builder, String name, String help) {
            return builder.name(name).help(help).unit(Unit.SECONDS);
        }
    }
}
