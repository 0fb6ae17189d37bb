package io.eyewall.client.hot;

import io.eyewall.client.engine.WakingQueue;
import io.eyewall.client.seam.QueueRequest;
import java.util.function.Supplier;

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
     * Plays executors that move, for each seed that tests play.
     *
     * @param pauses whether processes and ZooKeeper pause meanwhile
     * @param queues makes the queues of one simulation
     * @throws AssertionError if a tuple is lost or executed twice, or a move does not end
     */
    public static void play(boolean pauses, Supplier<Queues> queues) {
        RebalanceSimulationTest.logNothing();
        try {
            for (long seed = Simulation.FIRST_SEED; seed < Simulation.FIRST_SEED + Simulation.SEEDS; seed++) {
                Queues made = queues.get();
                new Simulation(seed, pauses ? Simulation.Faults.PAUSES : Simulation.Faults.NONE, Mutation.NONE, true,
                    (worker, request) -> made.make(worker, request, worker.input()::tellSpace)).play();
            }
        } finally {
            RebalanceSimulationTest.logAgain();
        }
    }
}
