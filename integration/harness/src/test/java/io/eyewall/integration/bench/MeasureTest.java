package io.eyewall.integration.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MeasureTest {

    @Test
    void shouldTakeItsFigureFromARun() {
        RunResult run = BenchResults.run(200_000, 1000, 3);

        assertEquals(200_000, Measure.THROUGHPUT.of(run));
        assertEquals(1.5, Measure.CPU.of(run), 1e-9);
        assertEquals(500_000, Measure.P50.of(run), 500);
        assertEquals(999_000, Measure.P99_9.of(run), 1000);
        assertEquals(1_000_000, Measure.MAX.of(run), 1000);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {"THROUGHPUT | 3921456 | 3,920,000", "THROUGHPUT | 652.4 | 652", "CPU | 1.7849 | 1.78",
        "CPU | 0.12345 | 0.123", "CPU | 12.34 | 12.3", "CPU | 2 | 2.0", "P99 | 1234567 | 1.23 ms", "MAX | 640 | 640 ns"})
    void shouldShowThreeSignificantDigits(Measure measure, double figure, String expected) {
        assertEquals(expected, measure.format(figure));
    }
}
