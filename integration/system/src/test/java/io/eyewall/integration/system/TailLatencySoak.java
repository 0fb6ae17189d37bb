package io.eyewall.integration.system;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.eyewall.integration.cluster.ClusterExtension;
import io.eyewall.integration.cluster.ClusterSpecification;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Everything against the tail at once, for two hours or as long as the system property {@code eyewall.soak.secs} says: memory stays flat
 * and each message comes back once. What was sampled so far is in {@code target/clusters/soak/memory.txt}. Run by {@code bin/test --soak}
 * only.
 */
@Tag("alone")
class TailLatencySoak {

    private static final Path DIRECTORY = Installations.workDirectory("soak");
    private static final long SECS = Long.getLong("eyewall.soak.secs", 7200);

    private static final Map<String, Object> EVERYTHING = Map.ofEntries(
        Map.entry("eyewall.rate.per.sec", 1000), Map.entry("eyewall.parallelism", 4), Map.entry("eyewall.work.ms", 1),
        Map.entry("eyewall.work.varies", 1), Map.entry("eyewall.work.slow.worker", 1), Map.entry("eyewall.work.slow.factor", 4),
        Map.entry("topology.executor.queue", "shared"), Map.entry("topology.latency.balancing", true),
        Map.entry("topology.adaptive.timeout", true));

    @RegisterExtension
    static final ClusterExtension CLUSTER = new ClusterExtension(() -> ClusterSpecification.of(Installations.eyewall(), DIRECTORY)
        .withSupervisors(1, 2).withSettings(QuickSettings.all()));

    @Test
    void shouldKeepMemoryFlatAndBringEachMessageBackOnce() throws Exception {
        SoakedTopology topology = SoakedTopology.start(CLUSTER.cluster(), DIRECTORY, "processing", "soak", EVERYTHING);
        WorkerMemory memory = new WorkerMemory(DIRECTORY, topology.workers());

        memory.sampleFor(SECS);

        topology.assertSameWorkers();
        assertEquals(0, topology.drain("every message is back", SoakedTopology::isSettled).failed());
        memory.assertFlat();
    }
}
