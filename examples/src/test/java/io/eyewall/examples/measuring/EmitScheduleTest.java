package io.eyewall.examples.measuring;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Iterator;
import java.util.List;
import org.junit.jupiter.api.Test;

class EmitScheduleTest {

    private static final long SEC = 1_000_000_000;
    private static final long MS = 1_000_000;

    @Test
    void shouldSpaceDueTimesByThePeriodWhenItAdvances() {
        EmitSchedule schedule = new EmitSchedule(4, 0.5, () -> 1);
        schedule.start(SEC);

        assertEquals(1125 * MS, schedule.nextDueNs());
        schedule.advance();
        assertEquals(1375 * MS, schedule.nextDueNs());
        schedule.advance();
        assertEquals(1625 * MS, schedule.nextDueNs());
    }

    @Test
    void shouldNotDriftWhenThePeriodIsNotAWholeNumberOfNanoseconds() {
        EmitSchedule schedule = new EmitSchedule(3, 0, () -> 1);
        schedule.start(0);
        for (int message = 0; message < 3_000_000; message++) {
            schedule.advance();
        }

        assertEquals(1_000_000 * SEC, schedule.nextDueNs());
    }

    @Test
    void shouldSpaceDueTimesByTheGapsWhenTheyDiffer() {
        Iterator<Double> gaps = List.of(0.5, 2.0).iterator();
        EmitSchedule schedule = new EmitSchedule(4, 0, gaps::next);
        schedule.start(SEC);

        schedule.advance();
        assertEquals(1125 * MS, schedule.nextDueNs());
        schedule.advance();
        assertEquals(1625 * MS, schedule.nextDueNs());
    }

    @Test
    void shouldDropDueMessagesWhenItRestarts() {
        EmitSchedule schedule = new EmitSchedule(10, 0, () -> 1);
        schedule.start(0);
        schedule.advance();

        schedule.start(5 * SEC);

        assertEquals(5 * SEC, schedule.nextDueNs());
    }
}
