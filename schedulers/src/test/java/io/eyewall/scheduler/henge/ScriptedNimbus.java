package io.eyewall.scheduler.henge;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.eyewall.elasticity.henge.HengeEvent;
import io.eyewall.elasticity.henge.HengeEvent.Kind;
import io.eyewall.scheduler.cluster.Blobs;
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
import org.apache.storm.thrift.TException;

/** A Nimbus that begins rebalances when told to, on the machines m1 and m2. The topology is that of {@link HengeCoordinatorTest}. */
final class ScriptedNimbus {

    static final int ROUND_SECS = 10;

    final StormFixture storm = new StormFixture("m1", "m2");
    final FakeWorkers workers = new FakeWorkers(storm, 1_000_000);
    final MemoryBlobs blobs = new MemoryBlobs();
    /** The blobs of the Nimbus that leads. */
    private Blobs stored = blobs;
    /** What the endpoints of the workers serve. */
    final Map<URI, String> pages = new HashMap<>();
    /** The rebalances for which the coordinator has asked, which have not begun yet. */
    final List<RebalanceOptions> rebalances = new ArrayList<>();
    int asked;
    boolean refusing;
    /** The cluster's settings from the next restart on. */
    Map<String, Object> settings = Map.of(HengeSettings.SETTLE_SECS, 20);
    HengeCoordinator coordinator;

    ScriptedNimbus() {
        workers.letSinkKeepUp();
        restart();
    }

    /** Begins anew with what is in the blobs. */
    void restart() {
        restart(stored);
    }

    /** Lets another Nimbus lead, which has these blobs. */
    void restart(Blobs itsBlobs) {
        stored = itsBlobs;
        WorkerPageReader served = wanted -> {
            Map<URI, String> found = new HashMap<>(pages);
            found.keySet().retainAll(wanted);
            return found;
        };
        HengeSettings henge = new HengeSettings(settings);
        coordinator = new HengeCoordinator(new HengeStore(stored),
            new SloFigures(workers, served, henge.configuration().settleMs(), workers::nowMs),
            new StoredNodes().techniques(workers::nowMs), henge, (name, options) -> {
                assertEquals("linear", name);
                assertEquals(0, options.get_wait_secs());
                asked++;
                if (refusing) {
                    throw new TException("no");
                }
                rebalances.add(options);
            }, workers::nowMs);
    }

    void rounds(int number) {
        for (int round = 0; round < number; round++) {
            coordinator.runRound(storm.view());
            rebalance();
            workers.sleep(ROUND_SECS);
        }
    }

    /** Begins the rebalances that it was asked for. */
    void rebalance() {
        for (RebalanceOptions options : rebalances) {
            storm.rebalance(options);
            Cluster cluster = storm.cluster();
            coordinator.place(storm.details(), cluster);
            new DefaultScheduler().schedule(cluster.getTopologies(), cluster);
            storm.keep(cluster);
        }
        rebalances.clear();
    }

    SloReport report() {
        return SloReport.of(stored.read(SloReport.KEY).orElseThrow());
    }

    List<HengeEvent> events() {
        return stored.read(SloHistory.LOG_KEY).map(SloHistory::events).orElse(List.of());
    }

    List<Kind> kinds() {
        return events().stream().map(HengeEvent::kind).toList();
    }
}
