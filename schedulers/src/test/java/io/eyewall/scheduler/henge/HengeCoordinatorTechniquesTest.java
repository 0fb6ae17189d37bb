package io.eyewall.scheduler.henge;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.eyewall.client.settings.tail.TechniqueOrders;
import io.eyewall.elasticity.henge.HengeEvent;
import io.eyewall.elasticity.henge.HengeEvent.Kind;
import io.eyewall.scheduler.cluster.ClusterView;
import io.eyewall.scheduler.cluster.FakeWorkers;
import io.eyewall.scheduler.cluster.MemoryBlobs;
import io.eyewall.scheduler.cluster.StormFixture;
import java.net.URI;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.storm.scheduler.Cluster;
import org.apache.storm.scheduler.ExecutorDetails;
import org.apache.storm.scheduler.WorkerSlot;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The topology of HengeCoordinatorTest, of whose messages some are late while its workers do not replay. Nothing in it is busy. */
class HengeCoordinatorTechniquesTest {

    private static final int ROUND_SECS = 10;
    private static final int ROUNDS = 30;
    private static final String TIMEOUT = TechniqueOrders.ADAPTIVE_TIMEOUT;
    private static final long LATE_MS = 30;

    private StormFixture storm;
    private FakeWorkers workers;
    private MemoryBlobs blobs;
    private StoredNodes zooKeeper;
    private HengeCoordinator coordinator;
    /** What the workers have recorded since they started, in milliseconds. */
    private final List<Long> latenciesMs = new ArrayList<>();
    /** The latency of a late message while the workers replay. */
    private long helpedMs;

    HengeCoordinatorTechniquesTest() {
        begin();
    }

    @Test
    void shouldSwitchTheTimeoutOnWithoutARebalanceAndKeepItWhenItHelps() {
        rounds(ROUNDS);

        assertEquals(TIMEOUT, zooKeeper.order(StormFixture.ID));
        assertEquals(List.of(Kind.RECONVERGENCE, Kind.PLANNED, Kind.APPLIED, Kind.KEPT, Kind.CONVERGED), kinds());
        String planned = events().get(1).text();
        assertTrue(planned.startsWith("switch: linear misses its SLO, no operator is congested, "), planned);
        assertTrue(planned.endsWith("; linear uses the adaptive timeout"), planned);
        String lastAction = SloReport.of(blobs.read(SloReport.KEY).orElseThrow()).rows().get(0).lastAction();
        assertTrue(lastAction.startsWith("step 1, kept: utility of linear 0.67 -> 1.00"), lastAction);
        assertTrue(events().get(2).timeMs() - events().get(1).timeMs() > 2 * TechniqueOrders.READ_PERIOD_MS);
    }

    @Test
    void shouldSwitchTheTimeoutOffAgainWhenItDoesNotHelp() {
        helpedMs = LATE_MS;

        rounds(2 * ROUNDS);

        assertNull(zooKeeper.order(StormFixture.ID));
        assertEquals(List.of(Kind.RECONVERGENCE, Kind.PLANNED, Kind.APPLIED, Kind.REJECTED, Kind.PLANNED, Kind.APPLIED, Kind.KEPT,
            Kind.CONVERGED), kinds());
        assertEquals("reversion: step 1 is undone; utility of linear 0.67 (latency 30.02 of 20.00 ms), all 0.67; "
            + "utility of all as before: 0.67; linear uses no technique", events().get(4).text());
    }

    @Test
    void shouldLeaveExecutorsWhereTheyAreWhenItSwitchesOff() {
        helpedMs = LATE_MS;
        roundsUntil(Kind.APPLIED);
        moveTheWorkerOnM2();
        roundsUntil(Kind.REJECTED);
        moveTheWorkerOnM2();

        rounds(ROUNDS);

        assertNull(zooKeeper.order(StormFixture.ID));
        assertEquals(Kind.CONVERGED, kinds().get(kinds().size() - 1), () -> events().toString());
    }

    @Test
    void shouldEndAtTheSameWhenNimbusDiesBeforeAnyWriteOfAnyRound() {
        for (int after = 0; after < ROUNDS / 2; after++) {
            for (int calls = 0; calls < 4; calls++) {
                begin();
                rounds(after);
                zooKeeper.callsUntilDown = calls;
                rounds(1);
                boolean failed = zooKeeper.failures > 0;
                coordinator = newCoordinator();
                zooKeeper.callsUntilDown = Integer.MAX_VALUE;
                rounds(ROUNDS);
                assertEquals(TIMEOUT, zooKeeper.order(StormFixture.ID), "after round " + after + " and call " + calls);
                assertEquals(1, kinds().stream().filter(kind -> kind == Kind.PLANNED).count(), () -> events().toString());
                if (!failed) {
                    break; // The round makes no more calls.
                }
            }
        }
    }

    @Test
    void shouldTryAgainInEachRoundWhileZooKeeperIsDownAndUndoTheStepInTheEnd() {
        zooKeeper.callsUntilDown = 0;
        rounds(ROUNDS);
        assertTrue(zooKeeper.failures >= ROUNDS, zooKeeper.failures + " tries in " + ROUNDS + " rounds");
        assertTrue(kinds().contains(Kind.ABORTED), () -> events().toString());

        zooKeeper.callsUntilDown = Integer.MAX_VALUE;
        rounds(ROUNDS);

        assertNull(zooKeeper.order(StormFixture.ID));
        assertEquals(Kind.CONVERGED, kinds().get(kinds().size() - 1), () -> events().toString());
    }

