package io.eyewall.core.report;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HumanTimeTest {

    @ParameterizedTest
    @CsvSource({
        "0, 0 ns", "7, 7 ns", "812, 812 ns", "999, 999 ns", "1000, 1.00 us", "9994, 9.99 us", "9996, 10.0 us", "45600, 45.6 us",
        "99960, 100 us", "999499, 999 us", "999500, 1.00 ms", "1234567, 1.23 ms", "61200000000, 61.2 s", "3600000000000, 3600 s"})
    void shouldShowThreeSignificantDigits(long durationNs, String expected) {
        assertEquals(expected, HumanTime.of(durationNs));
    }
}
