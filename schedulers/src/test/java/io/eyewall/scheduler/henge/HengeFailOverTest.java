package io.eyewall.scheduler.henge;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.eyewall.elasticity.henge.HengeEvent.Kind;
import io.eyewall.scheduler.cluster.TwoNimbuses;
import io.eyewall.scheduler.henge.SloRequest.Progress;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.storm.generated.RebalanceOptions;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Another Nimbus becomes the leader. It has copied the blobs of the first one when they were new, and Storm copies them no more. The
 * topology is that of {@link HengeCoordinatorTest}.
 */
class HengeFailOverTest {

    private static final int ROUNDS = 20;

    @TempDir
    private Path directory;
    private TwoNimbuses nimbuses;
    private final ScriptedNimbus nimbus = new ScriptedNimbus();

    @BeforeEach
    void open() throws Exception {
        nimbuses = new TwoNimbuses(directory);
        nimbus.restart(nimbuses.blobs(0));
    }

    @AfterEach
    void close() throws Exception {
        nimbuses.close();
    }

    @Test
    void shouldGoOnWithAStepThatTheFormerLeaderHasPlanned() throws Exception {
        nimbus.storm.set("topology.slo.juice.min", 0.75);
        nimbus.rounds(1);
        copyAll();
        roundsUntil(Kind.PLANNED);
        nimbus.rebalances.clear();

        nimbus.restart(nimbuses.blobs(1));
        nimbus.rounds(ROUNDS);

        assertEquals(List.of(Kind.RECONVERGENCE, Kind.PLANNED, Kind.APPLIED, Kind.KEPT, Kind.CONVERGED), nimbus.kinds());
        assertEquals(4, executorsOfWork());
    }

    @Test
    void shouldJudgeAStepThatTheFormerLeaderHasApplied() throws Exception {
        nimbus.storm.set("topology.slo.juice.min", 0.75);
        nimbus.rounds(1);
        copyAll();
        roundsUntil(Kind.APPLIED);

        nimbus.restart(nimbuses.blobs(1));
        nimbus.rounds(2);
        assertEquals(List.of(Kind.RECONVERGENCE, Kind.PLANNED, Kind.APPLIED), nimbus.kinds());
        nimbus.restart(nimbuses.blobs(0));
        nimbus.rounds(ROUNDS);

        assertEquals(List.of(Kind.RECONVERGENCE, Kind.PLANNED, Kind.APPLIED, Kind.KEPT, Kind.CONVERGED), nimbus.kinds());
        assertEquals(4, executorsOfWork());
    }

    @Test
    void shouldNotFollowAStepThatIsOverOnTheFormerLeader() throws Exception {
        nimbus.storm.set("topology.slo.juice.min", 0.75);
        roundsUntil(Kind.PLANNED);
        copyAll();
        nimbus.rounds(ROUNDS);
        int asked = nimbus.asked;

        nimbus.restart(nimbuses.blobs(1));
        nimbus.rounds(ROUNDS);

        assertEquals(List.of(Kind.RECONVERGENCE, Kind.PLANNED, Kind.APPLIED, Kind.KEPT, Kind.CONVERGED), nimbus.kinds());
        assertEquals(asked, nimbus.asked);
        assertEquals("has ended its search, 1 of 1 topologies meet their SLO", nimbus.report().activity());
    }

    @Test
    void shouldKeepTheSloThatAUserHasSet() throws Exception {
        nimbus.storm.set("topology.slo.juice.min", 0.3);
        nimbus.rounds(3);
        copyAll();
        SloRequest request = SloRequest.of("request-1", "linear", Map.of("topology.slo.juice.min", 0.2, "topology.slo.utility.max", 5));
        nimbuses.blobs(0).write(request.key(), request.toBytes());
        nimbus.rounds(1);
        RebalanceOptions options = new RebalanceOptions();
        options.set_num_workers(2);
        options.set_num_executors(Map.of());
        nimbus.rebalances.add(options);
        nimbus.rounds(2);

        nimbus.restart(nimbuses.blobs(1));
        nimbus.rounds(1);

        assertEquals("juice at least 0.2, worth 5 (knee)", nimbus.report().rows().get(0).slo());
        assertEquals(Progress.DONE, SloRequest.of(nimbuses.blobs(1).read(request.key()).orElseThrow()).progress());
    }

    @Test
    void shouldShowClientsTheHistoryOfTheFormerLeader() throws Exception {
        nimbus.storm.set("topology.slo.juice.min", 0.75);
        nimbus.rounds(2);
        copyAll();
        nimbus.rounds(ROUNDS);
        nimbus.storm.set("topology.slo.juice.min", 0);
        nimbus.rounds(2);

        nimbus.restart(nimbuses.blobs(1));
        nimbus.rounds(1);

        assertArrayEquals(nimbuses.seenByClients(0, SloHistory.LOG_KEY), nimbuses.seenByClients(1, SloHistory.LOG_KEY));
        assertArrayEquals(nimbuses.seenByClients(0, SloHistory.UTILITIES_KEY), nimbuses.seenByClients(1, SloHistory.UTILITIES_KEY));
    }

    private void copyAll() throws Exception {
        for (String key : nimbuses.blobs(0).keys("eyewall-slo-")) {
            nimbuses.copy(key);
        }
    }

    private long executorsOfWork() {
        return nimbus.storm.placement().keySet().stream()
            .filter(executor -> nimbus.storm.componentOf(executor.getStartTask()).equals("work")).count();
    }

    private void roundsUntil(Kind kind) {
        for (int round = 0; !nimbus.kinds().contains(kind); round++) {
            assertTrue(round < ROUNDS, () -> nimbus.events().toString());
            nimbus.coordinator.runRound(nimbus.storm.view());
            if (!nimbus.kinds().contains(kind)) {
                nimbus.rebalance();
            }
            nimbus.workers.sleep(ScriptedNimbus.ROUND_SECS);
        }
    }
}
