package io.eyewall.integration.bench.transport;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

class ProbePairTest {

    private static final List<Integer> SIZES_BYTES = List.of(64, 600_000);

    private final TransportSide netty = new ProbePair("Netty", "2.8.3", System.getProperty("java.class.path"), List.of());

    @Test
    void shouldMeasureLatencies() throws Exception {
        assertSensible(netty.measure("ping-pong", SIZES_BYTES, 200));
    }

    @Test
    void shouldMeasureRates() throws Exception {
        assertSensible(netty.measure("stream", SIZES_BYTES, 200));
    }

    @Test
    void shouldNameTheSideWhoseProcessEnds() {
        TransportSide nowhere = new ProbePair("nowhere", "0", "no-such-directory", List.of());
        assertTrue(assertThrows(IOException.class, () -> nowhere.measure("stream", SIZES_BYTES, 1)).getMessage()
            .startsWith("A process of nowhere ended before it printed"));
    }

    private static void assertSensible(List<double[]> figures) {
        assertEquals(2, figures.size());
        figures.forEach(figure -> assertTrue(figure[0] > 0 && figure[1] > 0));
    }
}
