package io.eyewall.integration.system;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.eyewall.client.stream.StreamConfiguration;
import io.eyewall.integration.cluster.ClusterExtension;
import io.eyewall.integration.cluster.ClusterNetwork;
import io.eyewall.integration.cluster.ClusterSpecification;
import io.eyewall.integration.cluster.Hosts;
import io.eyewall.integration.cluster.ProcessCluster;
import io.eyewall.integration.cluster.WorkerProcess;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Two hosts with stream managers do not reach each other for a while, which is too short for Nimbus and ZooKeeper to give one up. */
@Tag("system")
class StreamManagerPartitionSystemTest {

    private static final Path DIRECTORY = Installations.workDirectory("stream-manager-partition");
    private static final String TOPOLOGY = "replay";
    private static final int CUT_OFF = 2;
    private static final int MANY = 500;

    @RegisterExtension
    static final ClusterExtension CLUSTER = new ClusterExtension(StreamManagerPartitionSystemTest::twoHosts);

    private static ClusterSpecification twoHosts() {
        ClusterNetwork.unavailabilityCause().ifPresent(Assumptions::abort);
        return ClusterSpecification.of(Installations.eyewall(), DIRECTORY).withSupervisors(2, 2).withSeparateHosts(Hosts.APART)
            .withSettings(QuickSettings.all()).withSettings(Map.of(StreamConfiguration.MODE, "stream-manager",
                "topology.component.resources.onheap.memory.mb", 128.0, "nimbus.task.timeout.secs", 300,
                "nimbus.supervisor.timeout.secs", 300, "storm.zookeeper.session.timeout", 60_000));
    }

    @Test
    @Tag("long")
    void shouldGoOnWithoutARestartWhenHostsReachEachOtherAgain() {
        ProcessCluster processes = CLUSTER.cluster();
        DropInCluster cluster = new DropInCluster(processes, DIRECTORY,
            Map.of("dropin.replay.count", "1000000", "dropin.replay.account", "true"));
        cluster.submit(TOPOLOGY);
        processes.awaitRunning(TOPOLOGY, 2);
        processes.await("the topology is on both hosts", () ->
            processes.workers(TOPOLOGY).stream().map(WorkerProcess::supervisorId).distinct().count() == 2);
        cluster.awaitAcks(TOPOLOGY, MANY);
        Set<Long> before = pids(processes);
        int last = lastNumber(cluster);

        processes.network().setConnected(CUT_OFF, false);
        processes.await("messages fail while a host is cut off", () -> cluster.lines(TOPOLOGY, "numbers").stream()
            .anyMatch(line -> line.startsWith("fail ") && Integer.parseInt(line.substring("fail ".length())) > last));
        processes.network().setConnected(CUT_OFF, true);

        int acked = (int) cluster.count(TOPOLOGY, "numbers", "ack ");
        cluster.awaitAcks(TOPOLOGY, acked + MANY);
        int end = lastNumber(cluster) + 1;
        Set<String> numbers = IntStream.range(0, end).mapToObj(String::valueOf).collect(Collectors.toSet());
        processes.await("all numbers below " + end + " are acked", () -> Set.copyOf(cluster.lines(TOPOLOGY, "numbers")).containsAll(
            numbers.stream().map(number -> "ack " + number).toList()));
        assertTrue(Set.copyOf(cluster.lines(TOPOLOGY, "first")).containsAll(numbers));
        assertTrue(Set.copyOf(cluster.lines(TOPOLOGY, "second")).containsAll(numbers));
        assertEquals(before, pids(processes), "no process of the topology has been started anew");
    }

    private static int lastNumber(DropInCluster cluster) {
        return cluster.lines(TOPOLOGY, "first").stream().mapToInt(Integer::parseInt).max().orElseThrow();
    }

    /** The containers and their processes. */
    private static Set<Long> pids(ProcessCluster processes) {
        Set<Long> pids = new TreeSet<>();
        for (WorkerProcess container : processes.workers(TOPOLOGY)) {
            pids.add(container.pid());
            ProcessHandle.of(container.pid()).stream().flatMap(ProcessHandle::descendants).forEach(process -> pids.add(process.pid()));
        }
        return pids;
    }
}
