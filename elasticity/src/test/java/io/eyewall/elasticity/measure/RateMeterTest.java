package io.eyewall.elasticity.measure;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.eyewall.elasticity.model.ClusterState;
import io.eyewall.elasticity.model.Component;
import io.eyewall.elasticity.model.ExecutorId;
import io.eyewall.elasticity.model.Link;
import io.eyewall.elasticity.model.PlacedTopology;
import io.eyewall.elasticity.model.Slot;
import io.eyewall.elasticity.model.TopologyGraph;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RateMeterTest {

    private static final double EXACTLY = 1e-9;
    private static final TopologyGraph GRAPH = new TopologyGraph("t",
        List.of(new Component("spout", 1, 2), new Component("bolt", 3, 6), new Component("__acker", 7, 7)),
        List.of(new Link("spout", "default", "bolt", 1), new Link("spout", "signals", "bolt", 4)));
    private static final ExecutorId SPOUT = new ExecutorId("t", 1, 2);
    private static final ExecutorId BOLT = new ExecutorId("t", 3, 5);
    private static final ExecutorId OTHER_BOLT = new ExecutorId("t", 6, 6);
    private static final ExecutorId ACKER = new ExecutorId("t", 7, 7);

    private static final Input IN = new Input("spout", "default");

    private final RateMeter statistics = new RateMeter();

    @Test
    void shouldDivideByTheTimeBetweenTwoHeartbeats() {
        bolt(10_000, 1_000);
        bolt(20_000, 3_000);

        assertEquals(200, boltExecuted(20_000), EXACTLY);
    }

    @Test
    void shouldHaveNoRatesAfterOneHeartbeat() {
        bolt(10_000, 1_000);

        TopologyRates rates = rates(10_000);

        assertNull(rates.executors().get(BOLT));
        assertEquals(3, rates.unmeasuredExecutors());
    }

    @Test
    void shouldDropOlderCountsWhenTwentyPeriodsHavePassed() {
        bolt(0, 0);
        bolt(10_000, 100_000);
        for (int period = 2; period <= 21; period++) {
            bolt(period * 10_000L, 100_000L + (period - 1) * 500L);
        }

        assertEquals(50, boltExecuted(210_000), EXACTLY);
    }

    @Test
    void shouldLoseNothingWhenHeartbeatsComeMoreOftenThanThePeriod() {
        assertTrue(bolt(0, 0));
        assertFalse(bolt(3_000, 100));
        assertFalse(bolt(6_000, 200));
        assertFalse(bolt(9_000, 300));
        assertTrue(bolt(12_000, 1_200));

        assertEquals(100, boltExecuted(12_000), EXACTLY);
    }

    @Test
    void shouldSpreadTheCountsWhenHeartbeatsAreMissing() {
        bolt(0, 0);
        bolt(10_000, 1_000);
        bolt(60_000, 3_000);

        assertEquals(3_000 / 60.0, boltExecuted(60_000), EXACTLY);
        // Half of the 50 s step, at 40 tuples per second, is still in the window.
        assertEquals(40, boltExecuted(235_000), EXACTLY);
    }

    @Test
    void shouldIgnoreAHeartbeatThatComesTwiceOrLate() {
        bolt(0, 0);
        bolt(10_000, 1_000);
        bolt(30_000, 3_000);

        assertFalse(bolt(30_000, 3_000));
        assertFalse(bolt(20_000, 2_000));

        assertEquals(100, boltExecuted(30_000), EXACTLY);
    }

    @Test
    void shouldCountFromTheStartWhenAWorkerRestarted() {
        bolt(0, 1_000_000);
        bolt(10_000, 1_001_000);
        // The worker was down until 24 s.
        heartbeat(BOLT, 30_000, 6_000, Map.of(), 600, 0, 1);

        assertEquals(100, boltExecuted(30_000), EXACTLY);
    }

    @Test
    void shouldDetectTheRestartWhenTheNewCountersExceedTheOld() {
        heartbeat(BOLT, 10_000, 1_000, Map.of(), 5, 0, 1);
        heartbeat(BOLT, 60_000, 40_000, Map.of(), 4_000, 0, 1);

        assertEquals(100, boltExecuted(60_000), EXACTLY);
    }

    @Test
    void shouldStartOverWhenCountersDecreaseWithoutARestart() {
        bolt(0, 0);
        bolt(10_000, 1_000);
        bolt(20_000, 10);
        bolt(30_000, 1_010);

        assertEquals(100, boltExecuted(30_000), EXACTLY);
    }

    @Test
    void shouldInventNoTuplesWhenTheClockIsSetForward() {
        heartbeat(BOLT, 100_000, 90_000, Map.of(), 9_000, 0, 1);
        heartbeat(BOLT, 110_000, 100_000, Map.of(), 10_000, 0, 1);
        heartbeat(BOLT, 3_720_000, 110_000, Map.of(), 11_000, 0, 1);
        heartbeat(BOLT, 3_730_000, 120_000, Map.of(), 12_000, 0, 1);

        assertEquals(100, boltExecuted(3_730_000), EXACTLY);
    }

    @Test
    void shouldContinueWhenTheClockIsSetBack() {
        heartbeat(BOLT, 3_700_000, 90_000, Map.of(), 9_000, 0, 1);
        heartbeat(BOLT, 3_710_000, 100_000, Map.of(), 10_000, 0, 1);
        heartbeat(BOLT, 120_000, 110_000, Map.of(), 11_000, 0, 1);
        heartbeat(BOLT, 130_000, 120_000, Map.of(), 12_500, 0, 1);

        assertEquals(150, boltExecuted(130_000), EXACTLY);
    }

    @Test
    void shouldSumWhatTheParentsEmitToGetTheInput() {
        heartbeat(SPOUT, 0, 0, Map.of(), 0, Double.NaN, 1);
        heartbeat(SPOUT, 10_000, 10_000, Map.of("default", 1_000L, "signals", 20L, "__ack_init", 1_020L), 0, Double.NaN, 1);

        TopologyRates rates = rates(10_000);

        assertEquals(102, rates.operators().get("spout").emittedPerSec(), EXACTLY);
        assertEquals(102, rates.operators().get("spout").inputPerSec(), EXACTLY);
        assertEquals(102, rates.operators().get("spout").executedPerSec(), EXACTLY);
        assertTrue(Double.isNaN(rates.operators().get("spout").utilisation()));
        assertEquals(100 + 4 * 2, rates.operators().get("bolt").inputPerSec(), EXACTLY);
        assertEquals(8, rates.linkLoads().get(new Link("spout", "signals", "bolt", 4)), EXACTLY);
        assertEquals(102, rates.topology().inputPerSec(), EXACTLY);
    }

    @Test
    void shouldKeepApartWhatWasExecutedFromEachInput() {
        Input signals = new Input("spout", "signals");
        statistics.record(new ExecutorCounters(BOLT, 0, 0, Map.of(), Map.of(IN, 0L, signals, 0L), 0, 1));
        statistics.record(new ExecutorCounters(BOLT, 10_000, 10_000, Map.of(), Map.of(IN, 1_000L, signals, 300L), 0, 1));
        statistics.record(new ExecutorCounters(OTHER_BOLT, 0, 0, Map.of(), Map.of(), 0, 1));
        statistics.record(new ExecutorCounters(OTHER_BOLT, 10_000, 10_000, Map.of(), Map.of(signals, 100L), 0, 1));

        TopologyRates rates = rates(10_000);

        assertEquals(100, rates.linkExecuted().get(new Link("spout", "default", "bolt", 1)), EXACTLY);
        assertEquals(40, rates.linkExecuted().get(new Link("spout", "signals", "bolt", 4)), EXACTLY);
        assertEquals(140, rates.operators().get("bolt").executedPerSec(), EXACTLY);
    }

    @Test
    void shouldDivideTheInputByTasksWhenExecutorsHaveDifferentNumbersOfThem() {
        heartbeat(SPOUT, 0, 0, Map.of(), 0, Double.NaN, 1);
        heartbeat(SPOUT, 10_000, 10_000, Map.of("default", 1_000L), 0, Double.NaN, 1);
        bothBolts(0, 0, 0, 0);
        bothBolts(10_000, 600, 9_000, 200);

        TopologyRates rates = rates(10_000);

        assertEquals(75, rates.executors().get(BOLT).inputPerSec(), EXACTLY);
        assertEquals(25, rates.executors().get(OTHER_BOLT).inputPerSec(), EXACTLY);
        assertEquals(80, rates.operators().get("bolt").executedPerSec(), EXACTLY);
        assertEquals(0.9, rates.executors().get(BOLT).utilisation(), EXACTLY);
        assertEquals(0.45, rates.operators().get("bolt").utilisation(), EXACTLY);
        assertEquals(180, rates.topology().executedPerSec(), EXACTLY);
    }

    @Test
    void shouldAssumeAverageRatesWhenSomeExecutorsAreNotMeasured() {
        bolt(0, 0);
        bolt(10_000, 1_000);

        TopologyRates rates = rates(10_000);

        assertEquals(200, rates.operators().get("bolt").executedPerSec(), EXACTLY);
        assertEquals(2, rates.unmeasuredExecutors(), "the spout and the other bolt");
    }

    @Test
    void shouldCountAnExecutorAsUnmeasuredWhenItSentNothingInTheWindow() {
        bolt(0, 0);
        bolt(10_000, 1_000);

        assertEquals(3, rates(210_000).unmeasuredExecutors());
        assertEquals(0, boltExecuted(210_000), EXACTLY);
    }

    @Test
    void shouldReportTheResolutionWhenTuplesAreSampled() {
        heartbeat(SPOUT, 0, 0, Map.of(), 0, Double.NaN, 0.05);
        heartbeat(SPOUT, 10_000, 10_000, Map.of("default", 1_000L), 0, Double.NaN, 0.05);
        heartbeat(BOLT, 0, 0, Map.of(), 0, 0, 0.05);
        heartbeat(BOLT, 10_000, 10_000, Map.of(), 1_000, 0, 0.05);

        TopologyRates rates = rates(10_000);

        // 19 tuples in 10 s, for each of two links with 1 and 4 copies, and for each of two executors.
        assertEquals(1.9 * (1 + 4) + 1.9 * 2, rates.operators().get("bolt").resolutionPerSec(), EXACTLY);
        assertEquals(100, rates.operators().get("spout").emittedPerSec(), EXACTLY, "Storm's counters are scaled already");
    }

    @Test
    void shouldForgetExecutorsWhenTheyAreNotRetained() {
        bolt(0, 0);
        bolt(10_000, 1_000);

        statistics.retain(OTHER_BOLT::equals);

        assertEquals(3, rates(10_000).unmeasuredExecutors());
    }

    @Test
    void shouldJoinStateAndRatesInASnapshot() {
        ClusterState state = state();
        bolt(0, 0);
        bolt(10_000, 500);

        ClusterSnapshot snapshot = statistics.snapshot(state, 10_000);

        assertEquals(50, snapshot.rates().get("t").executors().get(BOLT).executedPerSec(), EXACTLY);
        assertEquals(state, snapshot.state());
    }

    @Test
    void shouldRefuseASnapshotWhenATopologyHasNoRates() {
        ClusterState state = state();

        assertThrows(IllegalArgumentException.class, () -> new ClusterSnapshot(state, Map.of()));
    }

    @Test
    void shouldRefuseCountersThatAreOutOfRange() {
        assertThrows(IllegalArgumentException.class, () -> new ExecutorCounters(BOLT, 0, 0, Map.of(), Map.of(IN, -1L), 0, 1));
        assertThrows(IllegalArgumentException.class, () -> new ExecutorCounters(BOLT, 0, 0, Map.of("default", -1L), Map.of(), 0, 1));
        assertThrows(IllegalArgumentException.class, () -> new ExecutorCounters(BOLT, 0, 0, Map.of(), Map.of(), 0, 0));
        assertThrows(IllegalArgumentException.class, () -> new RateMeter(0, 20));
    }

    private static ClusterState state() {
        return new ClusterState(List.of(), List.of(PlacedTopology.of(GRAPH, Map.of(BOLT, new Slot("m1", 6700)))));
    }

    private boolean bolt(long timeMs, long executed) {
        return heartbeat(BOLT, timeMs, timeMs, Map.of(), executed, 0, 1);
    }

    private void bothBolts(long timeMs, long executed, double busyMs, long otherExecuted) {
        heartbeat(BOLT, timeMs, timeMs, Map.of(), executed, busyMs, 1);
        heartbeat(OTHER_BOLT, timeMs, timeMs, Map.of(), otherExecuted, 0, 1);
    }

    private boolean heartbeat(ExecutorId executor, long timeMs, long uptimeMs, Map<String, Long> emitted, long executed, double busyMs,
            double samplingRate) {
        return statistics.record(new ExecutorCounters(executor, timeMs, uptimeMs, emitted, Map.of(IN, executed), busyMs, samplingRate));
    }

    private double boltExecuted(long nowMs) {
        return statistics.rates(GRAPH, List.of(BOLT), nowMs).operators().get("bolt").executedPerSec();
    }

    private TopologyRates rates(long nowMs) {
        return statistics.rates(GRAPH, List.of(SPOUT, BOLT, OTHER_BOLT, ACKER), nowMs);
    }
}
