package io.eyewall.elasticity.henge;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Optional;
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
    void shouldNotCountATopologyWithoutFiguresAsOneThatMissesItsSlo() {
        cluster.awaitEnd();
        cluster.latencyMs.remove("late");

        assertEquals(Optional.empty(), cluster.obstacle());
    }
}
