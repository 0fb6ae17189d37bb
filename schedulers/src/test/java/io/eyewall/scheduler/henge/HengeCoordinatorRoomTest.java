package io.eyewall.scheduler.henge;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.eyewall.elasticity.henge.HengeEvent;
import io.eyewall.scheduler.cluster.ClusterView;
import io.eyewall.scheduler.cluster.FakeWorkers;
import io.eyewall.scheduler.cluster.MemoryBlobs;
import io.eyewall.scheduler.cluster.StormFixture;
import java.net.URI;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.storm.generated.RebalanceOptions;
import org.apache.storm.scheduler.Cluster;
import org.apache.storm.scheduler.DefaultScheduler;
import org.junit.jupiter.api.Test;

/** What room the machines have, and another place for executors where they have none. The topology is that of HengeCoordinatorTest. */
class HengeCoordinatorRoomTest {

    private static final int ROUND_SECS = 10;
    private static final int ROUNDS = 60;

    private final StormFixture storm = new StormFixture("m1", "m2");
    private final FakeWorkers workers = new FakeWorkers(storm, 1_000_000);
    private final MemoryBlobs blobs = new MemoryBlobs();
    private final Map<URI, String> pages = new HashMap<>();
    private final List<RebalanceOptions> rebalances = new ArrayList<>();
    private HengeCoordinator coordinator = newCoordinator();

    HengeCoordinatorRoomTest() {
        workers.letSinkKeepUp();
    }

    @Test
    void shouldMoveExecutorsOffBusyMachinesWhenNothingElseIsLeftToTry() {
        storm.join("m3");
        storm.join("m4");
        storm.set("topology.slo.juice.min", 1);
        storm.placement().values().forEach(slot -> pages.put(
            WorkerPages.uri(slot.getNodeId(), ClusterView.slot(slot).port() + 10_000, "/host"), "eyewall-host 1 0.95\n"));

        rounds(ROUNDS);

        List<HengeEvent> events = SloHistory.events(blobs.read(SloHistory.LOG_KEY).orElseThrow());
        HengeEvent planned = events.stream().filter(event -> event.text().startsWith("relocation: ")).findFirst().orElseThrow(
            () -> new AssertionError(events));
        assertTrue(planned.text().matches("relocation: linear misses its SLO, congested: work, its machines are busy; utility of linear "
            + ".*, all .*; executors move: 1 of .*"), planned.text());
        assertTrue(planned.text().endsWith("; linear gets another place on 4 workers"), planned.text());
        assertTrue(storm.placement().values().stream().anyMatch(slot -> slot.getNodeId().equals("m4")), storm.placement()::toString);
        assertEquals(4, storm.placement().keySet().stream().filter(
            executor -> storm.componentOf(executor.getStartTask()).equals("work")).count());
        SloReport report = report();
        assertEquals("nothing is left to do", report.activity());
        assertTrue(report.rows().get(0).lastAction().startsWith("step " + planned.step() + ", kept: "), report::toString);
    }

    @Test
    void shouldReportTheFreeCoresAndWhatTopologiesKeepBusyWithoutSlosToo() {
        rounds(ROUNDS);
        // Two executors of work are always busy and two of sink for a tenth of the time; two machines have two cores each.
        assertEquals(2.2, report().busyCores().get("linear"), 1e-6);
        assertTrue(report().freeCores().isPresent(), report()::toString);

        coordinator = newCoordinator();
        workers.setSilent(true);
        rounds(ROUNDS);
        assertTrue(report().busyCores().containsKey("linear"), "the next Nimbus knows what ran before");
    }

    private HengeCoordinator newCoordinator() {
        WorkerPages served = wanted -> {
            Map<URI, String> found = new HashMap<>(pages);
            found.keySet().retainAll(wanted);
            return found;
        };
        return new HengeCoordinator(new HengeStore(blobs), new SloFigures(workers, served, workers::nowMs),
            new StoredNodes().techniques(workers::nowMs), new HengeSettings(Map.of(HengeSettings.SETTLE_SECS, 20)),
            (name, options) -> rebalances.add(options), workers::nowMs);
    }

    private void rounds(int number) {
        for (int round = 0; round < number; round++) {
            coordinator.runRound(storm.view());
            rebalances.forEach(options -> {
                storm.rebalance(options);
                Cluster cluster = storm.cluster();
                coordinator.place(storm.details(), cluster);
                new DefaultScheduler().schedule(cluster.getTopologies(), cluster);
                storm.keep(cluster);
            });
            rebalances.clear();
            workers.sleep(ROUND_SECS);
        }
    }

    private SloReport report() {
        return SloReport.of(blobs.read(SloReport.KEY).orElseThrow());
    }
}
