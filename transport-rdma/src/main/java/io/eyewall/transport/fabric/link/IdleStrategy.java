package io.eyewall.transport.fabric.link;

import io.eyewall.client.time.NanoClock;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * Decides what a progress thread does after a round without work, by its {@link IdleMode}. For one thread.
 *
 * <p>With {@link IdleMode#WAIT}, the thread polls {@value #SPINS_BEFORE_SLEEP} rounds more before it sleeps if a reply may come soon: if
 * work has come within {@value #SPIN_WORTH_NS} ns, on average over about {@value #AVERAGED_WAITS} waits. The rounds take about 15 us, a
 * tenth of that time.
 */
final class IdleStrategy {

    static final int SPINS_BEFORE_SLEEP = 20;
    static final long SPIN_WORTH_NS = 150_000;
    private static final int AVERAGED_WAITS = 8;
    private static final int SPINS_BEFORE_PAUSE = 100;
    private static final long SHORTEST_PAUSE_NS = 1_000;
    private static final long LONGEST_PAUSE_NS = 1_000_000;

    private final IdleMode mode;
    private final BooleanSupplier sleep;
    private final NanoClock clock;
    private int idleRounds;
    private long idleSinceNs;
    /** How long the thread waited for work, on average. One wait counts for at most {@code AVERAGED_WAITS * SPIN_WORTH_NS}. */
    private long averageWaitNs;
    private long pauseNs = SHORTEST_PAUSE_NS;

    /**
     * A strategy.
     *
     * @param sleep sleeps until there may be work, for {@link IdleMode#WAIT}; returns whether it found and did work instead
     */
    IdleStrategy(IdleMode mode, BooleanSupplier sleep, NanoClock clock) {
        this.mode = mode;
        this.sleep = sleep;
        this.clock = clock;
    }

    /** The progress thread calls this after each round, with the amount of work that the round did. */
    void idle(int work) {
        if (work > 0) {
            endIdleTime();
            return;
        }
        idleRounds++;
        switch (mode) {
            case SPIN -> Thread.onSpinWait();
            case BACK_OFF -> pause();
            case WAIT -> spinOrSleep();
        }
    }

    private void endIdleTime() {
        if (mode == IdleMode.WAIT && idleRounds > 0) {
            long waitNs = Math.min(clock.nanoTime() - idleSinceNs, AVERAGED_WAITS * SPIN_WORTH_NS);
            averageWaitNs += (waitNs - averageWaitNs) / AVERAGED_WAITS;
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

    private void spinOrSleep() {
        if (idleRounds == 1) {
            idleSinceNs = clock.nanoTime();
        }
        if (idleRounds <= SPINS_BEFORE_SLEEP && averageWaitNs <= SPIN_WORTH_NS) {
            Thread.onSpinWait();
        } else if (sleep.getAsBoolean()) {
            endIdleTime();
        }
    }
}
