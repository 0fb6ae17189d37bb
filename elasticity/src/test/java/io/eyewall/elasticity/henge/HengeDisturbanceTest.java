package io.eyewall.elasticity.henge;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What the state machine does when somebody else changes the cluster, and what it may cost topologies without an SLO. */
class HengeDisturbanceTest {

    @Test
    void shouldSearchAgainWhenSomebodyRebalancesATopology() {
        ScriptedCluster cluster = new ScriptedCluster(Goal.TOTAL).topology("a", 1, 9);
        cluster.awaitEnd();
        rebalance(cluster, "a", 3);

        cluster.look(30_000);

        assertEquals("somebody else changed the executors of a", cluster.lastEvent().text());
        assertEquals(HengeEvent.Kind.RECONVERGENCE, cluster.lastEvent().kind());
        assertEquals(3, cluster.state.firstSeen().get("a").get("bolt0"), "from now on, a share of these is kept");
    }

    @Test
    void shouldDropAStepWhenSomebodyRebalancesItsTopologyBeforeItIsApplied() {
        ScriptedCluster cluster = needy();
        cluster.awaitPlan();
        rebalance(cluster, "a", 3);

        assertTrue(cluster.look(10_000).plan().isEmpty());

        assertTrue(cluster.has(HengeEvent.Kind.NOT_JUDGED, "somebody else changed the executors of a"), cluster.events.toString());
        HengePlan next = cluster.awaitPlan();
        assertEquals(Action.RECONFIGURATION, next.action(), "nobody's rebalance is undone");
        assertEquals(Map.of("bolt0", 9), next.changes().get("a").executors());
    }

    @Test
    void shouldDropAStepWhenSomebodyTakesItsExecutorsAwayAgain() {
        ScriptedCluster cluster = needy();
        cluster.apply(cluster.awaitPlan());
        cluster.look(10_000);
        rebalance(cluster, "a", 2);

        cluster.look(10_000);

        assertTrue(cluster.has(HengeEvent.Kind.NOT_JUDGED, "somebody else changed the executors of a"), cluster.events.toString());
    }

    @Test
    void shouldDropAStepWhenItsTopologyIsKilled() {
        ScriptedCluster cluster = needy().topology("b", 1, 9);
        cluster.apply(cluster.awaitPlan());
        cluster.look(10_000);
        cluster.topologies.remove("a");

        assertTrue(cluster.look(10_000).plan().isEmpty());

        assertTrue(cluster.has(HengeEvent.Kind.NOT_JUDGED, "topologies changed: [a] left"), cluster.events.toString());
        cluster.awaitEnd();
    }

    @Test
    void shouldSearchAgainWhenATopologyWithoutAnSloComesOrLeaves() {
        ScriptedCluster cluster = new ScriptedCluster(Goal.TOTAL).topology("a", 1, 9);
        cluster.awaitEnd();
        cluster.other("b").look(30_000);
        assertEquals("topologies changed: [b] came", cluster.lastEvent().text());
        cluster.awaitEnd();
        cluster.topologies.remove("b");
        cluster.look(30_000);
        assertEquals("topologies changed: [b] left", cluster.lastEvent().text());
    }

    @Test
    void shouldRememberTheFirstExecutorsWhileATopologyHasNoSlots() {
        ScriptedCluster cluster = new ScriptedCluster(Goal.TOTAL).topology("a", 1, 9, 10).topology("b", 1, 9);
        cluster.look(30_000);
        SimulatedTopology lost = cluster.topologies.remove("a");
        cluster.look(30_000);
        cluster.topologies.put("a", lost.on(List.of(ScriptedCluster.FIRST), 4));
        cluster.look(30_000);

        assertEquals(10, cluster.state.firstSeen().get("a").get("bolt0"));
        assertFalse(cluster.state.retain(Set.of("b")).firstSeen().containsKey("a"));
    }

