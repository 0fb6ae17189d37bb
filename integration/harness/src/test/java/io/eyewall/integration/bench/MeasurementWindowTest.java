package io.eyewall.integration.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.util.Arrays;
import java.util.Iterator;
import java.util.Map;
import org.junit.jupiter.api.Test;

class MeasurementWindowTest {

    @Test
    void shouldMeasureOnceWhenTheHostLeavesItAlone() throws IOException, InterruptedException {
        assertEquals(0.05, leastStolen(0.05, 0).stolen());
    }

    @Test
    void shouldMeasureAgainWhenTheHostWithheldMuch() throws IOException, InterruptedException {
        assertEquals(0.01, leastStolen(0.51, 0.01, 0).stolen());
    }

    @Test
    void shouldTakeTheLeastDisturbedOfThree() throws IOException, InterruptedException {
        assertEquals(0.1, leastStolen(0.51, 0.1, 0.2, 0).stolen());
    }

    @Test
    void shouldNoticeProcessesThatEndOrBegin() {
        assertEquals(true, window(Map.of(1L, 0.0, 2L, 0.0), Map.of(1L, 1.0, 2L, 0.5)).hasSameProcesses());
        assertEquals(false, window(Map.of(1L, 0.0, 2L, 0.0), Map.of(1L, 1.0, 3L, 0.5)).hasSameProcesses());
        assertEquals(false, window(Map.of(1L, 0.0), Map.of(1L, 1.0, 3L, 0.5)).hasSameProcesses());
        assertEquals(false, window(Map.of(), Map.of()).hasSameProcesses());
        assertEquals(1.5, window(Map.of(1L, 10.0, 2L, 1.0), Map.of(1L, 11.0, 2L, 1.5)).cpuSeconds());
    }

    private static MeasurementWindow window(Map<Long, Double> cpuAtStart, Map<Long, Double> cpuAtEnd) {
        return new MeasurementWindow(1_000, 2_000, cpuAtStart, cpuAtEnd, 0);
    }

    private static MeasurementWindow leastStolen(double... stolen) throws IOException, InterruptedException {
        Iterator<Double> each = Arrays.stream(stolen).iterator();
        return MeasurementWindow.leastStolen(() -> new MeasurementWindow(1_000, 2_000, Map.of(), Map.of(), each.next()));
    }
}
