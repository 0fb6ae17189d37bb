package io.eyewall.tail.balance;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.codahale.metrics.Gauge;
import java.util.List;
import java.util.Map;
import org.apache.storm.metrics2.StormMetricRegistry;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class BalancingGaugesTest {

    private static final Map<Integer, String> COMPONENTS = Map.of(3, "work", 4, "work", 5, "work");

    private final StormMetricRegistry metrics = new StormMetricRegistry();
    private final BalancingGauges gauges = new BalancingGauges();
    /** The gauges alone do not keep groupings. */
    private final List<WeightedShuffle> inUse =
        List.of(new WeightedShuffle(List.of(3, 4), 0.5, 0), new WeightedShuffle(List.of(3, 4, 5), 0.5, 0));

    @BeforeEach
    void showInMetrics() {
        gauges.showIn(metrics);
    }

    @Test
    void shouldShowLatenciesUntilTheirTasksLeaveAndAgainWhenTheyComeBack() {
        gauges.show(Map.of(3, 7.0, 4, 8.0), COMPONENTS);
        gauges.forget(List.of(3, 5));
        assertEquals(List.of(8.0), values("balancing-latency-ns"));

        gauges.show(Map.of(3, 9.0), COMPONENTS);
        assertEquals(List.of(8.0, 9.0), values("balancing-latency-ns"));
    }

    @Test
    void shouldShowTheSharesOfTasksThatAreSentToLaterToo() {
        for (WeightedShuffle grouping : inUse) {
            gauges.show("words", "default", "work", grouping);
        }

        assertEquals(List.of((1.0 / 3 + 0) / 2), values("share-default-work-5"));
        assertEquals(List.of((1.0 / 3 + 1.0 / 2) / 2), values("share-default-work-3"));
    }

    private List<Double> values(String name) {
        return metrics.getRegistry().getGauges((each, gauge) -> each.contains(name)).values().stream()
            .map(gauge -> (Double) ((Gauge<?>) gauge).getValue()).sorted().toList();
    }
}
