package io.eyewall.examples.operator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.util.BitSet;
import org.junit.jupiter.api.Test;

class TextFunctionsTest {

    private static final int MESSAGES = 100_000;

    @Test
    void shouldKeepFourFifthsWhenManyMessagesPass() {
        for (long seed = 0; seed < 10; seed++) {
            assertEquals(0.8, kept(seed).cardinality() / (double) MESSAGES, 0.005, "seed " + seed);
        }
    }

    @Test
    void shouldKeepTheSameMessagesForTheSameSeedOnly() {
        assertEquals(kept(1), kept(1));
        assertNotEquals(kept(1), kept(2));
    }

    @Test
    void shouldDropDifferentMessagesInTwoFilters() {
        BitSet both = kept(3);
        both.and(kept(~3L));

        assertEquals(0.64, both.cardinality() / (double) MESSAGES, 0.005);
    }

    @Test
    void shouldReturnTheTextOrNullWhenItFilters() {
        for (long sequence = 0; sequence < 100; sequence++) {
            if (TextFunctions.isKept(sequence, 5)) {
                assertEquals("text", TextFunctions.KEEP_FOUR_FIFTHS.apply("text", sequence, 5));
            } else {
                assertNull(TextFunctions.KEEP_FOUR_FIFTHS.apply("text", sequence, 5));
            }
        }
    }

    @Test
    void shouldPutTheFirstWordLastWhenThereAreSeveral() {
        assertEquals("b c a", TextFunctions.FIRST_WORD_LAST.apply("a b c", 0, 0));
        assertEquals("single", TextFunctions.FIRST_WORD_LAST.apply("single", 0, 0));
    }

    private static BitSet kept(long seed) {
        BitSet kept = new BitSet(MESSAGES);
        for (int sequence = 0; sequence < MESSAGES; sequence++) {
            kept.set(sequence, TextFunctions.isKept(sequence, seed));
        }
        return kept;
    }
}
