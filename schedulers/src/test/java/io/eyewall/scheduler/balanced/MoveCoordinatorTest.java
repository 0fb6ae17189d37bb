package io.eyewall.scheduler.balanced;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.eyewall.client.settings.tail.BalancingConfiguration;
import io.eyewall.elasticity.model.Slot;
import io.eyewall.scheduler.cluster.ClusterView;
import io.eyewall.scheduler.cluster.StormFixture;
import io.eyewall.scheduler.cluster.WorkerHeartbeats;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.apache.storm.generated.BoltStats;
import org.apache.storm.generated.ClusterWorkerHeartbeat;
import org.apache.storm.generated.ExecutorInfo;
import org.apache.storm.generated.ExecutorSpecificStats;
import org.apache.storm.generated.ExecutorStats;
import org.apache.storm.generated.GlobalStreamId;
import org.apache.storm.scheduler.Cluster;
import org.apache.storm.scheduler.DefaultScheduler;
import org.apache.storm.scheduler.ExecutorDetails;
import org.apache.storm.scheduler.WorkerSlot;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Two executors of a bolt on two machines. The first takes 10 ms per tuple and gets 2 tuples per second, the other 1 ms and 500. */
class MoveCoordinatorTest {

    private static final int ROUND_SECS = 10;
    private static final int PERIOD_SECS = 30;

    private final StormFixture storm = new StormFixture("m1", "m2", "m3");
    private final MoveCoordinator coordinator = new MoveCoordinator(new UnevenWorkers(), () -> nowSecs() * 1_000L);
    private final String slowMachine = storm.placement().get(slow()).getNodeId();
    private int nowSecs = 1_000_000;

    MoveCoordinatorTest() {
        storm.set(BalancingConfiguration.BALANCING, true);
        storm.set(BalancingConfiguration.MOVE_PERIOD_SECS, PERIOD_SECS);
    }

    @Test
    void shouldMoveOnlyTheSlowExecutorToAnotherMachine() {
        Map<ExecutorDetails, WorkerSlot> before = storm.placement();

        rounds(6);

        Map<ExecutorDetails, WorkerSlot> after = storm.placement();
        ExecutorDetails slow = slow();
        assertNotEquals(slowMachine, after.get(slow).getNodeId());
        assertEquals(before.size(), after.size());
        before.forEach((executor, slot) -> assertTrue(executor.equals(slow) || slot.equals(after.get(executor)), executor + " has moved"));
        assertEquals(3, new HashSet<>(after.values()).size(), "as many workers as before");
    }

    @Test
    void shouldMoveNothingWhenBalancingIsOff() {
        storm.set(BalancingConfiguration.BALANCING, false);

        assertNothingMoves();
    }

    @Test
    void shouldMoveNothingWhenASettingIsInvalid() {
        storm.set(BalancingConfiguration.MOVE_FACTOR, 0);

        assertNothingMoves();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldMoveNothingWhenTheSlotIsNoLongerUsable(boolean gone) {
        final Map<ExecutorDetails, WorkerSlot> before = storm.placement();
        for (int i = 0; i < 6; i++) {
            nowSecs += ROUND_SECS;
            coordinator.runRound(storm.view());
        }
        Cluster cluster = storm.cluster();
        if (gone) {
            Set.of("m1", "m2", "m3").forEach(cluster::blacklistHost);
        }

        coordinator.move(storm.details(), cluster);

        storm.keep(cluster);
        assertEquals(gone, before.equals(storm.placement()));
    }

    private void assertNothingMoves() {
        Map<ExecutorDetails, WorkerSlot> before = storm.placement();
        rounds(12);
        assertEquals(before, storm.placement());
    }

    private void rounds(int number) {
        for (int i = 0; i < number; i++) {
            nowSecs += ROUND_SECS;
            Cluster cluster = storm.cluster();
            coordinator.move(storm.details(), cluster);
            new DefaultScheduler().schedule(cluster.getTopologies(), cluster);
            storm.keep(cluster);
            coordinator.runRound(storm.view());
        }
    }

    private int nowSecs() {
        return nowSecs;
    }

    private ExecutorDetails slow() {
        return storm.placement().keySet().stream().filter(executor -> storm.componentOf(executor.getStartTask()).equals("work"))
            .min(Comparator.comparingInt(ExecutorDetails::getStartTask)).orElseThrow();
    }

    private final class UnevenWorkers implements WorkerHeartbeats {

        private final Map<Slot, Integer> startSecs = new HashMap<>();

        @Override
        public ClusterWorkerHeartbeat newest(String topologyId, Slot slot) {
            int uptime = nowSecs - startSecs.computeIfAbsent(slot, first -> nowSecs);
            boolean slow = slot.machine().equals(slowMachine);
            Map<ExecutorInfo, ExecutorStats> stats = new HashMap<>();
            storm.placement().forEach((executor, place) -> {
                if (ClusterView.slot(place).equals(slot) && storm.componentOf(executor.getStartTask()).equals("work")) {
                    stats.put(new ExecutorInfo(executor.getStartTask(), executor.getEndTask()),
                        stats((slow ? 2L : 500L) * uptime, slow ? 10 : 1));
                }
            });
            return new ClusterWorkerHeartbeat(topologyId, stats, nowSecs, uptime);
        }

        private ExecutorStats stats(long executed, double averageMs) {
            GlobalStreamId stream = new GlobalStreamId("source", "default");
            return new ExecutorStats(Map.of(":all-time", Map.of()), Map.of(), ExecutorSpecificStats.bolt(new BoltStats(Map.of(), Map.of(),
                Map.of(), Map.of(":all-time", Map.of(stream, executed)), Map.of(":all-time", Map.of(stream, averageMs)))), 1);
        }
    }
}
