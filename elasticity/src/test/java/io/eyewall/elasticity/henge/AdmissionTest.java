package io.eyewall.elasticity.henge;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.eyewall.elasticity.model.Machine;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import org.junit.jupiter.api.Test;

class AdmissionTest {

    /** The topology "late" misses its SLO and has no congested operator, and "good" has no executor to spare: nothing can be done. */
    private final ScriptedCluster cluster =
        new ScriptedCluster(Goal.TOTAL).topology("good", 1, 9, 1).topology("late", 1, 20, 1).withoutRoom();

    @Test
    void shouldHaveNoRoomWhenAllMachinesAreBusyAndNothingIsLeftToTry() {
        cluster.awaitEnd();

        assertEquals(Optional.of("the CPU load is high on all machines (2), and nothing is left to try for what misses its SLO already:"
            + " late"), cluster.obstacle());
    }

    @Test
    void shouldSayNothingWhileTheSearchGoesOn() {
        assertEquals(Optional.empty(), cluster.obstacle());
    }

    @Test
    void shouldHaveRoomWhenAllSlosAreMet() {
        cluster.latencyMs.put("late", 9.0);
        cluster.awaitEnd();

        assertEquals(Optional.empty(), cluster.obstacle());
    }

    @Test
    void shouldHaveRoomWhenAMachineIsNotBusyOrReportsNothing() {
        cluster.awaitEnd();
        cluster.cpuLoad.put("m2", 0.5);
        assertEquals(Optional.empty(), cluster.obstacle());
        cluster.cpuLoad.remove("m2");
        assertEquals(Optional.empty(), cluster.obstacle());
    }

    @Test
    void shouldCountTheCoresThatAreFreeWhereASlotIsFree() {
        cluster.cpuLoad.putAll(Map.of("m1", 0.4, "m2", 0.95));
        assertEquals(4 * (0.9 - 0.4), cluster.freeCores().orElseThrow(), 1e-9);

        cluster.cpuLoad.clear();
        double executors = 3 * 0.1;
        assertEquals(2 * (4 * 0.9 - executors), cluster.freeCores().orElseThrow(), 1e-9, "without a load that of the executors");

        cluster.machines.set(0, new Machine("m1", List.of(6700), 4));
        assertEquals(4 * 0.9 - executors, cluster.freeCores().orElseThrow(), 1e-9, "m1 has no free slot");

        cluster.machines.set(1, new Machine("m2", List.of(6700, 6701), Double.POSITIVE_INFINITY));
        assertEquals(OptionalDouble.empty(), cluster.freeCores());
    }

    @Test
    void shouldCountTheCoresThatTopologiesKeepBusy() {
        cluster.busy("good", "bolt0", 0.8).unmeasured.put("late", 1);
        assertEquals(Set.of("good"), cluster.busyCores().keySet());
        assertEquals(1.0, cluster.busyCores().get("good"), 1e-9);
    }

    @Test
    void shouldNotCountATopologyWithoutFiguresAsOneThatMissesItsSlo() {
        cluster.awaitEnd();
        cluster.latencyMs.remove("late");

        assertEquals(Optional.empty(), cluster.obstacle());
    }
}
