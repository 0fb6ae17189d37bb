package io.eyewall.integration.system;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.eyewall.integration.cluster.ClusterExtension;
import io.eyewall.integration.cluster.ClusterSpecification;
import io.eyewall.integration.cluster.ProcessCluster;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.storm.generated.SupervisorSummary;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** One of two Supervisors is emptied under load, with Storm's default scheduler, and comes back. */
@Tag("system")
class DrainSystemTest {

    private static final Path DIRECTORY = Installations.workDirectory("drain");
    private static final StormCommand STORM = new StormCommand(Installations.eyewall(), DIRECTORY.resolve("client.yaml"));
    private static final String TOPOLOGY = "rolling";
    private static final String OTHER = "replay";
    private static final int SOME = 200;

    @RegisterExtension
    static final ClusterExtension CLUSTER = new ClusterExtension(() -> ClusterSpecification.of(Installations.eyewall(), DIRECTORY)
        .withSupervisors(2, 3).withSettings(QuickSettings.all()).withSettings(Map.of("blacklist.scheduler.tolerance.count", 1_000)));

    private final ProcessCluster processes = CLUSTER.cluster();
    // A message that is lost would fail within that time; a busy machine needs some of it.
    private final DropInCluster cluster = new DropInCluster(processes, DIRECTORY, Map.of("topology.message.timeout.secs", "20"));

    @Test
    void shouldEmptyASupervisorWithoutLosingATuple() {
        cluster.submit(TOPOLOGY);
        processes.awaitRunning(TOPOLOGY, 2);
        cluster.awaitAcks(TOPOLOGY, SOME);
        Map<String, Integer> before = workersById();
        assertEquals(List.of(1, 1), List.copyOf(before.values()), before::toString);
        List<String> ids = List.copyOf(before.keySet());
        String drained = ids.get(0);
        String other = ids.get(1);

        refused("there is no Supervisor elsewhere in the cluster. There are, as HOST SUPERVISOR: localhost " + drained, "drain",
            "elsewhere");
        refused("localhost has several Supervisors. Name one of them: " + String.join(", ", before.keySet()), "drain", "localhost");

        List<String> output = successful("drain", drained, "--timeout", "120");
        assertEquals(drained + " is empty, and gets no executors until it has been stopped and started.", output.get(output.size() - 1));
        assertTrue(output.get(0).startsWith(drained + " has " + TOPOLOGY + "-"), output::toString);
        awaitWorkers(drained, 0);
        // A worker says that it ends a moment before its process has ended.
        processes.await("one Supervisor has two workers, and the other none", () -> List.of(0, 2).equals(IntStream.rangeClosed(1, 2)
            .mapToObj(supervisor -> processes.workersOf(supervisor).size()).sorted().toList()));
        cluster.awaitAcks(TOPOLOGY, acked() + SOME);
        awaitWorkers(other, 2);
        refused("No other Supervisor has a free slot, or another worker of the topology, for " + TOPOLOGY + "-", "drain", other);
        assertEquals(2, workersById().get(other), "nothing moves where not all can go");

        processes.nimbus().stop();
        processes.nimbus().start();
        processes.awaitSupervisors();
        cluster.submit(OTHER);
        processes.awaitRunning(OTHER, 1);
        assertEquals(0, workersById().get(drained), "of its two workers, the one on the other Supervisor runs");

        assertEquals(List.of(drained + " gets executors again."), successful("drain", drained, "--cancel"));
        processes.awaitRunning(OTHER, 2);
        awaitWorkers(drained, 1);

        cluster.stopSpouts(TOPOLOGY);
        processes.await("all messages are settled", () -> account().isSettled());
        account().assertNothingLost();
        assertEquals(List.of(), cluster.lines(TOPOLOGY, "numbers").stream().filter(line -> line.startsWith("fail ")).toList());
    }

    private MessageAccount account() {
        return MessageAccount.of(cluster.lines(TOPOLOGY, "numbers"), cluster.lines(TOPOLOGY, "sink"));
    }

    private int acked() {
        return (int) cluster.count(TOPOLOGY, "numbers", "ack ");
    }

    /** A Supervisor reports only now and then how many workers it has. */
    private void awaitWorkers(String supervisor, int number) {
        processes.await(supervisor + " has " + number + " workers", () -> workersById().get(supervisor) == number);
    }

    private Map<String, Integer> workersById() {
        return processes.topologies().cluster().get_supervisors().stream().collect(Collectors.toMap(SupervisorSummary::get_supervisor_id,
            SupervisorSummary::get_num_used_workers, Integer::sum, TreeMap::new));
    }

    private static List<String> successful(String... arguments) {
        StormCommand.Outcome outcome = STORM.run(arguments);
        assertEquals(0, outcome.exitCode(), outcome.errors()::toString);
        return outcome.output();
    }

    private static void refused(String why, String... arguments) {
        StormCommand.Outcome outcome = STORM.run(arguments);
        assertEquals(1, outcome.exitCode(), outcome.output()::toString);
        assertEquals(1, outcome.errors().size(), outcome.errors()::toString);
        assertTrue(outcome.errors().get(0).contains(why), outcome.errors()::toString);
    }
}
