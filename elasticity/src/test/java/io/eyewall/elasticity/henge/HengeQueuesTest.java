package io.eyewall.elasticity.henge;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What the state machine does while the queues of topologies grow or shrink, with both goals. */
class HengeQueuesTest {

    @ParameterizedTest
    @EnumSource
    void shouldKeepAStepByWhatItsTopologyProcessesWhileThatWorksOnItsQueues(Goal goal) {
        ScriptedCluster cluster = new ScriptedCluster(goal).topology("a", 5, 50).busy("a", "bolt0", 1);
        cluster.apply(cluster.awaitPlan());
        cluster.latencyMs.put("a", 500.0);
        cluster.executedPerSec.put("a", 110.0);

        HengePlan more = cluster.awaitPlan();

        assertEquals(Action.RECONFIGURATION, more.action());
        assertEquals(Map.of("bolt0", 8), more.changes().get("a").executors());
        assertTrue(cluster.has(HengeEvent.Kind.KEPT, "utility of a 1.00 -> 0.10"), cluster.events.toString());
    }

    @ParameterizedTest
    @EnumSource
    void shouldNotRepeatAStepAfterWhichASaturatedTopologyProcessesNoMore(Goal goal) {
        ScriptedCluster cluster = new ScriptedCluster(goal).topology("a", 5, 50).busy("a", "bolt0", 1);
        cluster.apply(cluster.awaitPlan());
        cluster.latencyMs.put("a", 500.0);
        cluster.executedPerSec.put("a", 104.0);

        assertTrue(cluster.awaitEnd().text().endsWith("a (more executors did not help)"), cluster.lastEvent().text());
    }

    @ParameterizedTest
    @EnumSource
    void shouldNotUndoAStepBecauseTheQueuesOfAnotherTopologyGrow(Goal goal) {
        ScriptedCluster cluster = new ScriptedCluster(goal).topology("a", 9, 50).topology("b", 5, 20)
            .busy("a", "bolt0", 0.8).busy("b", "bolt0", 1).withoutRoom();
        HengePlan first = cluster.awaitPlan();
        assertEquals(Set.of("a"), first.changes().keySet());
        cluster.apply(first);
        cluster.latencyMs.putAll(Map.of("a", 9.0, "b", 900.0));
        cluster.busy("a", "bolt0", 0.2);

        HengePlan second = cluster.awaitPlan();

        assertEquals(Action.RECONFIGURATION, second.action());
        assertEquals(Set.of("b"), second.changes().keySet());
    }

    @ParameterizedTest
    @EnumSource
    void shouldUndoAStepThatTakesThroughputFromASaturatedTopology(Goal goal) {
        ScriptedCluster cluster = new ScriptedCluster(goal).topology("a", 9, 11).topology("b", 9, 12)
            .busy("a", "bolt0", 0.8).busy("b", "bolt0", 1);
        cluster.topologies.get("b").on(List.of(ScriptedCluster.SECOND), SimulatedTopology.TASKS);
        HengePlan first = cluster.awaitPlan();
        assertEquals(Set.of("a"), first.changes().keySet());
        cluster.apply(first);
        cluster.latencyMs.put("b", 900.0);
        cluster.executedPerSec.put("b", 90.0);

        assertEquals(Action.REVERSION, cluster.awaitPlan().action());
    }

    @ParameterizedTest
    @EnumSource
    void shouldLeaveATopologyAloneWhileItWorksOffItsQueues(Goal goal) {
        ScriptedCluster cluster = new ScriptedCluster(goal).topology("a", 5, 500).busy("a", "bolt0", 1);
        cluster.executedPerSec.put("a", 130.0);
        for (int look = 0; look < 20; look++) {
            assertTrue(cluster.look(30_000).plan().isEmpty(), cluster.events.toString());
            assertFalse(cluster.state.converged());
        }
        cluster.executedPerSec.remove("a");
        cluster.busy("a", "bolt0", 0.7);
        cluster.latencyMs.put("a", 9.0);

        assertEquals("1 of 1 topologies meet their SLO", cluster.awaitEnd().text());
    }

    @ParameterizedTest
    @EnumSource
    void shouldNotWaitUntilATopologyThatAStepHasHelpedHasWorkedOffItsQueues(Goal goal) {
        ScriptedCluster cluster = new ScriptedCluster(goal).topology("a", 5, 9_000).busy("a", "bolt0", 1).topology("b", 5, 20)
            .busy("b", "bolt0", 0.8).withoutRoom();
        cluster.apply(cluster.awaitPlan());
        cluster.executedPerSec.put("a", 130.0);
        for (int look = 0; look < 6 && !cluster.has(HengeEvent.Kind.KEPT, ""); look++) {
            cluster.latencyMs.compute("a", (id, latencyMs) -> latencyMs - 1_000);
            cluster.look(30_000);
        }

        assertTrue(cluster.has(HengeEvent.Kind.KEPT, "utility of a"), cluster.events.toString());
        assertFalse(cluster.has(HengeEvent.Kind.KEPT, "did not help"), cluster.events.toString());
        assertEquals(Set.of("b"), cluster.awaitPlan().changes().keySet());
    }
}
