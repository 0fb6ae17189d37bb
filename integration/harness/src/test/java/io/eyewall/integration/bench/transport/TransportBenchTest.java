package io.eyewall.integration.bench.transport;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.math.BigDecimal;
import java.util.Map;
import org.junit.jupiter.api.Test;

class TransportBenchTest {

    @Test
    void shouldHaveHalfARoundTripInNanoseconds() {
        assertEquals(Map.of("half_round_trip_ns", new BigDecimal("5300")), TransportBench.figures(false, 64, new double[] {5.3}));
    }

    @Test
    void shouldHaveRateBandwidthAndCpuOfAStream() {
        assertEquals(Map.of("messages_per_s", new BigDecimal("1000"), "mb_per_s", new BigDecimal("65.5"), "cpu_us_per_message",
            new BigDecimal("2.000")), TransportBench.figures(true, 65_536, new double[] {1_000, 2}));
    }

    @Test
    void shouldLeaveOutWhatIsNotMeasured() {
        assertEquals(Map.of("messages_per_s", new BigDecimal("1000"), "mb_per_s", new BigDecimal("0.1")),
            TransportBench.figures(true, 64, new double[] {1_000, Double.NaN}));
    }
}
