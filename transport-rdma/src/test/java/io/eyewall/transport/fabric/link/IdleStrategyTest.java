package io.eyewall.transport.fabric.link;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class IdleStrategyTest {

    private static final int MANY = 1_000;
    private static final int SOON = 3;

    private int sleeps;
    private final IdleStrategy idle = new IdleStrategy(IdleMode.WAIT, () -> sleeps++);

    @Test
    void shouldNotSleepWhileAnswersComeSoon() {
        for (int answer = 0; answer < MANY; answer++) {
            roundsWithoutSleep(SOON);
            idle.idle(1);
        }

        assertEquals(0, sleeps);
    }

    @Test
    void shouldSleepAtOnceWhereNothingEverComesSoon() {
        int rounds = 0;
        for (int message = 0; message < MANY; message++) {
            rounds += roundsWithoutSleep(Integer.MAX_VALUE);
            idle.idle(1);
        }

        assertEquals(MANY, sleeps);
        assertTrue(rounds < MANY, "looked " + rounds + " times before " + MANY + " sleeps");
    }

    @Test
    void shouldNoticeThatAnswersHaveComeToBeSoon() {
        for (int message = 0; message < MANY; message++) {
            roundsWithoutSleep(Integer.MAX_VALUE);
            idle.idle(1);
        }
        for (int answer = 0; answer < MANY; answer++) {
            roundsWithoutSleep(SOON);
            idle.idle(1);
        }

        assertEquals(SOON, roundsWithoutSleep(SOON));
    }

    @Test
    void shouldSleepAgainWhenItWasWokenForNothing() {
        assertEquals(IdleStrategy.SPINS_BEFORE_SLEEP, roundsWithoutSleep(Integer.MAX_VALUE));

        assertEquals(0, roundsWithoutSleep(SOON));
    }

    /** How many rounds without work it takes to sleep, or that many. */
    private int roundsWithoutSleep(int atMost) {
        int sleepsBefore = sleeps;
        int rounds = 0;
        while (rounds < atMost) {
            idle.idle(0);
            if (sleeps > sleepsBefore) {
                return rounds;
            }
            rounds++;
        }
        return rounds;
    }
}
