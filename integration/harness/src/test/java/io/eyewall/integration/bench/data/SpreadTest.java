package io.eyewall.integration.bench.data;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.math.BigDecimal;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class SpreadTest {

    @Test
    void shouldTakeTheMiddleFigureOfAnOddNumber() {
        assertEquals(spread("3", "1", "9"), of("9", "1", "3"));
    }

    @Test
    void shouldTakeTheMeanOfTheMiddleTwoOfAnEvenNumber() {
        assertEquals(spread("4", "1", "9"), of("9", "1", "3", "5"));
        assertEquals(spread("3.5", "1", "9"), of("9", "1", "3", "4"));
    }

    @Test
    void shouldShowOneFigureWithoutEnds() {
        assertEquals("7", of("7").show(BigDecimal::toString));
        assertEquals("7", of("7", "7.0").show(figure -> String.valueOf(figure.intValue())));
        assertEquals("7 [6 - 9]", spread("7", "6", "9").show(BigDecimal::toString));
    }

    @Test
    void shouldShowWhatIsKnownWhenNotAllIs() {
        assertEquals("6 - 9", spread(null, "6", "9").show(BigDecimal::toString));
        assertEquals("0", spread(null, "0", "0").show(BigDecimal::toString));
        assertEquals("6 or more", spread(null, "6", null).show(BigDecimal::toString));
        assertEquals("up to 9", spread(null, null, "9").show(BigDecimal::toString));
        assertEquals("", spread(null, null, null).show(BigDecimal::toString));
        assertTrue(spread(null, null, null).isEmpty());
        assertFalse(spread(null, null, "9").isEmpty());
    }

    private static Spread of(String... figures) {
        return Spread.of(Arrays.stream(figures).map(BigDecimal::new).toList());
    }

    private static Spread spread(String median, String minimum, String maximum) {
        return new Spread(decimal(median), decimal(minimum), decimal(maximum));
    }

    private static BigDecimal decimal(String figure) {
        return figure == null ? null : new BigDecimal(figure);
    }
}
