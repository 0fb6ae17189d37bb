package io.eyewall.client.stream.manager;

import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** Runs of {@link MoveSimulation}. */
class MoveSimulationTest {

    private static final int RUNS = Integer.getInteger("eyewall.simulation.seeds", 10);
    private static final int FIRST_SEED = Integer.getInteger("eyewall.simulation.first", 0);

    private int starts;
    private int ends;
    private int sent;
    private int lost;
    private int late;

    @Test
    void shouldKeepTheOrderOfEachPairOfTasksAndLoseNothing() {
        run(MoveSimulation.Course.MOVES);
    }

    @Test
    void shouldKeepTheOrderOfEachPairOfTasksThatComeToOtherExecutors() {
        run(MoveSimulation.Course.OTHER_EXECUTORS);
    }

    @Test
    void shouldLoseNothingWhenExecutorsChangeAtAnyTime() {
        run(MoveSimulation.Course.CHANGES_AT_ONCE);
    }

    @Test
    void shouldLoseOnlyWhatIsInStreamManagersThatDie() {
        run(MoveSimulation.Course.DEATHS);
        assertTrue(lost > RUNS, "managers had messages when they died: " + lost);
    }

    /** A process that has not ended belongs to the slot until it has. */
    @Test
    void shouldRunNoTaskTwiceWhenContainersDie() {
        run(MoveSimulation.Course.CONTAINER_DEATHS);
        assertTrue(lost > RUNS, "containers had messages when they died: " + lost);
    }

    /** The instances of a loop leave when it is empty, and no sooner: what comes later for one that has left is lost. */
    @Test
    void shouldExecuteAllThatIsInALoopWhenContainersStop() {
        run(MoveSimulation.Course.STOP_OF_A_LOOP);
        assertTrue(late > 10 * RUNS, "the loop was not empty when containers were told to stop: " + late);
    }

    private void run(MoveSimulation.Course course) {
        for (int seed = FIRST_SEED; seed < FIRST_SEED + RUNS; seed++) {
            MoveSimulation simulation = new MoveSimulation(seed, course);
            simulation.run();
            starts += simulation.starts;
            ends += simulation.ends;
            sent += simulation.sent.size();
            lost += simulation.sent.size() - simulation.received.size();
            late += simulation.late;
        }
        int leastEnds = course == MoveSimulation.Course.STOP_OF_A_LOOP ? 0 : RUNS; // What stops there does not count.
        assertTrue(starts > 10 * RUNS && ends > leastEnds && sent > 1_000 * RUNS,
            starts + " starts, " + ends + " ends, " + sent + " messages");
    }
}
