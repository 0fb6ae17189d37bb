package io.eyewall.tail.output;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.eyewall.tail.recording.HopKey;
import io.eyewall.tail.recording.HopRecorder;
import io.eyewall.tail.recording.MeasuringPoint;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.storm.Config;
import org.apache.storm.metrics2.StormMetricRegistry;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class HopGaugesTest {

    private final RecordedHops hops = new RecordedHops();
    private final StormMetricRegistry registry = new StormMetricRegistry();
    private final HopGauges gauges = new HopGauges(registry, RecordedHops.PRECISION_DIGITS);

    @BeforeEach
    void startRegistry() {
        registry.start(Map.of(Config.STORM_ID, "chain-1-1700000000"), 6700);
    }

    @AfterEach
    void stopRegistry() {
        registry.stop();
    }

    @Test
    void shouldShowTheFiguresOfTheLastIntervalForEachComponentAndPoint() {
        HopRecorder first = hops.record(new HopKey(MeasuringPoint.EXECUTE, "split", 3, "words:default"));
        HopRecorder second = hops.record(new HopKey(MeasuringPoint.EXECUTE, "split", 4, "words:other"));
        for (int i = 1; i <= 500; i++) {
            first.record(i);
            second.record(500 + i);
        }
        hops.record(new HopKey(MeasuringPoint.NETWORK, "__worker", -1, "b:6700"), 70);
        close();

        assertEquals(Map.ofEntries(
            Map.entry("split.-1.6700-latency-execute-count", 1_000L),
            Map.entry("split.-1.6700-latency-execute-p50-ns", 500L),
            Map.entry("split.-1.6700-latency-execute-p90-ns", 900L),
            Map.entry("split.-1.6700-latency-execute-p99-ns", 990L),
            Map.entry("split.-1.6700-latency-execute-p999-ns", 999L),
            Map.entry("split.-1.6700-latency-execute-max-ns", 1_000L),
            Map.entry("__worker.-1.6700-latency-network-count", 1L),
            Map.entry("__worker.-1.6700-latency-network-p50-ns", 70L),
            Map.entry("__worker.-1.6700-latency-network-p90-ns", 70L),
            Map.entry("__worker.-1.6700-latency-network-p99-ns", 70L),
            Map.entry("__worker.-1.6700-latency-network-p999-ns", 70L),
            Map.entry("__worker.-1.6700-latency-network-max-ns", 70L)), shown());
        assertEquals(shown().size(), registry.getTaskGauges(-1).size(), "reporters of single tasks find them, too");
    }

    @Test
    void shouldShowTheLargestErrorOfTheClocksWhereThereIsOne() {
        HopRecorder one = hops.record(new HopKey(MeasuringPoint.NETWORK, "__worker", -1, "b:6700"));
        HopRecorder other = hops.record(new HopKey(MeasuringPoint.NETWORK, "__worker", -1, "c:6700"));
        one.record(70, 0);
        close();
        assertEquals(6, shown().size());
        one.record(70, 30);
        other.record(70, 20);
        close();
        assertEquals(30, shown().get("__worker.-1.6700-latency-network-clock-error-ns"));
    }

    @Test
    void shouldReadZeroWhenNothingWasRecordedInTheLastInterval() {
        hops.record(new HopKey(MeasuringPoint.EXECUTE, "split", 3, "words:default"), 5);
        close();
        assertEquals(1, shown().get("split.-1.6700-latency-execute-count"));
        close();
        assertEquals(6, shown().size());
        shown().forEach((name, value) -> assertEquals(0, value, name));
    }

    @Test
    void shouldNotGrowWithTasksAndSources() {
        for (int task = 0; task < 50; task++) {
            for (int source = 0; source < 10; source++) {
                hops.record(new HopKey(MeasuringPoint.EXECUTE, "split", task, "words:" + source), task);
            }
        }
        close();
        assertEquals(6, shown().size());
        assertEquals(500, shown().get("split.-1.6700-latency-execute-count"));
    }

    @Test
    void shouldShowTheOthersWhenTheNameOfAGaugeIsTaken() {
        hops.record(new HopKey(MeasuringPoint.EXECUTE, "a.b", 3, "words:default"), 5);
        hops.record(new HopKey(MeasuringPoint.EXECUTE, "a_b", 4, "words:default"), 7);
        hops.record(new HopKey(MeasuringPoint.EXECUTE, "split", 5, "words:default"), 9);
        close();
        close();
        hops.record(new HopKey(MeasuringPoint.EXECUTE, "split", 5, "words:other"), 9);
        close();

        assertEquals(1, shown().get("split.-1.6700-latency-execute-count"));
        assertEquals(12, shown().size(), "one set for both of the same name");
    }

    private void close() {
        hops.collector().closeInterval(0, 10_000, List.of(gauges));
    }

    /** The gauges by the part of their name that follows topology and host. */
    private Map<String, Long> shown() {
        Map<String, Long> shown = new TreeMap<>();
        registry.getRegistry().getGauges().forEach((name, gauge) -> {
            Matcher parts = Pattern.compile("storm\\.worker\\.chain-1-1700000000\\.[^.]+\\.(.*)").matcher(name);
            assertTrue(parts.matches(), name);
            shown.put(parts.group(1), (Long) gauge.getValue());
        });
        return shown;
    }
}
