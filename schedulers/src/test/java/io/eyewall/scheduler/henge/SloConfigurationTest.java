package io.eyewall.scheduler.henge;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.storm.utils.Utils;
import org.apache.storm.validation.ConfigValidation;
import org.junit.jupiter.api.Test;

class SloConfigurationTest {

    @Test
    void shouldHaveNoSloWithoutAnObjective() {
        assertEquals(Optional.empty(), new SloConfiguration().slo());
        assertEquals(Optional.empty(), new SloConfiguration(Map.of("topology.slo.utility.max", 5, "topology.slo.latency.ms", 0)).slo());
    }

    @Test
    void shouldReadAnSlo() {
        assertEquals("p99 latency at most 60 ms, worth 1 (knee)", slo(Map.of("topology.slo.latency.ms", 60)));
        assertEquals("mean latency at most 1.5 ms and juice at least 0.9 and throughput at least 100 tuples/s, worth 35 (points 0.5:0 1:1)",
            slo(Map.of("topology.slo.latency.ms", 1.5, "topology.slo.latency.percentile", "mean", "topology.slo.juice.min", 0.9,
                "topology.slo.throughput.min", 100, "topology.slo.utility.max", 35,
                "topology.slo.utility.function", "points 0.5:0 1:1")));
    }

    @Test
    void shouldRefuseABadValueInOneLineThatSaysWhatIsWrong() {
        Map<String, List<Object>> bad = Map.of(
            "topology.slo.latency.ms", List.of(-1, "fast", Double.NaN, Double.POSITIVE_INFINITY),
            "topology.slo.latency.percentile", List.of("p100", "median", 99),
            "topology.slo.juice.min", List.of(1.1, -0.1, "0.5"),
            "topology.slo.throughput.min", List.of(-5, true),
            "topology.slo.utility.max", List.of(0, -1),
            "topology.slo.utility.function", List.of("bumpy", "points 0.5:0.8 0.9:0.2 1:1", "class no.such.Class", ""));
        bad.forEach((key, values) -> values.forEach(value -> {
            String message = assertThrows(IllegalArgumentException.class, () -> new SloConfiguration(Map.of(key, value))).getMessage();
            assertTrue(message.startsWith(key + " is '" + value + "', but must be "), message);
            assertEquals(1, message.lines().count(), message);
        }));
        assertTrue(refusal("points 0.5:0.8 0.9:0.2 1:1").contains("What is wrong: "), refusal("points 0.5:0.8 0.9:0.2 1:1"));
        assertTrue(refusal("class no.such.Class").endsWith("What is wrong: there is no class no.such.Class on the class path of Nimbus."),
            refusal("class no.such.Class"));
    }

    @Test
    void shouldBeCheckedByStormsOwnValidation() {
        Map<String, Object> conf = new HashMap<>(Utils.readDefaultConfig());
        conf.put("topology.slo.latency.ms", 50);
        ConfigValidation.validateFields(conf);
        conf.put("topology.slo.utility.function", "points 1:0.3");

        String message = assertThrows(IllegalArgumentException.class, () -> ConfigValidation.validateFields(conf)).getMessage();

        assertTrue(message.startsWith("topology.slo.utility.function is 'points 1:0.3', but must be one of these, which must not fall: "
            + "knee;"), message);
        assertTrue(message.endsWith("What is wrong: the last of the points must be 1:1, since a met SLO is worth the maximum."), message);
    }

    private static String slo(Map<String, Object> conf) {
        return new SloConfiguration(conf).slo().orElseThrow().toString();
    }

    private static String refusal(String function) {
        return assertThrows(IllegalArgumentException.class,
            () -> new SloConfiguration(Map.of("topology.slo.utility.function", function))).getMessage();
    }
}
