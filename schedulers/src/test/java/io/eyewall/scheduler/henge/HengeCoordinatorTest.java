package io.eyewall.scheduler.henge;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.eyewall.elasticity.henge.HengeEvent;
import io.eyewall.elasticity.henge.HengeEvent.Kind;
import io.eyewall.scheduler.cluster.ClusterView;
import io.eyewall.scheduler.cluster.FakeWorkers;
import io.eyewall.scheduler.cluster.MemoryBlobs;
import io.eyewall.scheduler.cluster.StormFixture;
import io.eyewall.scheduler.henge.SloRequest.Progress;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.storm.generated.RebalanceOptions;
import org.apache.storm.scheduler.ExecutorDetails;
import org.apache.storm.scheduler.WorkerSlot;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The topology's bolt work gets 2,000 tuples per second and executes 400 with each executor: its juice is 0.4 with two executors. */
class HengeCoordinatorTest {

    private static final int ROUND_SECS = ScriptedNimbus.ROUND_SECS;
    private static final int ROUNDS = 20;

    private ScriptedNimbus nimbus;
    private StormFixture storm;
    private FakeWorkers workers;
    private MemoryBlobs blobs;

    HengeCoordinatorTest() {
        begin();
    }

    /** What happens to a rebalance that Nimbus was nimbus.asked for before it was restarted. */
    private enum Restart { BEFORE_THE_REBALANCE, WITH_THE_REBALANCE_LOST, AFTER_THE_REBALANCE }

    @Test
    void shouldGiveExecutorsToATopologyThatMissesItsSloAndRest() {
        storm.set("topology.slo.juice.min", 0.75);
        Map<ExecutorDetails, WorkerSlot> sourcesBefore = placement("source");

        nimbus.rounds(ROUNDS);

        assertEquals(4, placement("work").size());
        assertEquals(sourcesBefore, placement("source"), "no other executor moves");
        assertEquals(1, nimbus.asked);
        assertEquals(List.of(Kind.RECONVERGENCE, Kind.PLANNED, Kind.APPLIED, Kind.KEPT, Kind.CONVERGED), nimbus.kinds());
        String planned = nimbus.events().get(1).text();
        assertTrue(planned.contains("linear misses its SLO, congested: work; utility of linear 0.53 (juice 0.40 of 0.75), all 0.53"),
            planned);
        assertTrue(planned.endsWith("; linear gets {work=4} on 2 workers"), planned);
        SloReport report = nimbus.report();
        assertEquals("has ended its search, 1 of 1 topologies meet their SLO", report.activity());
        SloReport.Row row = report.rows().get(0);
        assertEquals("linear", row.topologyName());
        assertEquals("juice at least 0.75, worth 1 (knee)", row.slo());
        assertEquals("juice 0.800", row.values());
        assertEquals(SloReport.MET, row.state());
        assertEquals(1, row.utility().orElseThrow(), 1e-9);
        assertTrue(row.lastAction().startsWith("step 1, kept: utility of linear 0.53 -> 1.00"), row.lastAction());
        List<SloHistory.Point> points = SloHistory.points(blobs.read(SloHistory.UTILITIES_KEY).orElseThrow());
        assertEquals(Set.of("linear"), points.get(0).unknown());
        assertEquals(0.4 / 0.75, points.get(1).utilities().get("linear"), 1e-6);
        assertEquals(1, points.get(points.size() - 1).utilities().get("linear"), 1e-9);
    }

    @ParameterizedTest
    @EnumSource(Restart.class)
    void shouldEndAtTheSameWhenNimbusIsRestartedAfterAnyRound(Restart restart) {
        for (int after = 0; after < ROUNDS; after++) {
            begin();
            storm.set("topology.slo.juice.min", 0.75);
            for (int round = 0; round < 2 * ROUNDS; round++) {
                nimbus.coordinator.runRound(storm.view());
                if (round == after) {
                    if (restart == Restart.AFTER_THE_REBALANCE) {
                        nimbus.rebalance();
                    } else if (restart == Restart.WITH_THE_REBALANCE_LOST) {
                        nimbus.rebalances.clear();
                    }
                    nimbus.restart();
                }
                nimbus.rebalance();
                workers.sleep(ROUND_SECS);
            }
            assertEquals(4, placement("work").size(), restart + " " + after);
            assertEquals(SloReport.MET, nimbus.report().rows().get(0).state());
            assertEquals(1, nimbus.kinds().stream().filter(kind -> kind == Kind.PLANNED).count(), () -> nimbus.events().toString());
            assertEquals(1, nimbus.kinds().stream().filter(kind -> kind == Kind.KEPT).count(), () -> nimbus.events().toString());
            assertTrue(nimbus.asked <= 2, restart + " " + after + ": Nimbus was asked for " + nimbus.asked + " rebalances");
        }
    }

