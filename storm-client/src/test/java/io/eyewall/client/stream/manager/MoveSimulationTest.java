package io.eyewall.client.stream.manager;

import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** Runs of {@link MoveSimulation}, with and without stream managers that die. */
class MoveSimulationTest {

    private static final int RUNS = Integer.getInteger("eyewall.simulation.seeds", 30);
    private static final int FIRST_SEED = Integer.getInteger("eyewall.simulation.first", 0);

    @Test
    void shouldKeepTheOrderOfEachPairOfTasksAndLoseNothing() {
        int moves = 0;
        int sent = 0;
        for (int seed = FIRST_SEED; seed < FIRST_SEED + RUNS; seed++) {
            MoveSimulation simulation = new MoveSimulation(seed, false);
            simulation.run();
            moves += simulation.starts - MoveSimulation.INSTANCES;
            sent += simulation.sent.size();
        }
        assertTrue(moves > 10 * RUNS && sent > 1_000 * RUNS, moves + " moves, " + sent + " messages");
    }

    @Test
    void shouldLoseOnlyWhatIsInStreamManagersThatDie() {
        int lost = 0;
        for (int seed = FIRST_SEED; seed < FIRST_SEED + RUNS; seed++) {
            MoveSimulation simulation = new MoveSimulation(seed, true);
            simulation.run();
            lost += simulation.sent.size() - simulation.received.size();
        }
        assertTrue(lost > RUNS, "managers had messages when they died: " + lost);
    }
}
