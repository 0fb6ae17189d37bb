package io.eyewall.integration.bench.transport;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;

class TransportTableTest {

    private final TransportTable table = new TransportTable(List.of("a", "b"), List.of(64, 65_536), List.of(
        List.of(figures(10, 2, 40, 8), figures(5, 1, 80, 4)),
        List.of(figures(20, 2, 40, 8), figures(15, 1, 80, 4))));

    @Test
    void shouldShowLatenciesAndTheirRatios() {
        assertEquals(List.of("", "| half a round trip, us | a | b |", "|---|---|---|",
            "| 64 B | 15.0 | 10.0 (0.63 [0.50 - 0.75]) |", "| 64 KB | 40.0 | 80.0 (2.00) |"), table.lines(false));
    }

    @Test
    void shouldShowRatesBandwidthAndCpu() {
        List<String> lines = table.lines(true);
        assertEquals(15, lines.size());
        assertEquals("| messages/s | a | b |", lines.get(1));
        assertEquals("| 64 KB | 3 | 5 (2.00) |", lines.get(9));
        assertEquals("| 64 B | 2.00 | 1.00 (0.50) |", lines.get(13));
    }

    @Test
    void shouldShowADashForWhatIsNotMeasured() {
        TransportTable partly = new TransportTable(List.of("a", "b"), List.of(64),
            List.of(List.of(List.of(new double[] {10, 2}), List.of(new double[] {20, Double.NaN}))));
        List<String> lines = partly.lines(true);
        assertEquals("| 64 B | 10 | 20 (2.00) |", lines.get(3));
        assertEquals("| 64 B | 2.00 | - |", lines.get(11));
    }

    private static List<double[]> figures(double first, double firstCpu, double second, double secondCpu) {
        return List.of(new double[] {first, firstCpu}, new double[] {second, secondCpu});
    }
}
