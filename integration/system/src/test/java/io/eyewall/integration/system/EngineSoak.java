package io.eyewall.integration.system;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.eyewall.core.report.Counts;
import io.eyewall.integration.cluster.ClusterExtension;
import io.eyewall.integration.cluster.ClusterSpecification;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * The engine at full load, and before a bolt that stands still again and again, for an hour or as long as the system property
 * {@code eyewall.soak.secs} says: memory stays flat, and no message is lost, whether back-pressure holds it, without acks, or it fails
 * meanwhile and comes again. What was sampled so far is in {@code target/clusters/engine-soak/memory.txt}. Run by {@code bin/test --soak}
 * only.
 */
@Tag("alone")
class EngineSoak {

    private static final Path DIRECTORY = Installations.workDirectory("engine-soak");
    private static final long SECS = Long.getLong("eyewall.soak.secs", 3600);

    /** Longer than {@link #TIMEOUT_SECS}, so that messages fail meanwhile and come again. */
    private static final int STALL_SECS = 40;
    private static final int TIMEOUT_SECS = 10;

    /** Full load, with others beside it, keeps heartbeats and acks waiting. */
    private static final int PATIENCE_SECS = 600;

    @RegisterExtension
    static final ClusterExtension CLUSTER = new ClusterExtension(() -> ClusterSpecification.of(Installations.eyewall(), DIRECTORY)
        .withSupervisors(1, 6).withSettings(QuickSettings.all()).withSettings(Map.of("supervisor.worker.timeout.secs", PATIENCE_SECS,
            "supervisor.worker.start.timeout.secs", PATIENCE_SECS, "nimbus.task.timeout.secs", PATIENCE_SECS,
            "nimbus.task.launch.secs", PATIENCE_SECS, "topology.message.timeout.secs", PATIENCE_SECS)));

    @Test
    void shouldKeepMemoryFlatAndLoseNothingAtFullLoadAndBeforeAStalledBolt() throws Exception {
        Map<String, Integer> acked = Map.of("topology.max.spout.pending", 500);
        Map<String, Integer> stalled = Map.of("eyewall.work.stall.sec.output", STALL_SECS);
        SoakedTopology full = SoakedTopology.start(CLUSTER.cluster(), DIRECTORY, "const-null", "full", acked);
        SoakedTopology held = SoakedTopology.start(CLUSTER.cluster(), DIRECTORY, "const-id-null", "held",
            stalled, Map.of("topology.acker.executors", 0));
        SoakedTopology replayed = SoakedTopology.start(CLUSTER.cluster(), DIRECTORY, "const-id-null", "replayed",
            stalled, acked, Map.of("topology.message.timeout.secs", TIMEOUT_SECS));
        List<SoakedTopology> all = List.of(full, held, replayed);
        WorkerMemory memory = new WorkerMemory(DIRECTORY, all.stream().flatMap(each -> each.workers().stream()).toList());

        memory.sampleFor(SECS);

        all.forEach(SoakedTopology::awaitMore);
        all.forEach(SoakedTopology::assertSameWorkers);
        Counts ofFull = full.drain("every message is acked or has failed", SoakedTopology::isSettled);
        held.drain("every message has arrived", counts -> counts.received() == counts.emitted());
        Counts ofReplayed = replayed.drain("every message is acked or has failed", SoakedTopology::isSettled);
        assertEquals(0, ofFull.failed());
        assertTrue(ofReplayed.failed() > 0, "nothing timed out during a stall");
        all.forEach(SoakedTopology::assertSameWorkers);
        memory.assertFlat();
    }
}
