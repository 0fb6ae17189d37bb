package io.eyewall.scheduler.henge;

import io.eyewall.elasticity.henge.HengeEvent;
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

/** A Nimbus that carries out each rebalance at once, on the machines m1 and m2. The topology is that of {@link HengeCoordinatorTest}. */
final class ScriptedNimbus {

    private static final int ROUND_SECS = 10;

    final StormFixture storm = new StormFixture("m1", "m2");
    final FakeWorkers workers = new FakeWorkers(storm, 1_000_000);
    final MemoryBlobs blobs = new MemoryBlobs();
    /** What the endpoints of the workers serve. */
    final Map<URI, String> pages = new HashMap<>();
    HengeCoordinator coordinator;
    private final List<RebalanceOptions> rebalances = new ArrayList<>();

    ScriptedNimbus() {
        workers.letSinkKeepUp();
        restart();
    }

    /** Begins anew with what is in the blobs. */
    void restart() {
        WorkerPages served = wanted -> {
            Map<URI, String> found = new HashMap<>(pages);
            found.keySet().retainAll(wanted);
            return found;
        };
        coordinator = new HengeCoordinator(new HengeStore(blobs), new SloFigures(workers, served, workers::nowMs),
            new StoredNodes().techniques(workers::nowMs), new HengeSettings(Map.of(HengeSettings.SETTLE_SECS, 20)),
            (name, options) -> rebalances.add(options), workers::nowMs);
    }

    void rounds(int number) {
        for (int round = 0; round < number; round++) {
            coordinator.runRound(storm.view());
            rebalance();
        }
    }

    /** Carries out what it was asked for, and lets the time of a round pass. */
    void rebalance() {
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

    SloReport report() {
        return SloReport.of(blobs.read(SloReport.KEY).orElseThrow());
    }

    List<HengeEvent> events() {
        return SloHistory.events(blobs.read(SloHistory.LOG_KEY).orElseThrow());
    }
}