    @Test
    void shouldAskAgainOnlyAfterAMinuteWhileNimbusDoesNotRebalance() {
        storm.set("topology.slo.juice.min", 0.75);
        roundsUntilAsked();
        for (int round = 0; round < 5; round++) {
            nimbus.coordinator.runRound(storm.view());
            workers.sleep(ROUND_SECS);
        }
        assertEquals(1, nimbus.asked);
        nimbus.coordinator.runRound(storm.view());
        assertEquals(2, nimbus.asked);
    }

    @Test
    void shouldReportThatThereIsNoRoomWhenAllMachinesAreBusyAndTheSloIsStillMissed() {
        storm.set("topology.slo.juice.min", 1);
        setLoad(0.95);
        nimbus.rounds(1);
        assertEquals("", nimbus.report().noRoom());

        nimbus.rounds(3 * ROUNDS);

        assertEquals("has ended its search, 0 of 1 topologies meet their SLO; nothing is left to try for linear (no tasks for "
            + "more executors of work; its machines are busy)", nimbus.report().activity());
        assertEquals("the CPU load is high on all machines (2), and nothing is left to try for what misses its SLO already: linear",
            nimbus.report().noRoom());
        assertFalse(nimbus.report().refuses());
    }

    @Test
    void shouldGiveExecutorsToATopologyWhoseExecutorsMostlyWait() {
        storm.set("topology.slo.juice.min", 0.75);
        setLoad(0.01);
        roundsUntilAsked();
        nimbus.rebalance();
        assertEquals(4, placement("work").size());
    }

    @Test
    void shouldTryAgainInTheNextRoundWhenNimbusRefuses() {
        storm.set("topology.slo.juice.min", 0.75);
        nimbus.refusing = true;
        nimbus.rounds(8);
        assertTrue(nimbus.asked > 1, "asked " + nimbus.asked + " times");
        assertEquals(2, placement("work").size());
        nimbus.refusing = false;
        nimbus.rounds(2);
        assertEquals(4, placement("work").size());
    }

    @Test
    void shouldUndoAStepThatIsNotAppliedInTime() {
        storm.set("topology.slo.juice.min", 0.75);
        nimbus.refusing = true;
        nimbus.rounds(ROUNDS);
        assertTrue(nimbus.kinds().contains(Kind.ABORTED), () -> nimbus.events().toString());
        assertEquals(2, placement("work").size());
    }

    @Test
    void shouldLeaveATopologyAloneWhileItsWorkersAreSilent() {
        storm.set("topology.slo.juice.min", 0.75);
        storm.set("executor.metrics.frequency.secs", 10);
        workers.setSilent(true);
        nimbus.rounds(ROUNDS);
        assertEquals(0, nimbus.asked);
        String state = nimbus.report().rows().get(0).state();
        assertTrue(state.matches("left alone: a worker has not reported for \\d+ s"), state);
        assertEquals("juice unknown", nimbus.report().rows().get(0).values());
        workers.setSilent(false);
        nimbus.rounds(ROUNDS);
        assertEquals(1, nimbus.asked);
    }

    @Test
    void shouldNotApplyAPlanThatCannotBeStored() {
        storm.set("topology.slo.juice.min", 0.75);
        nimbus.rounds(2);
        blobs.setBroken(true);
        for (int round = 0; round < ROUNDS; round++) {
            assertThrows(IllegalStateException.class, () -> nimbus.coordinator.runRound(storm.view()));
            workers.sleep(ROUND_SECS);
        }
        assertEquals(0, nimbus.asked);
        blobs.setBroken(false);
        nimbus.rounds(ROUNDS);
        assertEquals(1, nimbus.asked);
    }

