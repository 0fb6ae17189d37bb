package io.eyewall.transport.fabric.link;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class IdleStrategyTest {

    private static final int MANY = 100;
    private static final long SELDOM_NS = 10 * IdleStrategy.SPIN_WORTH_NS;
    private static final long SOON_NS = IdleStrategy.SPIN_WORTH_NS / 2;

    private long nowNs;
    private int sleeps;
    private boolean findsWorkInstead;
    private final IdleStrategy idle = new IdleStrategy(IdleMode.WAIT, this::sleep, () -> nowNs);

    @Test
    void shouldSpinBeforeASleepWhenWorkComesSoon() {
        workComes(MANY, SOON_NS);

        assertEquals(IdleStrategy.SPINS_BEFORE_SLEEP, roundsBeforeSleep());
    }

    @Test
    void shouldSleepAtOnceWhenWorkComesSeldom() {
        workComes(MANY, SELDOM_NS);

        assertEquals(0, roundsBeforeSleep());
    }

    @Test
    void shouldSpinAgainWhenWorkBecomesFrequent() {
        workComes(MANY, SELDOM_NS);
        workComes(MANY, SOON_NS);

        assertEquals(IdleStrategy.SPINS_BEFORE_SLEEP, roundsBeforeSleep());
    }

    @Test
    void shouldSleepAgainAtOnceWhenWokenWithoutWork() {
        roundsBeforeSleep();
        sleeps = 0;

        assertEquals(0, roundsBeforeSleep());
    }

    @Test
    void shouldSpinAgainAfterWorkThatCameJustBeforeASleep() {
        findsWorkInstead = true;
        roundsBeforeSleep();
        sleeps = 0;

        assertEquals(IdleStrategy.SPINS_BEFORE_SLEEP, roundsBeforeSleep());
    }

    private boolean sleep() {
        sleeps++;
        return findsWorkInstead;
    }

    private void workComes(int times, long afterNs) {
        for (int time = 0; time < times; time++) {
            idle.idle(0);
            nowNs += afterNs;
            idle.idle(1);
        }
        sleeps = 0;
    }

    private int roundsBeforeSleep() {
        int rounds = 0;
        idle.idle(0);
        while (sleeps == 0) {
            rounds++;
            idle.idle(0);
        }
        return rounds;
    }
}
