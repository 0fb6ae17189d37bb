package io.eyewall.elasticity.henge;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Steps that help several topologies, with both goals. */
class HengeTogetherTest {

    @ParameterizedTest
    @EnumSource
    void shouldHelpAllAtOnceWhoseMachinesHaveRoom(Goal goal) {
        ScriptedCluster cluster = new ScriptedCluster(goal).topology("a", 5, 50).topology("b", 5, 20).topology("c", 5, 30)
            .busy("a", "bolt0", 0.5).busy("b", "bolt0", 0.5).busy("c", "bolt0", 0.5);
        cluster.cpuLoad.putAll(Map.of("m1", 0.2, "m2", 0.95));

        HengePlan plan = cluster.awaitPlan();

        assertEquals(Set.of("a", "c"), plan.changes().keySet(), "b is on a machine without room");
        assertTrue(plan.diagnosis().contains("a misses its SLO, congested: bolt0; c misses its SLO, congested: bolt0"), plan.diagnosis());
    }

    @ParameterizedTest
    @EnumSource
    void shouldNotGiveOneStepMoreThanTheMachinesHaveRoomFor(Goal goal) {
        ScriptedCluster cluster = new ScriptedCluster(goal).topology("a", 5, 50).topology("b", 5, 9).topology("c", 5, 30)
            .busy("a", "bolt0", 0.9).busy("c", "bolt0", 0.9);
        cluster.cpuLoad.putAll(Map.of("m1", 0.85, "m2", 0.85));

        assertEquals(Set.of("a"), cluster.awaitPlan().changes().keySet());
    }

    @ParameterizedTest
    @EnumSource
    void shouldExpectThatExecutorsWhichMostlyWaitAreLessBusyBesideNewOnes(Goal goal) {
        // 36 executors are busy for the time of 10.8 and take 3.2 cores. Ten more that share the work of four take no more than those.
        ScriptedCluster cluster = new ScriptedCluster(goal).topology("a", 5, 50, 4).topology("b", 5, 9, 4).topology("c", 5, 30, 4)
            .busy("a", "bolt0", 1).busy("c", "bolt0", 1);
        cluster.cpuLoad.putAll(Map.of("m1", 0.7, "m2", 0.1));

        assertEquals(Set.of("a", "c"), cluster.awaitPlan().changes().keySet());
    }

    @ParameterizedTest
    @EnumSource
    void shouldSetAsideOnlyThoseThatAStepForSeveralHasNotHelped(Goal goal) {
        ScriptedCluster cluster = twoWithRoom(goal);
        cluster.apply(cluster.awaitPlan());
        cluster.latencyMs.put("a", 20.0);
        cluster.busy("a", "bolt0", 0.4);

        HengePlan next = cluster.awaitPlan();

        assertTrue(cluster.has(HengeEvent.Kind.KEPT, "did not help b"), cluster.events.toString());
        assertEquals(Set.of("a"), next.changes().keySet());
        cluster.apply(next);
        cluster.latencyMs.put("a", 9.0);
        assertEquals(Set.of("b"), cluster.awaitPlan().changes().keySet(), "once more, by itself");
    }

    @ParameterizedTest
    @EnumSource
    void shouldHelpOneByOneAfterAStepForSeveralHasDoneHarm(Goal goal) {
        ScriptedCluster cluster = twoWithRoom(goal).topology("c", 5, 9);
        cluster.apply(cluster.awaitPlan());
        cluster.latencyMs.put("c", 90.0);
        HengePlan reversion = cluster.awaitPlan();
        assertEquals(Action.REVERSION, reversion.action());
        assertEquals(Set.of("a", "b"), reversion.changes().keySet());
        cluster.apply(reversion);
        cluster.latencyMs.put("c", 9.0);

        HengePlan first = cluster.awaitPlan();
        assertEquals(Set.of("a"), first.changes().keySet());
        cluster.apply(first);
        cluster.latencyMs.put("a", 9.0);
        assertEquals(Set.of("b"), cluster.awaitPlan().changes().keySet());
    }

    /** Two topologies that miss their SLO, on machines with room for both. */
    private static ScriptedCluster twoWithRoom(Goal goal) {
        ScriptedCluster cluster = new ScriptedCluster(goal).topology("a", 5, 50).topology("b", 5, 40)
            .busy("a", "bolt0", 0.5).busy("b", "bolt0", 0.5);
        cluster.cpuLoad.putAll(Map.of("m1", 0.1, "m2", 0.1));
        return cluster;
    }
}
