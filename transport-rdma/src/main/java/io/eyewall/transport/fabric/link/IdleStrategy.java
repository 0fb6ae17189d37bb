package io.eyewall.transport.fabric.link;

import io.eyewall.client.time.NanoClock;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Spends the time of a progress thread that found nothing to do, as an {@link IdleMode} says. For one thread. */
final class IdleStrategy {

    /** Rounds without work before a thread that sleeps goes to sleep, where that is worth it: an answer may come within microseconds. */
    static final int SPINS_BEFORE_SLEEP = 20;
    /** It is where work comes after so long, on average over some {@value #WAITS} waits: the rounds take some 15 us, a tenth of that. */
    static final long WORTH_NS = 150_000;
    private static final int WAITS = 8;
    private static final int SPINS_BEFORE_PAUSE = 100;
    private static final long SHORTEST_PAUSE_NS = 1_000;
    private static final long LONGEST_PAUSE_NS = 1_000_000;

    private final IdleMode mode;
    private final BooleanSupplier sleep;
    private final NanoClock clock;
    private int idleRounds;
    private long idleSinceNs;
    /** How long it took until work came, on average; no wait counts for more than {@value #WAITS} times what is worth it. */
    private long usualWaitNs;
    private long pauseNs = SHORTEST_PAUSE_NS;

    /**
     * A strategy.
     *
     * @param sleep sleeps until there may be something to do, for {@link IdleMode#WAIT}; returns whether it has done something instead
     */
    IdleStrategy(IdleMode mode, BooleanSupplier sleep, NanoClock clock) {
        this.mode = mode;
        this.sleep = sleep;
        this.clock = clock;
    }

    /** Called after each round with how much it did. */
    void idle(int work) {
        if (work > 0) {
            workHasCome();
            return;
        }
        idleRounds++;
        switch (mode) {
            case SPIN -> Thread.onSpinWait();
            case BACK_OFF -> pause();
            case WAIT -> waitForWork();
        }
    }

    private void workHasCome() {
        if (mode == IdleMode.WAIT && idleRounds > 0) {
            usualWaitNs += (Math.min(clock.nanoTime() - idleSinceNs, WAITS * WORTH_NS) - usualWaitNs) / WAITS;
        }
        idleRounds = 0;
        pauseNs = SHORTEST_PAUSE_NS;
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
        if (idleRounds == 1) {
            idleSinceNs = clock.nanoTime();
        }
        if (idleRounds <= SPINS_BEFORE_SLEEP && usualWaitNs <= WORTH_NS) {
            Thread.onSpinWait();
        } else if (sleep.getAsBoolean()) {
            workHasCome();
        }
    }
}
