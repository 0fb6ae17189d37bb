package io.eyewall.integration.system;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.eyewall.client.stream.StreamConfiguration;
import io.eyewall.integration.cluster.ClusterExtension;
import io.eyewall.integration.cluster.ClusterSpecification;
import io.eyewall.integration.cluster.ProcessCluster;
import io.eyewall.integration.cluster.WorkerProcess;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * A topology in two containers gets many instances while messages are under way: 100, or as many as {@value #INSTANCES_KEY} says. Each
 * takes about 110 MB.
 */
@Tag("system")
class ManyInstancesSystemTest {

    private static final Path DIRECTORY = Installations.workDirectory("many-instances");
    private static final String TOPOLOGY = "rolling";
    private static final String INSTANCES_KEY = "eyewall.instances";
    private static final int INSTANCES = Integer.getInteger(INSTANCES_KEY, 100);
    /** And one of the spout. */
    private static final Map<String, Integer> EXECUTORS = Map.of("relay", INSTANCES / 2, "sink", INSTANCES - INSTANCES / 2 - 1);
    private static final int SOME = 1_000;
    /** For all of these JVMs to start, on a machine with few cores. */
    private static final Duration PATIENCE = Duration.ofMinutes(20);

    @RegisterExtension
    static final ClusterExtension CLUSTER = new ClusterExtension(() -> ClusterSpecification.of(Installations.eyewall(), DIRECTORY)
        .withSupervisors(2, 1).withSettings(QuickSettings.all()).withSettings(Map.of(StreamConfiguration.MODE, "stream-manager",
            "blacklist.scheduler.tolerance.count", 1_000)));

    @Test
    @Tag("long")
    void shouldLoseNothingWhenATopologyGetsManyInstances() {
        ProcessCluster processes = CLUSTER.cluster();
        DropInCluster cluster = new DropInCluster(processes, DIRECTORY, Map.of("topology.elastic.tasks.factor", "50",
            "topology.message.timeout.secs", String.valueOf(PATIENCE.toSeconds())));
        cluster.submit(TOPOLOGY);
        processes.awaitRunning(TOPOLOGY, 2);
        cluster.awaitAcks(TOPOLOGY, SOME);

        processes.topologies().rebalance(TOPOLOGY, 0, EXECUTORS);

        processes.await("there are " + INSTANCES + " instances", PATIENCE, () -> processes.workers(TOPOLOGY).stream()
            .map(container -> ContainerChildren.of(container, ContainerChildren.INSTANCES).values()).mapToInt(Collection::size).sum()
            == INSTANCES);
        long enough = cluster.count(TOPOLOGY, "numbers", "ack ") + SOME;
        processes.await(SOME + " more messages are acked", PATIENCE, () -> cluster.count(TOPOLOGY, "numbers", "ack ") >= enough);
        Set<Long> pids = WorkerProcess.pids(processes.workers(TOPOLOGY));
        cluster.stopSpouts(TOPOLOGY);
        processes.await("all messages are settled", PATIENCE, () -> account(cluster).isSettled());

        MessageAccount account = account(cluster);
        System.out.println(INSTANCES + " instances: " + account + ".");
        account.assertNothingLost();
        assertEquals(Set.of(1L), Set.copyOf(account.emitted().values()), "nothing was emitted again");
        assertEquals(Set.of(1L), Set.copyOf(account.recorded().values()), "nothing has come twice");
        assertEquals(List.of(), cluster.lines(TOPOLOGY, "numbers").stream().filter(line -> line.startsWith("fail ")).toList());
        assertEquals(pids, WorkerProcess.pids(processes.workers(TOPOLOGY)), "containers have been started anew");
    }

    private static MessageAccount account(DropInCluster cluster) {
        return MessageAccount.of(cluster.lines(TOPOLOGY, "numbers"), cluster.lines(TOPOLOGY, "sink"));
    }
}
