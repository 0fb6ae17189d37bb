package io.eyewall.tail.output;

import com.codahale.metrics.Gauge;
import io.eyewall.tail.recording.HopKey;
import io.eyewall.tail.recording.MeasuringPoint;
import java.util.HashMap;
import java.util.Map;
import org.HdrHistogram.Histogram;
import org.apache.storm.Constants;
import org.apache.storm.metrics2.StormMetricRegistry;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Shows the figures of the last interval as gauges in a worker's metrics, for every reporter that is configured:
 * {@code latency-<point>-count}, and {@code -p50-ns}, {@code -p90-ns}, {@code -p99-ns}, {@code -p999-ns}, {@code -max-ns}. They are 0
 * if nothing was recorded. If values depend on the clocks of two hosts, there is {@code -clock-error-ns}, too.
 *
 * <p>There is one set for each component and point, not for each task and source: reporters send every gauge every few seconds, and
 * percentiles of tasks cannot be merged where they arrive. Tasks and sources are in the interval log and at the endpoint.
 */
final class HopGauges implements IntervalOutput {

    private static final Logger LOG = LoggerFactory.getLogger(HopGauges.class);

    private final StormMetricRegistry registry;
    private final Map<Group, Figures> figures = new HashMap<>();

    /** The component and point whose hops are being added up, or null. */
    private Group current;
    private final Histogram sum;
    private long clockErrorNs;

    HopGauges(StormMetricRegistry registry, int precisionDigits) {
        this.registry = registry;
        sum = new Histogram(precisionDigits);
    }

    @Override
    public void begin(long startMs, long endMs) {
        current = null;
    }

    @Override
    public void hop(HopKey key, Histogram interval, long hopClockErrorNs) {
        if (current == null || key.point() != current.point || !key.component().equals(current.component)) {
            end();
            current = new Group(key.component(), key.point());
            sum.reset();
            clockErrorNs = 0;
        }
        clockErrorNs = Math.max(clockErrorNs, hopClockErrorNs);
        if (interval.getTotalCount() > 0) {
            sum.add(interval);
        }
    }

    @Override
    public void end() {
        if (current != null) {
            Figures shown = figures.computeIfAbsent(current, this::register);
            shown.last = HopPercentiles.of(sum);
            if (shown.clockErrorNs == 0 && clockErrorNs > 0) {
                gauge(current, "clock-error-ns", () -> shown.clockErrorNs);
            }
            shown.clockErrorNs = clockErrorNs;
            current = null;
        }
    }

    private Figures register(Group group) {
        Figures shown = new Figures();
        gauge(group, "count", () -> shown.last.count());
        gauge(group, "p50-ns", () -> shown.last.p50Ns());
        gauge(group, "p90-ns", () -> shown.last.p90Ns());
        gauge(group, "p99-ns", () -> shown.last.p99Ns());
        gauge(group, "p999-ns", () -> shown.last.p999Ns());
        gauge(group, "max-ns", () -> shown.last.maxNs());
        return shown;
    }

    private void gauge(Group group, String figure, Gauge<Long> value) {
        String name = "latency-" + group.point.label() + '-' + figure;
        try {
            registry.gauge(name, value, group.component, (int) Constants.SYSTEM_TASK_ID);
        } catch (IllegalArgumentException e) {
            LOG.warn("The gauge {} of component {} is not shown: {}. Storm writes a dot in a name as _; rename one of the two.", name,
                group.component, e.getMessage());
        }
    }

    private record Group(String component, MeasuringPoint point) {
    }

    /** Written by the reporting thread, read by any. */
    private static final class Figures {
        private volatile HopPercentiles last = HopPercentiles.NONE;
        private volatile long clockErrorNs;
    }
}
