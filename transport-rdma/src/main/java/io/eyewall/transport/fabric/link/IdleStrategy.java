package io.eyewall.transport.fabric.link;

import java.util.concurrent.locks.LockSupport;

/** Spends the time of a progress thread that found nothing to do, as an {@link IdleMode} says. For one thread. */
final class IdleStrategy {

    /** Rounds without work before a thread that sleeps goes to sleep: an answer often comes within a few microseconds. */
    private static final int SPINS_BEFORE_SLEEP = 20;
    private static final int SPINS_BEFORE_PAUSE = 100;
    private static final long SHORTEST_PAUSE_NS = 1_000;
    private static final long LONGEST_PAUSE_NS = 1_000_000;

    private final IdleMode mode;
    private final Runnable sleep;
    private int idleRounds;
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
        if (idleRounds <= SPINS_BEFORE_SLEEP) {
            Thread.onSpinWait();
        } else {
            sleep.run();
        }
    }
}
