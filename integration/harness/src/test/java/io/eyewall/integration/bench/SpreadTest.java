package io.eyewall.integration.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class SpreadTest {

    @Test
    void shouldTakeTheMiddleFigureOfAnOddNumber() {
        assertEquals(new Spread(3, 1, 9), Spread.of(9, 1, 3));
    }

    @Test
    void shouldTakeTheMeanOfTheMiddleTwoOfAnEvenNumber() {
        assertEquals(new Spread(4, 1, 9), Spread.of(9, 1, 3, 5));
    }

    @Test
    void shouldShowOneFigureWithoutEnds() {
        assertEquals("7.0", Spread.of(7).format(String::valueOf));
        assertEquals("7.0 [6.0 - 9.0]", Spread.of(7, 6, 9).format(String::valueOf));
    }
}
