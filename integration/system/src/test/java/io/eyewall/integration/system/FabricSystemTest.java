package io.eyewall.integration.system;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.eyewall.integration.cluster.ClusterExtension;
import io.eyewall.integration.cluster.ClusterNetwork;
import io.eyewall.integration.cluster.ClusterSpecification;
import io.eyewall.integration.cluster.Hosts;
import io.eyewall.integration.cluster.ProcessCluster;
import io.eyewall.integration.cluster.WorkerFiles;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Topologies whose workers are on two hosts and talk over libfabric. */
@Tag("system")
class FabricSystemTest {

    private static final Path DIRECTORY = Installations.workDirectory("fabric");
    private static final int MESSAGES = 3000;

    @RegisterExtension
    static final ClusterExtension CLUSTER = new ClusterExtension(FabricSystemTest::twoHosts);

    private ProcessCluster processes;

    @BeforeEach
    void findCluster() {
        processes = CLUSTER.cluster();
    }

    @Test
    @Tag("long")
    void shouldLoseNothingOverConnectionsWhenWorkersAreKilled() throws IOException {
        Map<String, List<String>> outcome = OperatedBehaviours.replay(cluster("msg", "acker", "all"));

        assertEquals(List.of(), outcome.get("workers that were there before"));
        for (String bolt : List.of("first", "second")) {
            assertEquals(numbers(""), Set.copyOf(outcome.get(bolt)));
        }
        assertEquals(numbers("ack "), Set.copyOf(outcome.get("numbers")));
        assertBothHostsUseLibfabric("replay");
        List<Path> intervals = WorkerFiles.named("latency.hlog", processes.logs(), "replay-");
        assertTrue(intervals.stream().anyMatch(log -> WorkerLatencies.byTag(log).entrySet().stream()
            .anyMatch(part -> part.getKey().startsWith("network/") && part.getValue().getTotalCount() > 0)), "time between hosts");
    }

    @Test
    void shouldSendEachTupleOnceInFramesOverDatagrams() throws IOException {
        Map<String, List<String>> outcome = TopologyBehaviours.groupings(cluster("rdm", "ledger", "off"));

        List<String> all = IntStream.range(0, 400).mapToObj(number -> number + " key" + (number % 2 == 0 ? 0 : number % 20))
            .sorted().toList();
        for (String bolt : List.of("custom", "direct", "fields", "global", "none", "partial", "shuffle")) {
            assertEquals(all, outcome.entrySet().stream().filter(task -> task.getKey().matches(bolt + "(-\\d+)?"))
                .flatMap(task -> task.getValue().stream()).sorted().toList(), bolt);
        }
        assertBothHostsUseLibfabric("groupings");
        assertTrue(WorkerFiles.logs(processes.logs(), "groupings-").stream()
            .anyMatch(log -> log.contains("in frames, by libfabric.")), "frames");
    }

    private DropInCluster cluster(String endpoint, String acking, String recording) {
        return new DropInCluster(processes, DIRECTORY.resolve(endpoint), Map.of(
            "storm.messaging.transport", "io.eyewall.transport.fabric.FabricContext",
            "storm.messaging.fabric.endpoint", endpoint,
            "topology.acking", acking,
            "topology.latency.recording", recording,
            "topology.latency.interval.secs", "1"));
    }

    private void assertBothHostsUseLibfabric(String topology) {
        Set<Path> hosts = WorkerFiles.named(WorkerFiles.LOG, processes.logs(), topology + "-").stream()
            .filter(log -> WorkerFiles.contains(log, "over libfabric"))
            .map(log -> processes.logs().relativize(log).getName(0)).collect(Collectors.toSet());
        assertEquals(2, hosts.size(), hosts::toString);
    }

    private static Set<String> numbers(String before) {
        return IntStream.range(0, MESSAGES).mapToObj(number -> before + number).collect(Collectors.toSet());
    }

    private static ClusterSpecification twoHosts() {
        ClusterNetwork.unavailabilityCause().ifPresent(Assumptions::abort);
        return ClusterSpecification.of(Installations.eyewall(), DIRECTORY)
            .withSupervisors(2, 1).withSeparateHosts(Hosts.APART).withSettings(QuickSettings.all());
    }
}
