package io.eyewall.transport.fabric.link;

import java.util.concurrent.locks.LockSupport;

/** Spends the time of a progress thread that found nothing to do, as an {@link IdleMode} says. For one thread. */
final class IdleStrategy {

    /** Rounds without work before a thread that sleeps goes to sleep, where that is worth it: an answer may come within microseconds. */
    static final int SPINS_BEFORE_SLEEP = 20;
    /** It is where something came before the sleep in one case of four, by an average over some {@value #CASES}. */
    private static final double WORTH = 0.25;
    private static final int CASES = 8;
    /** Where it is not, one sleep of so many shows whether it has come to be. */
    private static final int TRIED_EVERY = 64;

    private static final int SPINS_BEFORE_PAUSE = 100;
    private static final long SHORTEST_PAUSE_NS = 1_000;
    private static final long LONGEST_PAUSE_NS = 1_000_000;

    private final IdleMode mode;
    private final Runnable sleep;
    private int idleRounds;
    /** How often something came before the sleep, of the cases in which there were rounds before it. */
    private double spared = 1;
    private int sleepsUntried;
    private boolean asleep;
    private long pauseNs = SHORTEST_PAUSE_NS;

    /**
     * A strategy.
     *
     * @param sleep sleeps until there may be something to do, for {@link IdleMode#WAIT}
     */
    IdleStrategy(IdleMode mode, Runnable sleep) {
        this.mode = mode;
        this.sleep = sleep;
    }

    /** Called after each round with how much it did. */
    void idle(int work) {
        if (work > 0) {
            if (idleRounds > 0 && !asleep) {
                count(1);
            }
            asleep = false;
            idleRounds = 0;
            pauseNs = SHORTEST_PAUSE_NS;
            return;
        }
        idleRounds++;
        switch (mode) {
            case SPIN -> Thread.onSpinWait();
            case BACK_OFF -> pause();
            case WAIT -> waitForWork();
        }
    }

    private void pause() {
        if (idleRounds <= SPINS_BEFORE_PAUSE) {
            Thread.onSpinWait();
        } else {
            LockSupport.parkNanos(pauseNs);
            pauseNs = Math.min(LONGEST_PAUSE_NS, 2 * pauseNs);
        }
    }

    private void waitForWork() {
        boolean tries = spared >= WORTH || sleepsUntried == TRIED_EVERY;
        if (!asleep && tries && idleRounds <= SPINS_BEFORE_SLEEP) {
            Thread.onSpinWait();
            return;
        }
        if (!asleep) {
            asleep = true;
            if (tries) {
                count(0);
            } else {
                sleepsUntried++;
            }
        }
        sleep.run();
    }

    private void count(int sparedNow) {
        spared += (sparedNow - spared) / CASES;
        sleepsUntried = 0;
    }
}