    @Test
    void shouldLookAtTheNodesOnceInARound() {
        rounds(1);
        zooKeeper.nodes.put(TechniqueOrders.ROOT, new byte[0]);

        rounds(ROUNDS);

        assertTrue(kinds().contains(Kind.KEPT), () -> events().toString());
        assertEquals(ROUNDS, zooKeeper.listings);
    }

    @Test
    void shouldDeleteTheNodesOfTopologiesThatAreGoneOrHaveNoSloAnyMore() {
        rounds(ROUNDS);
        zooKeeper.nodes.put(TechniqueOrders.path("gone-1-1"), TechniqueOrders.encode(List.of(TIMEOUT)));
        rounds(1);
        assertNull(zooKeeper.order("gone-1-1"));
        assertNotNull(zooKeeper.order(StormFixture.ID));

        storm.set("topology.slo.latency.ms", 0);
        rounds(1);
        assertNull(zooKeeper.order(StormFixture.ID));
    }

    @Test
    void shouldRepairANodeThatSomebodyHasChanged() {
        rounds(ROUNDS);
        zooKeeper.nodes.put(TechniqueOrders.path(StormFixture.ID), new byte[] {1, 2, 3});
        rounds(1);
        assertEquals(TIMEOUT, zooKeeper.order(StormFixture.ID));
        zooKeeper.nodes.clear();
        rounds(1);
        assertEquals(TIMEOUT, zooKeeper.order(StormFixture.ID));
    }

    @ParameterizedTest
    @CsvSource({"topology.tail.latency, auto", "topology.tail.latency, manual", "topology.adaptive.timeout, false"})
    void shouldSwitchNothingThatIsTheTopologysOwnBusiness(String key, String value) {
        storm.set(key, value);

        rounds(ROUNDS);

        assertNull(zooKeeper.order(StormFixture.ID));
        assertEquals(List.of(Kind.RECONVERGENCE, Kind.CONVERGED), kinds());
    }

    /** Storm moves it to the other slot. */
    private void moveTheWorkerOnM2() {
        Cluster cluster = storm.cluster();
        WorkerSlot from = storm.placement().values().stream().filter(slot -> slot.getNodeId().equals("m2")).findFirst().orElseThrow();
        List<ExecutorDetails> executors = storm.placement().entrySet().stream().filter(entry -> entry.getValue().equals(from))
            .map(Map.Entry::getKey).toList();
        cluster.freeSlot(from);
        cluster.assign(new WorkerSlot("m2", from.getPort() == 6700 ? 6701 : 6700), StormFixture.ID, executors);
        storm.keep(cluster);
    }

    private void begin() {
        storm = new StormFixture("m1", "m2");
        storm.set("topology.slo.latency.ms", 20);
        storm.set("topology.tail.latency", "slo");
        workers = new FakeWorkers(storm, 1_000_000);
        workers.letSinkKeepUp();
        workers.letWorkRest();
        blobs = new MemoryBlobs();
        zooKeeper = new StoredNodes();
        latenciesMs.clear();
        helpedMs = 10;
        coordinator = newCoordinator();
    }

    private HengeCoordinator newCoordinator() {
        HengeSettings settings = new HengeSettings(Map.of(HengeSettings.SETTLE_SECS, 20));
        return new HengeCoordinator(new HengeStore(blobs),
            new SloFigures(workers, this::served, settings.configuration().settleMs(), workers::nowMs),
            zooKeeper.techniques(workers::nowMs), settings, (name, options) -> {
                throw new AssertionError("no rebalance is needed: " + options);
            }, workers::nowMs);
    }

    private Map<URI, String> served(Set<URI> wanted) {
        Map<URI, String> pages = new HashMap<>();
        for (WorkerSlot slot : storm.placement().values()) {
            pages.put(WorkerPageReader.uri(slot.getNodeId(), ClusterView.slot(slot).port() + 10_000, "/worker"),
                RecordedLatenciesTest.pageOf(StormFixture.ID,
                    RecordedLatenciesTest.line("sink", latenciesMs.stream().mapToLong(Long::longValue).toArray())));
        }
        pages.keySet().retainAll(wanted);
        return pages;
    }

    private void rounds(int count) {
        for (int round = 0; round < count; round++) {
            coordinator.runRound(storm.view());
            workers.sleep(ROUND_SECS);
            latenciesMs.add(TIMEOUT.equals(zooKeeper.order(StormFixture.ID)) ? helpedMs : LATE_MS);
        }
    }

    private void roundsUntil(Kind kind) {
        for (int round = 0; !kinds().contains(kind); round++) {
            assertTrue(round < ROUNDS, () -> events().toString());
            rounds(1);
        }
    }

    private List<HengeEvent> events() {
        return blobs.read(SloHistory.LOG_KEY).map(SloHistory::events).orElse(List.of());
    }

    private List<Kind> kinds() {
        return events().stream().map(HengeEvent::kind).toList();
    }
}