    @Test
    void shouldDoNothingWithoutAnSlo() {
        nimbus.rounds(ROUNDS);
        assertEquals(0, nimbus.asked);
        assertEquals(List.of(), nimbus.report().rows());
        assertEquals("no topology has an SLO", nimbus.report().activity());
    }

    @Test
    void shouldMeasureTheMeanLatencyByStormsMetricsWhenNothingIsRecorded() {
        storm.set("topology.slo.latency.ms", 20);
        storm.set("topology.slo.latency.percentile", "mean");
        storm.set("topology.latency.recording", "off");
        nimbus.rounds(4);
        assertEquals("mean latency 12.5 ms", nimbus.report().rows().get(0).values());
        storm.set("topology.slo.latency.percentile", "p99");
        nimbus.rounds(1);
        assertEquals("left alone: its workers record no latencies, and Storm's own figures have only the mean: set "
            + "topology.latency.recording, or topology.slo.latency.percentile: mean", nimbus.report().rows().get(0).state());
    }

    @Test
    void shouldMeasureRecordedLatenciesOnlyIfAllWorkersWithSinksServeThem() {
        nimbus.settings = Map.of(HengeSettings.SETTLE_SECS, 20, HengeSettings.REMEDIES, List.of("place")); // There is nowhere else to go.
        nimbus.restart();
        storm.set("topology.slo.latency.ms", 20);
        serve("m1", 5);
        serve("m2", 5);
        nimbus.rounds(3);
        serve("m1", 5, 10);
        serve("m2", 5, 30);
        nimbus.rounds(1);
        assertEquals("p99 latency 30.0 ms", nimbus.report().rows().get(0).values());
        assertEquals(SloReport.MISSED, nimbus.report().rows().get(0).state());
        assertEquals(3, nimbus.coordinator.wantedMachines(), "a topology that misses its SLO wants a machine more than are used");
        nimbus.pages.clear();
        serve("m1", 5, 10);
        nimbus.rounds(1);
        assertEquals("p99 latency 30.0 ms", nimbus.report().rows().get(0).values(), "a page that cannot be read once holds for a while");
        nimbus.rounds(3);
        assertTrue(nimbus.report().rows().get(0).state().startsWith("left alone: no latencies from http://m2:"), nimbus.report()::toString);
        assertEquals(2, nimbus.coordinator.wantedMachines());
    }

    @Test
    void shouldChangeAnSloWithTheClientsRebalanceAndMoveNothing() {
        Map<ExecutorDetails, WorkerSlot> before = Map.copyOf(storm.placement());
        nimbus.rounds(3);
        SloRequest request = ask("linear", Map.of("topology.slo.juice.min", 0.3));
        assertEquals(Progress.READY, request.progress());
        assertEquals("juice at least 0.3, worth 1 (knee)", request.text());
        nimbus.rounds(1);
        assertEquals(List.of(), nimbus.report().rows(), "it takes effect with the rebalance");

        clientRebalances(Map.of());
        nimbus.rounds(1);

        assertEquals(Progress.DONE, read(request).progress());
        assertEquals("juice at least 0.3, worth 1 (knee)", nimbus.report().rows().get(0).slo());
        assertEquals(before, storm.placement());
        nimbus.restart();
        nimbus.rounds(1);
        assertEquals(1, nimbus.report().rows().size(), "the next Nimbus knows it");
        ask("linear", Map.of("topology.slo.juice.min", 0));
        clientRebalances(Map.of());
        nimbus.rounds(1);
        assertEquals(List.of(), nimbus.report().rows());
        assertEquals(List.of("the SLO of linear is now juice at least 0.3, worth 1 (knee)",
                "the SLO of linear is now none, until latency.ms, juice.min or throughput.min is set"),
            nimbus.events().stream().filter(event -> event.kind() == Kind.SLO_CHANGED).map(HengeEvent::text).toList());
        List<SloHistory.Point> points = SloHistory.points(blobs.read(SloHistory.UTILITIES_KEY).orElseThrow());
        SloHistory.Point last = points.get(points.size() - 1);
        assertEquals(Map.of(), last.utilities());
        assertEquals(Set.of(), last.unknown());
    }