    @Test
    void shouldKeepAStepWhenUtilityFellBecauseTheLoadOfOthersRose() {
        ScriptedCluster cluster = needy().topology("b", 5, 9);
        cluster.apply(cluster.awaitPlan());
        cluster.look(1_000);
        cluster.inputPerSec.put("b", 300.0);
        cluster.latencyMs.put("b", 90.0);

        cluster.look(70_000);
        cluster.look(30_000);

        assertTrue(cluster.has(HengeEvent.Kind.NOT_JUDGED, "the input of b changed from 100.0/s to 300.0/s"), cluster.events.toString());
        assertEquals(6, cluster.executors("a", "bolt0"));
    }

    @Test
    void shouldUndoAStepWhenUtilityFellAndTheInputOfOthersWithIt() {
        ScriptedCluster cluster = needy().topology("b", 5, 9);
        cluster.apply(cluster.awaitPlan());
        cluster.look(1_000);
        cluster.inputPerSec.put("b", 30.0);
        cluster.latencyMs.put("b", 90.0);

        assertEquals(Action.REVERSION, cluster.awaitPlan().action());
    }

    @Test
    void shouldUndoAStepThatCostsATopologyWithoutAnSloMoreThanTheBound() {
        ScriptedCluster cluster = needy().other("c");
        HengePlan plan = cluster.awaitPlan();
        cluster.latencyMs.put("a", 9.0);
        cluster.inputPerSec.put("c", 79.0);
        cluster.apply(plan);

        HengePlan undo = cluster.awaitPlan();

        assertEquals(Action.REVERSION, undo.action());
        assertTrue(cluster.has(HengeEvent.Kind.REJECTED, "c, which has no SLO, processes 79.0/s instead of 100.0/s, 1.00 of its input"),
            cluster.events.toString());
        cluster.latencyMs.put("a", 20.0);
        cluster.inputPerSec.put("c", 100.0);
        cluster.apply(undo);
        assertEquals(2, cluster.executors("a", "bolt0"));
        cluster.awaitEnd();
    }

    @Test
    void shouldKeepAStepThatCostsATopologyWithoutAnSloLessThanTheBound() {
        ScriptedCluster cluster = needy().other("c");
        HengePlan plan = cluster.awaitPlan();
        cluster.latencyMs.put("a", 9.0);
        cluster.inputPerSec.put("c", 81.0);
        cluster.apply(plan);

        assertEquals("1 of 1 topologies meet their SLO", cluster.awaitEnd().text());
    }

    @Test
    void shouldAddUpWhatStepsCostTopologiesWithoutAnSlo() {
        ScriptedCluster cluster = needy().other("c");
        HengePlan first = cluster.awaitPlan();
        cluster.inputPerSec.put("c", 85.0);
        cluster.latencyMs.put("a", 15.0);
        cluster.busy("a", "bolt0", 0.1).busy("a", "output", 0.6);
        cluster.applyAndAwaitEvent(first, HengeEvent.Kind.KEPT);
        HengePlan second = cluster.awaitPlan();
        cluster.inputPerSec.put("c", 72.0);
        cluster.apply(second);

        HengePlan undo = cluster.awaitPlan();
        cluster.apply(undo);

        assertEquals(6, cluster.executors("a", "bolt0"), "the first step is kept");
        assertEquals(2, cluster.executors("a", "output"));
    }

    @Test
    void shouldAddUpWhatStepsOfSeveralSearchesCostTopologiesWithoutAnSlo() {
        ScriptedCluster cluster = needy().other("c");
        HengePlan first = cluster.awaitPlan();
        cluster.inputPerSec.put("c", 85.0);
        cluster.latencyMs.put("a", 9.0);
        cluster.applyAndAwaitEvent(first, HengeEvent.Kind.KEPT);
        cluster.awaitEnd();
        cluster.inputPerSec.put("c", 42.5); // Half of its load.
        cluster.latencyMs.put("a", 15.0);
        cluster.busy("a", "bolt0", 0.1).busy("a", "output", 0.6);
        HengePlan second = cluster.awaitPlan();
        assertTrue(cluster.has(HengeEvent.Kind.RECONVERGENCE, "the utility fell"), cluster.events.toString());
        cluster.inputPerSec.put("c", 39.0);

        cluster.apply(second);
        assertEquals(Action.REVERSION, cluster.awaitPlan().action());

        assertTrue(cluster.has(HengeEvent.Kind.REJECTED, "c, which has no SLO, processes 39.0/s instead of 50.0/s"),
            cluster.events.toString());
    }

