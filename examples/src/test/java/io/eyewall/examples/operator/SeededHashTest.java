package io.eyewall.examples.operator;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class SeededHashTest {

    @Test
    void shouldReturnTheSequenceOfSplitMix64WhenNumbersCountUp() {
        assertEquals(0xe220a8397b1dcdafL, SeededHash.of(0, 1));
        assertEquals(0x6e789e6aa1b965f4L, SeededHash.of(0, 2));
        assertEquals(0x06c45d188009454fL, SeededHash.of(0, 3));
    }
}
