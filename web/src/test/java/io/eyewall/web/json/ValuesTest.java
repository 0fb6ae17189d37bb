package io.eyewall.web.json;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Locale;
import org.junit.jupiter.api.Test;

class ValuesTest {

    @Test
    void shouldWriteADurationFromItsLargestUnit() {
        assertEquals("0s", Values.duration(0));
        assertEquals("59s", Values.duration(59));
        assertEquals("10m 0s", Values.duration(600));
        assertEquals("3h 0m 0s", Values.duration(10_800));
        assertEquals("1d 0h 0m 0s", Values.duration(86_400));
        assertEquals("400d 1h 1m 1s", Values.duration(400L * 86_400 + 3_661));
    }

    @Test
    void shouldWriteNumbersWithAPointWhereverItRuns() {
        Locale before = Locale.getDefault();
        try {
            Locale.setDefault(Locale.GERMANY);
            assertEquals("0.048", Values.number(0.0481));
        } finally {
            Locale.setDefault(before);
        }
    }
}
