package io.eyewall.integration.bench.data;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.eyewall.integration.bench.data.Quantity.Scale;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class QuantityTest {

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {"tuples_per_s | tuples/s", "before_tuples_per_s | before, tuples/s", "mb_per_s | MB/s",
        "cpu_s_per_million_tuples | CPU, s per million tuples", "cpu_us_per_message | CPU, us per message", "p99.9_ns | p99.9, ms",
        "p99_of_the_worst_second_ns | p99 of the worst second, ms", "stolen_percent | stolen, %", "live_heap_mb | live heap, MB",
        "settled_after_s | settled after, s", "workers_restarted | workers restarted", "seconds_at_zero | seconds at zero"})
    void shouldHaveItsUnitInTheTitle(String column, String title) {
        assertEquals(title, new Quantity(column).title(Scale.MS));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {"tuples_per_s | 3921456.3 | 3,920,000", "tuples_per_s | 652.4 | 652", "tuples_per_s | 0.0 | 0",
        "cpu_s_per_million_tuples | 1.7849 | 1.78", "cpu_s_per_million_tuples | 0.12345 | 0.123", "cpu_s_per_million_tuples | 2 | 2",
        "messages_missing | 6119 | 6,119", "gain_percent | -12.5 | -12.5", "p99_ns | 1234567 | 1.23", "p99_ns | 85e4 | 0.85"})
    void shouldShowThreeSignificantDigitsAndNumbersOfThingsInFull(String column, String figure, String expected) {
        assertEquals(expected, new Quantity(column).show(new BigDecimal(figure), Scale.MS));
    }

    @Test
    void shouldTakeTheLargestUnitThatSuitsTheSmallestTime() {
        assertEquals(Scale.US, Scale.of(times("85800", "1610000")));
        assertEquals(Scale.MS, Scale.of(times("100000", "79000000")));
        assertEquals(Scale.MS, Scale.of(times("163000000")));
        assertEquals(Scale.S, Scale.of(times("1000000000")));
        assertEquals(Scale.NS, Scale.of(times("3.2")));
        assertEquals(Scale.US, Scale.of(times("0", "640")));
        assertEquals(Scale.NS, Scale.of(List.of()));
    }

    private static List<BigDecimal> times(String... ns) {
        return Arrays.stream(ns).map(BigDecimal::new).toList();
    }
}
