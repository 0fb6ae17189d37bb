package io.eyewall.examples.measuring;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Iterator;
import java.util.List;
import org.junit.jupiter.api.Test;

class PaceTest {

    private static final long SEC = 1_000_000_000;
    private static final long MS = 1_000_000;

    @Test
    void shouldSpaceDueTimesByThePeriodWhenItAdvances() {
        Pace pace = new Pace(4, 0.5, () -> 1);
        pace.start(SEC);

        assertEquals(1125 * MS, pace.nextDueNs());
        pace.advance();
        assertEquals(1375 * MS, pace.nextDueNs());
        pace.advance();
        assertEquals(1625 * MS, pace.nextDueNs());
    }

    @Test
    void shouldNotDriftWhenThePeriodIsNotAWholeNumberOfNanoseconds() {
        Pace pace = new Pace(3, 0, () -> 1);
        pace.start(0);
        for (int message = 0; message < 3_000_000; message++) {
            pace.advance();
        }

        assertEquals(1_000_000 * SEC, pace.nextDueNs());
    }

    @Test
    void shouldSpaceDueTimesByTheGapsWhenTheyDiffer() {
        Iterator<Double> gaps = List.of(0.5, 2.0).iterator();
        Pace pace = new Pace(4, 0, gaps::next);
        pace.start(SEC);

        pace.advance();
        assertEquals(1125 * MS, pace.nextDueNs());
        pace.advance();
        assertEquals(1625 * MS, pace.nextDueNs());
    }

    @Test
    void shouldDropWhatWasDueWhenItStartsAfresh() {
        Pace pace = new Pace(10, 0, () -> 1);
        pace.start(0);
        pace.advance();

        pace.start(5 * SEC);

        assertEquals(5 * SEC, pace.nextDueNs());
    }
}
