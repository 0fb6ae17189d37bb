package io.eyewall.client.substitute;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import com.codahale.metrics.Counter;
import com.codahale.metrics.Gauge;
import com.codahale.metrics.Metric;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.storm.Config;
import org.apache.storm.generated.StormTopology;
import org.apache.storm.metrics2.StormMetricRegistry;
import org.apache.storm.metrics2.TaskMetrics;
import org.apache.storm.task.WorkerTopologyContext;
import org.junit.jupiter.api.Test;

/** The same calls on upstream's metrics: the same names with the same values come of them. */
class TaskMetricsByStreamTest {

    private static final int TASK = 7;
    private static final int PORT = 6700;

    private final Map<String, Object> conf = new HashMap<>(Map.of(Config.TOPOLOGY_STATS_SAMPLE_RATE, 0.05));
    private final StormMetricRegistry upstreamRegistry = new StormMetricRegistry();
    private final StormMetricRegistry registry = new StormMetricRegistry();
    private final TaskMetrics upstream = new TaskMetrics(context(), "count", TASK, upstreamRegistry, conf);
    private final TaskMetrics metrics = new TaskMetricsByStream(context(), "count", TASK, registry, conf);

    @Test
    void shouldCountAndTimeAsUpstreamDoes() {
        for (TaskMetrics each : List.of(upstream, metrics)) {
            for (String stream : List.of("default", "late", "default")) {
                each.emittedTuple(stream);
                each.transferredTuples(stream, 3);
                each.boltExecuteTuple("split", stream, 5);
                each.boltAckedTuple("split", stream, 7);
                each.spoutAckedTuple(stream, 11);
                each.boltFailedTuple("split", stream);
                each.spoutFailedTuple(stream);
            }
            List.of(2, 4, 6).forEach(latencyMs -> each.boltExecuteTuple("lines", "default", latencyMs));
            each.setCapacity(0.5);
        }

        assertEquals(values(upstreamRegistry), values(registry));
        assertEquals(4.0, gauge("__execute-latency-lines:default"));
        assertEquals(120L, count("__transfer-count-default"));
    }

    @Test
    void shouldHaveNoMetricOfAStreamBeforeItsFirstTuple() {
        metrics.boltExecuteTuple("split", "default", 5);

        assertEquals(20L, count("__execute-count-split:default"));
        assertFalse(values(registry).keySet().stream().anyMatch(name -> name.contains("ack") || name.contains("emit")));
    }

    /** What reporters get to see of counters and of gauges that move only when something happens, by name. */
    private static Map<String, Object> values(StormMetricRegistry from) {
        Map<String, Object> values = new TreeMap<>();
        for (Map.Entry<String, Metric> each : from.getRegistry().getMetrics().entrySet()) {
            Metric metric = each.getValue();
            values.put(each.getKey(), metric instanceof Counter counter ? counter.getCount() : ((Gauge<?>) metric).getValue());
        }
        return values;
    }

    private long count(String name) {
        return registry.getTaskCounters(TASK).get(name).getCount();
    }

    private Object gauge(String name) {
        return registry.getTaskGauges(TASK).get(name).getValue();
    }

    private WorkerTopologyContext context() {
        return new WorkerTopologyContext(new StormTopology(Map.of(), Map.of(), Map.of()), conf, Map.of(TASK, "count"),
            Map.of("count", List.of(TASK)), Map.of(), "test-1", null, null, PORT, List.of(TASK), new HashMap<>(), new HashMap<>(),
            new AtomicReference<>(Map.of()), "here", new AtomicReference<>(Map.of()));
    }
}