    @Test
    void shouldRefuseABadChangeOfAnSlo() {
        nimbus.rounds(3);
        assertRefused("topology.slo.juice.min is '2', but must be ", "linear", Map.of("topology.slo.juice.min", 2));
        assertRefused("There is no key speed: there are latency.ms, ", "linear", Map.of("topology.slo.speed", 2));
        assertRefused("Topology no has no workers: ", "no", Map.of("topology.slo.juice.min", 1));
    }

    @Test
    void shouldRefuseTheChangeOfAnSloWhenItsRebalanceNeverComesOrIsAnother() {
        nimbus.rounds(3);
        SloRequest request = ask("linear", Map.of("topology.slo.juice.min", 0.3));
        nimbus.rounds(5);
        assertEquals(Progress.REFUSED, read(request).progress());
        clientRebalances(Map.of());
        nimbus.rounds(1);
        assertEquals(List.of(), nimbus.report().rows());

        SloRequest other = ask("linear", Map.of("topology.slo.juice.min", 0.3));
        clientRebalances(Map.of("work", 3));
        nimbus.rounds(1);
        assertEquals(Progress.REFUSED, read(other).progress());
        assertTrue(read(other).text().startsWith("another rebalance of topology linear came first: "), read(other).text());
        assertEquals(List.of(), nimbus.report().rows());
        assertEquals(3, placement("work").size());
    }

    @Test
    void shouldChangeTheSloOfATopologyThatAsksForMoreWorkersThanItHas() {
        RebalanceOptions options = new RebalanceOptions();
        options.set_num_workers(9);
        options.set_num_executors(Map.of());
        nimbus.rebalances.add(options);
        nimbus.rounds(3);
        Map<ExecutorDetails, WorkerSlot> before = Map.copyOf(storm.placement());
        SloRequest request = ask("linear", Map.of("topology.slo.juice.min", 0.3));
        nimbus.rebalances.add(options);
        nimbus.rounds(2);
        assertEquals(Progress.DONE, read(request).progress(), read(request)::text);
        assertEquals(before, storm.placement());
    }

    @Test
    void shouldForgetARequestThatWasWithdrawn() {
        nimbus.rounds(3);
        SloRequest request = ask("linear", Map.of("topology.slo.juice.min", 0.3));
        blobs.delete(request.key());
        nimbus.rounds(1);
        clientRebalances(Map.of());
        nimbus.rounds(1);
        assertEquals(List.of(), nimbus.report().rows());
    }

    @Test
    void shouldRefuseTheChangeOfAnSloByOneWhoMayNotRebalance() {
        nimbus.rounds(3);
        SloRequest request = SloRequest.of("request-1", "linear", Map.of("topology.slo.juice.min", 0.3));
        blobs.write(request.key(), request.toBytes());
        blobs.setByStranger(request.key());
        nimbus.rounds(1);
        assertEquals("You may not rebalance topology linear", read(request).text());
        clientRebalances(Map.of());
        nimbus.rounds(1);
        assertEquals(List.of(), nimbus.report().rows(), "it takes no effect with the rebalance of somebody else");
    }

    @Test
    void shouldRefuseTheChangeOfAnSloWhileAStepIsApplied() {
        storm.set("topology.slo.juice.min", 0.75);
        roundsUntilAsked();
        assertRefused("Topology linear is about to change: try again in a minute", "linear", Map.of("topology.slo.juice.min", 0.3));
    }

    @Test
    void shouldLetTheRebalanceOfAnotherSloComeBeforeThatOfAStep() {
        storm.set("topology.slo.juice.min", 0.75);
        int planned = roundsUntilAsked();
        begin();
        storm.set("topology.slo.juice.min", 0.75);
        nimbus.rounds(planned - 2);
        SloRequest request = ask("linear", Map.of("topology.slo.utility.max", 5));
        workers.sleep(ROUND_SECS);
        nimbus.coordinator.runRound(storm.view());
        assertEquals(Kind.PLANNED, nimbus.kinds().get(nimbus.kinds().size() - 1));
        assertEquals(0, nimbus.asked, "the step waits");

        clientRebalances(Map.of());
        nimbus.rounds(1);
        assertEquals(Progress.DONE, read(request).progress(), read(request)::text);
        nimbus.rounds(ROUNDS);
        assertEquals(4, placement("work").size());
        assertEquals("juice at least 0.75, worth 5 (knee)", nimbus.report().rows().get(0).slo());
    }

