package io.eyewall.core.metrics;

import com.codahale.metrics.Counting;
import com.codahale.metrics.Gauge;
import com.codahale.metrics.Meter;
import com.codahale.metrics.Metric;
import com.codahale.metrics.MetricRegistry;
import com.codahale.metrics.Sampling;
import com.codahale.metrics.Snapshot;
import com.codahale.metrics.Timer;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/**
 * The figures of a registry in Prometheus's text format. The name of a metric is Storm's with {@code storm_} in front and {@code _} for
 * each sign that Prometheus does not know. A gauge that is no number is left out.
 */
final class PrometheusText {

    private static final double[] QUANTILES = {0.5, 0.9, 0.99};
    private static final double NS_PER_SEC = TimeUnit.SECONDS.toNanos(1);

    private final StringBuilder page = new StringBuilder();
    private final Set<String> names = new HashSet<>();

    private PrometheusText() {
    }

    static String of(MetricRegistry registry) {
        PrometheusText page = new PrometheusText();
        for (Map.Entry<String, Metric> entry : new TreeMap<>(registry.getMetrics()).entrySet()) {
            String name = "storm_" + entry.getKey().replaceAll("[^a-zA-Z0-9_]", "_");
            if (page.names.add(name)) {
                page.add(name, entry.getValue());
            }
        }
        return page.page.toString();
    }

    private void add(String name, Metric metric) {
        if (metric instanceof Gauge<?> gauge) {
            Object value = gauge.getValue();
            if (value instanceof Number number) {
                one(name, "gauge", number.doubleValue());
            } else if (value instanceof Boolean flag) {
                one(name, "gauge", flag ? 1 : 0);
            }
        } else if (metric instanceof Sampling sampling && metric instanceof Counting counting) {
            boolean isTime = metric instanceof Timer;
            summary(isTime ? name + "_seconds" : name, sampling.getSnapshot(), counting.getCount(), isTime ? NS_PER_SEC : 1);
        } else if (metric instanceof Counting counting) {
            // A meter only grows; a counter of Storm's may fall.
            boolean isMeter = metric instanceof Meter;
            one(isMeter ? name + "_total" : name, isMeter ? "counter" : "gauge", (double) counting.getCount());
        }
    }

    private void summary(String name, Snapshot snapshot, long count, double unit) {
        page.append("# TYPE ").append(name).append(" summary\n");
        for (double quantile : QUANTILES) {
            page.append(name).append("{quantile=\"").append(quantile).append("\"} ").append(snapshot.getValue(quantile) / unit)
                .append('\n');
        }
        page.append(name).append("_count ").append(count).append('\n');
    }

    private void one(String name, String type, double value) {
        page.append("# TYPE ").append(name).append(' ').append(type).append('\n').append(name).append(' ').append(value).append('\n');
    }
}
