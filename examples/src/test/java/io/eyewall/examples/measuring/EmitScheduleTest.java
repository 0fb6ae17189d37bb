package io.eyewall.examples.measuring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.eyewall.examples.configuration.ConfigurationException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EmitScheduleTest {

    private static final long SEC = 1_000_000_000;
    private static final long MS = 1_000_000;

    @TempDir
    private Path directory;

    @Test
    void shouldSpaceDueTimesByThePeriodWhenItAdvances() {
        EmitSchedule schedule = new EmitSchedule(EmitRates.constant(4), 0.5, () -> 1);
        schedule.start(SEC);

        assertEquals(1125 * MS, schedule.nextDueNs());
        schedule.advance();
        assertEquals(1375 * MS, schedule.nextDueNs());
        schedule.advance();
        assertEquals(1625 * MS, schedule.nextDueNs());
    }

    @Test
    void shouldNotDriftWhenThePeriodIsNotAWholeNumberOfNanoseconds() {
        EmitSchedule schedule = new EmitSchedule(EmitRates.constant(3), 0, () -> 1);
        schedule.start(0);
        for (int message = 0; message < 3_000_000; message++) {
            schedule.advance();
        }

        assertEquals(1_000_000 * SEC, schedule.nextDueNs());
    }

    @Test
    void shouldSpaceDueTimesByTheGapsWhenTheyDiffer() {
        Iterator<Double> gaps = List.of(0.5, 2.0).iterator();
        EmitSchedule schedule = new EmitSchedule(EmitRates.constant(4), 0, gaps::next);
        schedule.start(SEC);

        schedule.advance();
        assertEquals(1125 * MS, schedule.nextDueNs());
        schedule.advance();
        assertEquals(1625 * MS, schedule.nextDueNs());
    }

    @Test
    void shouldDropDueMessagesWhenItRestarts() {
        EmitSchedule schedule = new EmitSchedule(EmitRates.constant(10), 0, () -> 1);
        schedule.start(0);
        schedule.advance();

        schedule.start(5 * SEC);

        assertEquals(5 * SEC, schedule.nextDueNs());
    }

    @Test
    void shouldFollowTheRatesOfAFileAndBeginAgainAfterTheLast() throws IOException {
        EmitRates rates = EmitRates.read(Files.writeString(directory.resolve("rates"), "4\n0\n 1.5\n"), 2, 2);
        EmitSchedule schedule = new EmitSchedule(rates, 0.5, () -> 1);
        schedule.start(0);
        List<Long> dueMs = new ArrayList<>();
        for (int message = 0; message < 8; message++) {
            dueMs.add(schedule.nextDueNs() / MS);
            schedule.advance();
        }

        // Two a second for 2 s, none for 2 s, 0.75 a second for 2 s.
        assertEquals(List.of(250L, 750L, 1_250L, 1_750L, 4_666L, 6_000L, 6_500L, 7_000L), dueMs);
    }

    @Test
    void shouldReadTheFileAgainAfterTheLastRate() throws IOException {
        Path file = Files.writeString(directory.resolve("rates"), "2\n");
        EmitSchedule schedule = new EmitSchedule(EmitRates.read(file, 1, 1), 0, () -> 1);
        schedule.start(0);
        schedule.advance();
        Files.writeString(file, "4\n1\n");
        List<Long> dueMs = new ArrayList<>();
        for (int message = 1; message < 7; message++) {
            dueMs.add(schedule.nextDueNs() / MS);
            schedule.advance();
        }

        assertEquals(List.of(500L, 1_000L, 1_250L, 1_500L, 1_750L, 2_000L), dueMs);
        assertEquals(3 * SEC, schedule.nextDueNs());
    }

    @Test
    void shouldKeepTheRatesWhenTheFileHasNoneAnyMore() throws IOException {
        Path file = Files.writeString(directory.resolve("rates"), "2\n");
        EmitSchedule schedule = new EmitSchedule(EmitRates.read(file, 1, 1), 0, () -> 1);
        schedule.start(0);
        Files.writeString(file, "fast\n");
        schedule.advance();
        schedule.advance();
        Files.delete(file);
        schedule.advance();
        schedule.advance();

        assertEquals(2 * SEC, schedule.nextDueNs());
    }

    @Test
    void shouldRefuseAFileWithSomethingElseThanRates() throws IOException {
        refused("10\nfast", "Line 2 of .*rates is 'fast', but must be a number of messages per second.*");
        refused("-1", "Line 1 of .*rates is '-1', but must be .*");
        refused("0\n0", ".*rates has no rate above 0: write one number .*");
        refused("", ".*rates has no rate above 0: .*");
    }

    private void refused(String contents, String why) throws IOException {
        Path file = Files.writeString(directory.resolve("rates"), contents);
        String message = assertThrows(ConfigurationException.class, () -> EmitRates.read(file, 1, 1)).getMessage();
        assertTrue(message.matches(why), message);
    }
}