    @Test
    void shouldTakeTheStepWhenTheRebalanceOfAnotherSloNeverComes() {
        storm.set("topology.slo.juice.min", 0.75);
        int planned = roundsUntilAsked();
        begin();
        storm.set("topology.slo.juice.min", 0.75);
        nimbus.rounds(planned - 2);
        ask("linear", Map.of("topology.slo.utility.max", 5));
        workers.sleep(ROUND_SECS);
        nimbus.rounds(6);
        assertEquals(4, placement("work").size());
    }

    @Test
    void shouldLeaveAsItIsWhatAUserRebalancesInTheMiddleOfAStep() {
        storm.set("topology.slo.juice.min", 0.55);
        roundsUntilAsked();
        nimbus.rebalances.clear();
        clientRebalances(Map.of("work", 3));

        nimbus.rounds(2 * ROUNDS);

        assertEquals(3, placement("work").size(), "0.6 is enough");
        assertTrue(nimbus.events().stream().anyMatch(event -> event.kind() == Kind.NOT_JUDGED
            && event.text().equals("somebody else changed the executors of linear")), () -> nimbus.events().toString());
        assertEquals("juice 0.600", nimbus.report().rows().get(0).values(), "the window began anew");
        assertEquals(1, nimbus.asked);
    }

    @Test
    void shouldForgetRequestsAfterTenMinutes() {
        SloRequest request = ask("no", Map.of());
        nimbus.rounds(59);
        assertFalse(blobs.keys(request.key()).isEmpty());
        nimbus.rounds(3);
        assertTrue(blobs.keys(request.key()).isEmpty());
    }

    private void begin() {
        nimbus = new ScriptedNimbus();
        storm = nimbus.storm;
        workers = nimbus.workers;
        blobs = nimbus.blobs;
    }

    /** The workers' hosts report this CPU load. */
    private void setLoad(double load) {
        storm.placement().values().forEach(slot -> nimbus.pages.put(
            WorkerPageReader.uri(slot.getNodeId(), ClusterView.slot(slot).port() + 10_000, "/host"), "eyewall-host 1 " + load + "\n"));
    }

    /** Runs rounds until Nimbus has been asked for a rebalance, which it does not begin; returns their number. */
    private int roundsUntilAsked() {
        int rounds = 0;
        while (nimbus.asked == 0) {
            assertTrue(rounds++ < ROUNDS);
            nimbus.coordinator.runRound(storm.view());
            workers.sleep(ROUND_SECS);
        }
        return rounds;
    }

    private void clientRebalances(Map<String, Integer> executors) {
        RebalanceOptions options = new RebalanceOptions();
        options.set_num_workers(2);
        options.set_num_executors(executors);
        nimbus.rebalances.add(options);
        nimbus.rebalance();
    }

    private SloRequest ask(String topology, Map<String, Object> settings) {
        SloRequest request = SloRequest.of("request-" + workers.nowMs() + settings, topology, settings);
        blobs.write(request.key(), request.toBytes());
        nimbus.coordinator.runRound(storm.view());
        return read(request);
    }

    private void assertRefused(String why, String topology, Map<String, Object> settings) {
        SloRequest response = ask(topology, settings);
        assertEquals(Progress.REFUSED, response.progress());
        assertTrue(response.text().startsWith(why), response.text());
    }

    private SloRequest read(SloRequest request) {
        return SloRequest.of(blobs.read(request.key()).orElseThrow());
    }

    /** Lets the workers of a machine serve latencies of the sink in milliseconds. */
    private void serve(String machine, long... latenciesMs) {
        for (WorkerSlot slot : storm.placement().values()) {
            if (slot.getNodeId().equals(machine)) {
                nimbus.pages.put(WorkerPageReader.uri(machine, ClusterView.slot(slot).port() + 10_000, "/worker"),
                    RecordedLatenciesTest.pageOf(StormFixture.ID, RecordedLatenciesTest.line("sink", latenciesMs)));
            }
        }
    }

    private Map<ExecutorDetails, WorkerSlot> placement(String component) {
        Map<ExecutorDetails, WorkerSlot> placement = new HashMap<>(storm.placement());
        placement.keySet().removeIf(executor -> !storm.componentOf(executor.getStartTask()).equals(component));
        return placement;
    }
}
