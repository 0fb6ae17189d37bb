package io.eyewall.client.hot;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.eyewall.client.engine.SpaceSignal;
import io.eyewall.client.engine.WakingQueue;
import io.eyewall.client.seam.QueueRequest;
import org.apache.logging.log4j.Level;
import org.apache.logging.log4j.core.config.Configurator;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Plays {@link Simulation}s. A seed that fails is printed. It is replayed with {@code -Deyewall.simulation.first=SEED
 * -Deyewall.simulation.seeds=1}; more seeds than in each build are played with {@code -Deyewall.simulation.seeds=100000}.
 *
 * <p>Each {@link Mutation} is a defect that the product had, and has to be found. Those of its defects that need no protocol to show have
 * tests of their own: one flag for all connections in {@code HoldBackFlagsTest}, acks that a group leaves behind in {@code AckOutboxTest},
 * a wait beside emits in {@code WakingQueueTest}.
 */
class RebalanceSimulationTest {

    /** Within so many a defect has to be found. */
    private static final long FINDS = 2_000;

    /** Of each simulated worker the log would have some hundred lines. */
    @BeforeAll
    static void logNothing() {
        Configurator.setLevel(RebalanceConductor.class.getPackageName(), Level.OFF);
    }

    @AfterAll
    static void logAgain() {
        Configurator.setLevel(RebalanceConductor.class.getPackageName(), Level.INFO);
    }

    @ParameterizedTest
    @EnumSource(Simulation.Faults.class)
    void shouldLoseAndDoubleNothingWhateverMoves(Simulation.Faults faults) {
        for (long seed = Simulation.FIRST_SEED; seed < Simulation.FIRST_SEED + Simulation.SEEDS; seed++) {
            simulation(seed, faults, Mutation.NONE).play();
        }
    }

    @ParameterizedTest
    @EnumSource(value = Mutation.class, mode = EnumSource.Mode.EXCLUDE, names = "NONE")
    void shouldFindADefectThatWasMadeByHand(Mutation mutation) {
        Simulation.Faults faults = mutation == Mutation.MARK_THAT_IS_NEVER_STALE ? Simulation.Faults.LOST_SESSIONS
            : Simulation.Faults.PAUSES;
        long end = mutation.firstSeed() + FINDS;
        long seed = mutation.firstSeed();
        while (seed < end && !fails(seed, faults, mutation)) {
            seed++;
        }
        assertTrue(seed < end, () -> mutation + " is not found by " + FINDS + " seeds");
        simulation(seed, faults, Mutation.NONE).play();
    }

    private static boolean fails(long seed, Simulation.Faults faults, Mutation mutation) {
        try {
            simulation(seed, faults, mutation).play();
            return false;
        } catch (AssertionError e) {
            return true;
        }
    }

    private static Simulation simulation(long seed, Simulation.Faults faults, Mutation mutation) {
        return new Simulation(seed, faults, mutation, false, (worker, request) -> queue(worker, request, mutation));
    }

    private static WakingQueue queue(SimWorker worker, QueueRequest request, Mutation mutation) {
        return new WakingQueue(request, true, new SpaceSignal(worker.input()::tellSpace)) {
            private long drainedAtNs = -1;

            @Override
            public int drain(java.util.function.Consumer<Object> elements, Runnable onMore) {
                if (mutation == Mutation.QUEUE_DRAINED_ONCE) {
                    int[] taken = {0};
                    return consume(new SimConsumer(elements), () -> taken[0]++ < 2);
                }
                drainedAtNs = drainedAtNs < 0 ? worker.nowNs() : drainedAtNs;
                return super.drain(elements, () -> {
                    if (mutation != Mutation.QUEUE_FORGOTTEN_AFTER_A_SECOND || worker.nowNs() - drainedAtNs < SimSchedule.SECOND) {
                        onMore.run();
                    }
                });
            }
        };
    }
}
