package io.eyewall.scheduler.henge;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.eyewall.elasticity.henge.HengeEvent.Kind;
import io.eyewall.scheduler.cluster.StormFixture;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.apache.storm.scheduler.Cluster;
import org.junit.jupiter.api.Test;

/** What the action log and the counts have of the steps. */
class HengeCoordinatorEventsTest {

    private static final int ROUNDS = 20;
    private static final List<Kind> COURSE = List.of(Kind.RECONVERGENCE, Kind.PLANNED, Kind.APPLIED, Kind.KEPT, Kind.CONVERGED);

    private final ScriptedNimbus nimbus = new ScriptedNimbus();

    HengeCoordinatorEventsTest() {
        nimbus.storm.set("topology.slo.juice.min", 0.75);
    }

    @Test
    void shouldCountWhatHappens() {
        nimbus.rounds(ROUNDS);

        assertEquals(COURSE, nimbus.kinds());
        for (Kind kind : Kind.values()) {
            assertEquals(COURSE.contains(kind) ? 1 : 0, nimbus.coordinator.count(kind), kind.name());
        }
    }

    @Test
    void shouldLogEachEventOnceWhenNimbusEndsBeforeItWritesTheLog() {
        int ends = 0;
        boolean ended = false;
        for (int round = 0; round < 2 * ROUNDS; round++) {
            if (!ended) {
                nimbus.blobs.failOnce(SloHistory.LOG_KEY);
            }
            try {
                nimbus.coordinator.runRound(nimbus.storm.view());
                ended = false;
            } catch (IllegalStateException e) {
                assertEquals("Blob eyewall-slo-log cannot be written.", e.getMessage());
                nimbus.restart();
                ended = true;
                ends++;
            }
            nimbus.rebalance();
            nimbus.workers.sleep(ScriptedNimbus.ROUND_SECS);
        }

        assertTrue(ends >= 3, "it ended " + ends + " times");
        assertEquals(COURSE, nimbus.kinds(), () -> nimbus.events().toString());
    }

    @Test
    void shouldBeginALogAndAHistoryAnewThatItDoesNotUnderstand() {
        for (String damaged : List.of("Dear scheduler", "[]", "{\"kind\":\"KEPT\"}", "{\"utilities\":1}")) {
            nimbus.blobs.write(SloHistory.LOG_KEY, damaged.getBytes(StandardCharsets.UTF_8));
            nimbus.blobs.write(SloHistory.UTILITIES_KEY, damaged.getBytes(StandardCharsets.UTF_8));
            nimbus.rounds(1);
        }

        nimbus.rounds(ROUNDS);

        assertEquals(Kind.CONVERGED, nimbus.kinds().get(nimbus.kinds().size() - 1));
        assertTrue(SloHistory.points(nimbus.blobs.read(SloHistory.UTILITIES_KEY).orElseThrow()).size() > 1);
    }

    @Test
    void shouldNotPlaceWhatItPreparedBeforeItLostTheLead() {
        planAStep();
        nimbus.workers.sleep(60);

        nimbus.storm.rebalance(nimbus.rebalances.get(0));
        Cluster cluster = nimbus.storm.cluster();
        nimbus.coordinator.place(nimbus.storm.details(), cluster);

        assertNull(cluster.getAssignmentById(StormFixture.ID));
    }

    @Test
    void shouldForgetAStepWhenNoTopologyHasAnSloAnyMore() {
        planAStep();
        nimbus.rebalances.clear();
        nimbus.storm.set("topology.slo.juice.min", 0);
        nimbus.rounds(1);
        assertEquals("no topology has an SLO", nimbus.report().activity());
        nimbus.workers.sleep(100_000);
        nimbus.storm.set("topology.slo.juice.min", 0.75);

        nimbus.rounds(2 * ROUNDS);

        List<Kind> course = new ArrayList<>(List.of(Kind.RECONVERGENCE, Kind.PLANNED, Kind.NOT_JUDGED));
        course.addAll(COURSE);
        assertEquals(course, nimbus.kinds(), () -> nimbus.events().toString());
        assertEquals("no topology has an SLO", nimbus.events().get(2).text());
    }

    /** Runs rounds until Nimbus is asked for a rebalance, which does not come. */
    private void planAStep() {
        for (int round = 0; nimbus.asked == 0; round++) {
            assertTrue(round < ROUNDS, "it plans no step");
            nimbus.coordinator.runRound(nimbus.storm.view());
            nimbus.workers.sleep(ScriptedNimbus.ROUND_SECS);
        }
    }
}
