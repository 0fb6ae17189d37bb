package io.eyewall.client.hot;

import io.eyewall.client.engine.WakingQueue;
import io.eyewall.client.seam.QueueRequest;

/** Lets tests of other modules play {@link Simulation}s with queues that executors share. */
public final class PlayedMoves {

    /** The component whose executors share. */
    public static final String SHARING = SimPlan.RELAY;

    private PlayedMoves() {
    }

    /** Makes the queue of an executor of a simulated worker. */
    @FunctionalInterface
    public interface Queues {

        /** A queue; {@code onOverflowEmpty} is to run when nothing lies beside it any more. */
        WakingQueue make(Object worker, QueueRequest request, Runnable onOverflowEmpty);
    }

    /**
     * Plays executors that move, from a seed.
     *
     * @param pauses whether processes and ZooKeeper pause meanwhile
     * @throws AssertionError if a tuple is lost or executed twice, or a move does not end
     */
    public static void play(long seed, boolean pauses, Queues queues) {
        RebalanceSimulationTest.logNothing();
        try {
            new Simulation(seed, pauses ? Simulation.Faults.PAUSES : Simulation.Faults.NONE, Mutation.NONE, true,
                (worker, request) -> queues.make(worker, request, worker.input()::tellSpace)).play();
        } catch (AssertionError | RuntimeException e) {
            throw new AssertionError("Seed " + seed + " fails: " + e.getMessage(), e);
        } finally {
            RebalanceSimulationTest.logAgain();
        }
    }
}
