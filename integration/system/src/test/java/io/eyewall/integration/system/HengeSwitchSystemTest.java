package io.eyewall.integration.system;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.eyewall.integration.cluster.ClusterExtension;
import io.eyewall.integration.cluster.ClusterSpecification;
import io.eyewall.integration.cluster.ProcessCluster;
import io.eyewall.integration.cluster.Submission;
import io.eyewall.integration.cluster.WorkerFiles;
import io.eyewall.integration.cluster.WorkerProcess;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A topology misses its SLO because one task of a bolt is slow, and its worker is ordered to give that task less. */
@Tag("system")
@Tag("long")
class HengeSwitchSystemTest {

    private static final Path DIRECTORY = Installations.workDirectory("henge-switch");
    private static final StormCommand STORM = new StormCommand(Installations.eyewall(), DIRECTORY.resolve("client.yaml"));
    private static final String SWITCHED = "Technique topology.latency.balancing is on from now on, as the scheduler orders.";

    @RegisterExtension
    static final ClusterExtension CLUSTER = new ClusterExtension(() -> ClusterSpecification.of(Installations.eyewall(), DIRECTORY)
        .withSupervisors(1, 1).withSettings(QuickSettings.all())
        .withSettings(Map.of("storm.scheduler", "io.eyewall.scheduler.henge.HengeScheduler", "nimbus.slo.settle.secs", 15)));

    @Test
    void shouldBalanceInARunningWorkerWhenATaskIsSlow() throws IOException {
        ProcessCluster cluster = CLUSTER.cluster();
        // A third of the messages take 40 ms at the slow task, which is busy for 80 % of its time; with balancing, a twentieth or so.
        cluster.submit(Submission.of(Installations.examplesJar(), "io.eyewall.examples.Main", "linear", "uneven")
            .with("topology.workers", 1).with("topology.acker.executors", 0).with("eyewall.rate.per.sec", 60)
            .with("eyewall.work.ms.bolt-1", 2).with("eyewall.work.slow.factor.bolt-1", 20).with("eyewall.parallelism.bolt-1", 3)
            .with("topology.latency.recording", "all").with("topology.slo.latency.ms", 30).with("topology.slo.latency.percentile", "p80")
            .with("topology.tail.latency", "slo"));
        cluster.awaitRunning("uneven", 1);
        Set<Long> workers = WorkerProcess.pids(cluster.workers());

        cluster.await("the worker has switched", () ->
            WorkerFiles.logs(cluster.logs(), "").stream().anyMatch(log -> log.contains(SWITCHED)));
        cluster.awaitCommand("uneven meets its SLO", () -> STORM.run("slo", "uneven").output().contains("uneven: met"));
        cluster.awaitCommand("the step is kept", () -> STORM.run("slo", "history").output().stream()
            .anyMatch(line -> line.matches(".*  step 1, kept: .*")));

        List<String> history = STORM.run("slo", "history").output();
        assertTrue(history.stream().anyMatch(line -> line.matches(".*  step 1, planned: switch: uneven misses its SLO, .*, executors slower"
            + " than their siblings: bolt-1; .*; uneven uses load balancing")), history::toString);
        assertEquals(workers, WorkerProcess.pids(cluster.workers()), "no worker restarts");
    }
}
