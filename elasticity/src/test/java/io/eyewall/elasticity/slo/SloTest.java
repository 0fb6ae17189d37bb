package io.eyewall.elasticity.slo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import java.util.OptionalDouble;
import java.util.Set;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SloTest {

    private static final Slo LATENCY = slo(Map.of(SloMetric.LATENCY_MS, 60.0), "knee");
    private static final Slo HYBRID = slo(Map.of(SloMetric.LATENCY_MS, 60.0, SloMetric.JUICE, 0.9), "knee");

    @Test
    void shouldAddUpThePartsOfTheUtilityThatAreAskedFor() {
        Slo slo = Slo.of(Map.of(SloMetric.LATENCY_MS, 60.0, SloMetric.JUICE, 0.9), LatencyStatistic.MEAN, 40, "knee");
        Map<SloMetric, Double> values = Map.of(SloMetric.LATENCY_MS, 120.0, SloMetric.JUICE, 0.45);

        assertEquals(10, slo.utility(values, Set.of(SloMetric.JUICE)).orElseThrow(), 1e-9);
        assertEquals(20, slo.utility(values).orElseThrow(), 1e-9);
        assertEquals(10, slo.utility(Map.of(SloMetric.JUICE, 0.45), Set.of(SloMetric.JUICE)).orElseThrow(), 1e-9, "the latency is unknown");
        assertEquals(0, slo.utility(values, Set.of(SloMetric.THROUGHPUT_PER_SEC)).orElseThrow(), 1e-9, "no threshold");
    }

    @Test
    void shouldFollowTheKneeOfTheLatency() {
        assertEquals(OptionalDouble.of(26.25), LATENCY.utility(Map.of(SloMetric.LATENCY_MS, 80.0)));
        assertEquals(OptionalDouble.of(35), LATENCY.utility(Map.of(SloMetric.LATENCY_MS, 60.0)));
        assertEquals(OptionalDouble.of(35), LATENCY.utility(Map.of(SloMetric.LATENCY_MS, 0.0)));
    }

    @Test
    void shouldFollowTheKneeOfTheThroughput() {
        Slo slo = slo(Map.of(SloMetric.THROUGHPUT_PER_SEC, 1_000.0), "knee");

        assertEquals(OptionalDouble.of(14), slo.utility(Map.of(SloMetric.THROUGHPUT_PER_SEC, 400.0)));
        assertEquals(OptionalDouble.of(35), slo.utility(Map.of(SloMetric.THROUGHPUT_PER_SEC, 2_000.0)));
    }

    @Test
    void shouldBeTheMeanWhenThereAreTwoThresholds() {
        Map<SloMetric, Double> values = Map.of(SloMetric.LATENCY_MS, 80.0, SloMetric.JUICE, 0.95);

        assertEquals(OptionalDouble.of((26.25 + 35) / 2), HYBRID.utility(values));
        assertFalse(HYBRID.isMet(values));
        assertTrue(HYBRID.isMet(Map.of(SloMetric.LATENCY_MS, 50.0, SloMetric.JUICE, 1.0)));
    }

    @Test
    void shouldBeUnknownWhenAFigureIsMissing() {
        assertTrue(HYBRID.utility(Map.of(SloMetric.JUICE, 1.0)).isEmpty());
        assertTrue(HYBRID.utility(Map.of(SloMetric.JUICE, 1.0, SloMetric.LATENCY_MS, Double.NaN)).isEmpty());
        assertFalse(HYBRID.isMet(Map.of(SloMetric.JUICE, 1.0)));
    }

    @Test
    void shouldBeUnknownWhenAUsersClassReturnsNoNumber() {
        Slo slo = new Slo(Map.of(SloMetric.JUICE, 1.0), LatencyStatistic.MEAN, 1, "class x", attainment -> Double.NaN);

        assertTrue(slo.utility(Map.of(SloMetric.JUICE, 0.5)).isEmpty());
    }

    @Property
    void shouldNeverFallWhenThePerformanceImproves(@ForAll @DoubleRange(max = 500) double latencyMs,
            @ForAll @DoubleRange(max = 500) double otherMs, @ForAll @DoubleRange(max = 1) double juice) {
        for (String function : new String[] {"knee", "linear 0.3", "step 0.2:0.1 0.7:0.6", "points 0.5:0 0.9:0.5 1:1", "lognormal"}) {
            Slo slo = slo(HYBRID.thresholds(), function);
            double worse = slo.utility(Map.of(SloMetric.LATENCY_MS, Math.max(latencyMs, otherMs), SloMetric.JUICE, juice)).orElseThrow();
            double better = slo.utility(Map.of(SloMetric.LATENCY_MS, Math.min(latencyMs, otherMs), SloMetric.JUICE, juice)).orElseThrow();
            assertTrue(worse >= 0 && worse <= better && better <= slo.maxUtility(), function + ": " + worse + ", " + better);
        }
    }

    @ParameterizedTest
    @CsvSource({"LATENCY_MS, 0", "LATENCY_MS, -1", "LATENCY_MS, NaN", "JUICE, 1.01", "JUICE, 0", "THROUGHPUT_PER_SEC, Infinity"})
    void shouldRefuseAThresholdThatIsOutOfRange(SloMetric metric, double threshold) {
        IllegalArgumentException refused =
            assertThrows(IllegalArgumentException.class, () -> slo(Map.of(metric, threshold), "knee"));

        assertTrue(refused.getMessage().contains(threshold + " of the " + metric.title() + " is out of range"), refused.getMessage());
    }

    @Test
    void shouldRefuseAnSloWithoutThresholdOrWorth() {
        assertThrows(IllegalArgumentException.class, () -> slo(Map.of(), "knee"));
        assertThrows(IllegalArgumentException.class, () -> Slo.of(LATENCY.thresholds(), LatencyStatistic.MEAN, 0, "knee"));
        assertThrows(IllegalArgumentException.class, () -> slo(LATENCY.thresholds(), "points 0:1 1:0"));
    }

    @Test
    void shouldDescribeItselfInOneLine() {
        assertEquals("p99 latency at most 60 ms and juice at least 0.9, worth 35 (knee)", HYBRID.toString());
    }

    @ParameterizedTest
    @ValueSource(strings = {"mean", "p50", "p99", "p99.9", "p5"})
    void shouldReadTheNameOfAStatistic(String name) {
        assertEquals(name, LatencyStatistic.named(name).toString());
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "median", "p0", "p100", "99", "p-1", "p99.99999", "P99"})
    void shouldSayWhatANameLooksLikeWhenItIsUnknown(String name) {
        IllegalArgumentException refused = assertThrows(IllegalArgumentException.class, () -> LatencyStatistic.named(name));

        assertTrue(refused.getMessage().contains("write mean, or p and a percentile"), refused.getMessage());
    }

    private static Slo slo(Map<SloMetric, Double> thresholds, String function) {
        return Slo.of(thresholds, LatencyStatistic.named("p99"), 35, function);
    }
}
