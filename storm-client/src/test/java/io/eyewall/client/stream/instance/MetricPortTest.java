package io.eyewall.client.stream.instance;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import org.apache.storm.Config;
import org.apache.storm.generated.StormTopology;
import org.apache.storm.metrics2.StormMetricRegistry;
import org.apache.storm.task.TopologyContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class MetricPortTest {

    private static final int SYSTEM_TASK = -1;
    private static final int SLOT_PORT = 6700;

    private final Map<String, Object> conf = Map.of(Config.STORM_ID, "test-1");
    private final StormMetricRegistry registry = new StormMetricRegistry();

    @AfterEach
    void stop() {
        MetricPort.set(null);
        registry.stop();
    }

    @Test
    void shouldNameTheMetricsOfAWorkerByItsPort() {
        assertEquals(Set.of("__system.-1.6700-heap", "__system.default.-1.6700-sent", "__system.-1.6700-uptime"), names());
        assertEquals(Set.of("6700"), ports());
    }

    @Test
    void shouldNameTheMetricsOfAnInstanceByAPortOfItsOwn() {
        MetricPort.set(65_540);

        assertEquals(Set.of("__system.-1.65540-heap", "__system.default.-1.65540-sent", "__system.-1.65540-uptime"), names());
        assertEquals(Set.of("65540"), ports());
    }

    /** The ends of the names of one metric of each kind, behind the name of this host. */
    private Set<String> names() {
        registry.start(conf, SLOT_PORT);
        TopologyContext context = new TopologyContext(new StormTopology(Map.of(), Map.of(), Map.of()), conf,
            Map.of(SYSTEM_TASK, "__system"), Map.of("__system", List.of(SYSTEM_TASK)), Map.of(), Map.of(), "test-1", null, null,
            SYSTEM_TASK, SLOT_PORT, List.of(SYSTEM_TASK), Map.of(), Map.of(), Map.of(), Map.of(), new AtomicBoolean(), registry);
        registry.gauge(0L, "heap", "test-1", "__system", SYSTEM_TASK, SLOT_PORT);
        registry.meter("sent", context, "__system", SYSTEM_TASK, "default");
        registry.gauge("uptime", () -> 0L, context);
        return registry.getRegistry().getNames().stream().map(name -> name.substring(name.indexOf("__system")))
            .collect(Collectors.toCollection(TreeSet::new));
    }

    /** In the dimensions of the metrics. */
    private Set<String> ports() {
        return registry.getTaskMetrics().keySet().stream().map(metric -> metric.getDimensions().get("port")).collect(Collectors.toSet());
    }
}