    @Test
    void shouldSearchAgainWhenAnotherLoadChangesWhileAnSloIsMissed() {
        ScriptedCluster cluster = needy().other("c");
        cluster.busy("a", "bolt0", 0.1).awaitEnd();
        cluster.inputPerSec.put("c", 76.0);
        cluster.awaitEnd();
        assertFalse(cluster.has(HengeEvent.Kind.RECONVERGENCE, "the input of c"), cluster.events.toString());
        cluster.inputPerSec.put("c", 74.0);

        cluster.look(30_000);

        assertEquals("the input of c changed from 100.0/s to 74.0/s", cluster.lastEvent().text());
    }

    @Test
    void shouldNotSearchAgainForAnotherLoadWhileEverySloIsMet() {
        ScriptedCluster cluster = new ScriptedCluster(Goal.TOTAL).topology("a", 1, 9).other("c");
        cluster.awaitEnd();
        cluster.inputPerSec.put("c", 10.0);

        assertTrue(cluster.look(30_000).events().isEmpty());
    }

    @Test
    void shouldNotBlameAStepForWhatATopologyWithoutAnSloHadLostBefore() {
        ScriptedCluster cluster = needy().other("c");
        HengePlan first = cluster.awaitPlan();
        cluster.latencyMs.put("a", 15.0);
        cluster.busy("a", "bolt0", 0.1).busy("a", "output", 0.6);
        cluster.applyAndAwaitEvent(first, HengeEvent.Kind.KEPT);
        cluster.inputPerSec.put("c", 50.0);
        HengePlan second = cluster.awaitPlan();
        cluster.latencyMs.put("a", 9.0);
        cluster.apply(second);

        assertEquals("1 of 1 topologies meet their SLO", cluster.awaitEnd().text());
    }

    @Test
    void shouldNotSeeTheLoadOfATopologyWithoutAnSloAsACostForever() {
        ScriptedCluster cluster = needy().other("c");
        HengePlan plan = cluster.awaitPlan();
        cluster.inputPerSec.put("c", 50.0);
        cluster.apply(plan);
        cluster.apply(cluster.awaitPlan());
        cluster.busy("a", "bolt0", 0.1).busy("a", "output", 0.6);
        HengePlan next = cluster.awaitPlan();
        assertEquals(Action.RECONFIGURATION, next.action());
        cluster.latencyMs.put("a", 9.0);
        cluster.apply(next);

        assertEquals("1 of 1 topologies meet their SLO", cluster.awaitEnd().text());
    }

    @Test
    void shouldGiveAnOperatorThatFallsBehindAllExecutorsThatItLacksAtOnce() {
        // 1 executor that is busy all the time and processes 100 of 256 per second has a congestion of 2.56: it lacks 2.56 / 0.3 - 1.
        ScriptedCluster cluster = new ScriptedCluster(Goal.TOTAL).topology("a", 1, 20, 1).busy("a", "bolt0", 2.56);

        assertEquals(Map.of("bolt0", 9), cluster.awaitPlan().changes().get("a").executors());
    }

    @Test
    void shouldMeasureWhatIsLostByTheFigureThatFellMore() {
        assertEquals(0.5, new Standing(50, 1).shareOf(new Standing(100, 1)), 1e-9);
        assertEquals(0.75, new Standing(150, 0.75).shareOf(new Standing(100, 1.5)), 1e-9);
        assertEquals(1, new Standing(0, 1).shareOf(new Standing(0, 1)), 1e-9);
    }

    private static void rebalance(ScriptedCluster cluster, String id, int executorsPerComponent) {
        cluster.topologies.get(id).on(List.of(ScriptedCluster.FIRST), executorsPerComponent);
    }

    /** One topology, which has a congested operator and misses its SLO. */
    private static ScriptedCluster needy() {
        return new ScriptedCluster(Goal.TOTAL).topology("a", 1, 20).busy("a", "bolt0", 0.9);
    }
}
