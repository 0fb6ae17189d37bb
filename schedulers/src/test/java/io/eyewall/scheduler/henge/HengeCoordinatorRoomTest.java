package io.eyewall.scheduler.henge;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.eyewall.elasticity.henge.HengeEvent;
import io.eyewall.scheduler.cluster.ClusterView;
import io.eyewall.scheduler.cluster.StormFixture;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What room the machines have, and another place for executors where they have none. The topology is that of HengeCoordinatorTest. */
class HengeCoordinatorRoomTest {

    private static final int ROUNDS = 60;

    private final ScriptedNimbus nimbus = new ScriptedNimbus();
    private final StormFixture storm = nimbus.storm;

    @Test
    void shouldMoveExecutorsOffBusyMachinesWhenNothingElseIsLeftToTry() {
        storm.join("m3");
        storm.join("m4");
        storm.set("topology.slo.juice.min", 1);
        storm.placement().values().forEach(slot -> nimbus.pages.put(
            WorkerPageReader.uri(slot.getNodeId(), ClusterView.slot(slot).port() + 10_000, "/host"), "eyewall-host 1 0.95\n"));

        nimbus.rounds(ROUNDS);

        List<HengeEvent> events = nimbus.events();
        HengeEvent planned = events.stream().filter(event -> event.text().startsWith("relocation: ")).findFirst().orElseThrow(
            () -> new AssertionError(events));
        assertTrue(planned.text().matches("relocation: linear misses its SLO, congested: work, its machines are busy; utility of linear "
            + ".*, all .*; executors move: 1 of .*"), planned.text());
        assertTrue(planned.text().endsWith("; linear gets another place on 4 workers"), planned.text());
        assertTrue(storm.placement().values().stream().anyMatch(slot -> slot.getNodeId().equals("m4")), storm.placement()::toString);
        assertEquals(4, storm.placement().keySet().stream().filter(
            executor -> storm.componentOf(executor.getStartTask()).equals("work")).count());
        SloReport report = nimbus.report();
        assertEquals("has ended its search, 0 of 1 topologies meet their SLO; nothing is left to try for linear (no tasks for "
            + "more executors of work; its machines are busy)", report.activity());
        assertTrue(report.rows().get(0).lastAction().startsWith("step " + planned.step() + ", kept: "), report::toString);
    }

    @Test
    void shouldReportTheFreeCoresAndWhatTopologiesKeepBusyWithoutSlosToo() {
        nimbus.rounds(ROUNDS);
        // Two executors of work are always busy and two of sink for a tenth of the time; two machines have two cores each.
        assertEquals(2.2, nimbus.report().busyCores().get("linear"), 1e-6);
        assertTrue(nimbus.report().freeCores().isPresent(), nimbus.report()::toString);

        nimbus.restart();
        nimbus.workers.setSilent(true);
        nimbus.rounds(ROUNDS);
        assertTrue(nimbus.report().busyCores().containsKey("linear"), "the next Nimbus knows what ran before");
    }
}
