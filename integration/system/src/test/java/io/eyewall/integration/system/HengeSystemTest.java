package io.eyewall.integration.system;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.eyewall.integration.cluster.ClusterExtension;
import io.eyewall.integration.cluster.ClusterNetwork;
import io.eyewall.integration.cluster.ClusterSpecification;
import io.eyewall.integration.cluster.Hosts;
import io.eyewall.integration.cluster.ProcessCluster;
import io.eyewall.integration.cluster.Submission;
import io.eyewall.integration.cluster.WorkerProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.storm.generated.ExecutorSummary;
import org.apache.storm.generated.TopologyInfo;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Two topologies have an SLO. One misses it because of a bolt that is too slow, and gets executors while its worker runs on. */
@Tag("system")
class HengeSystemTest {

    private static final Path DIRECTORY = Installations.workDirectory("henge");
    private static final StormCommand STORM = new StormCommand(Installations.eyewall(), DIRECTORY.resolve("client.yaml"));
    private static final Path STANDBY_LOG = DIRECTORY.resolve("logs").resolve("standby").resolve("standby.log");
    private static final Pattern METRICS_SERVED = Pattern.compile("Metrics are served at port (\\d+)\\.");
    private static final String SLOW = "bolt-0";

    @RegisterExtension
    static final ClusterExtension CLUSTER = new ClusterExtension(() -> {
        ClusterNetwork.unavailabilityCause().ifPresent(Assumptions::abort);
        return ClusterSpecification.of(Installations.eyewall(), DIRECTORY).withSupervisors(1, 2).withSeparateHosts(new Hosts(false, 0))
            .withStandbyNimbus().withSettings(QuickSettings.all())
            .withSettings(Map.of("storm.scheduler", "io.eyewall.scheduler.henge.HengeScheduler", "nimbus.slo.settle.secs", 15,
                "nimbus.slo.admission", "refuse", "storm.daemon.metrics.reporter.plugins",
                List.of("io.eyewall.core.metrics.PrometheusReporter"), "storm.daemon.metrics.reporter.prometheus.port", 0,
                // Every command asks the killed Nimbus first.
                "storm.nimbus.retry.times", 1, "storm.nimbus.retry.interval.millis", 100));
    });

    @Test
    void shouldGiveExecutorsToTheTopologyThatMissesItsSloAlthoughAnotherNimbusTakesOver() throws Exception {
        ProcessCluster cluster = CLUSTER.cluster();
        submit(cluster, "content", 50, 0, "topology.slo.latency.ms", 60_000);
        assertEquals(List.of("SLO of content: p99 latency at most 60000 ms, worth 30 (knee)"),
            successful("slo", "set", "content", "utility.max=30"));
        // One executor that sleeps for 4 ms over each tuple passes 250 in a second at most.
        submit(cluster, "needy", 300, 4, "topology.slo.throughput.min", 275);
        refusedAtSubmission("topology.slo.juice.min is '2', but must be ", "-c", "topology.slo.juice.min=2");
        cluster.awaitRunning("needy", 1);
        cluster.awaitRunning("content", 1);
        Set<Long> workers = WorkerProcess.pids(cluster.workers());

        cluster.await("the second Nimbus has both topologies", () -> copiedTopologies() == 2);
        cluster.await("needy has more executors", () -> executors(cluster) > 1);
        cluster.nimbus().kill();
        // A command is a JVM of its own: the log says when there is something to ask for.
        cluster.awaitLine(STANDBY_LOG, "KEPT step 1: utility of needy ");
        cluster.awaitCommand("the history has the step", () -> STORM.run("slo", "history").output().stream()
            .anyMatch(line -> line.matches(".*  step 1, kept: utility of needy .*")));
        cluster.awaitCommand("needy meets its SLO", () -> STORM.run("slo", "needy").output().contains("needy: met"));
        assertTrue(successful("slo", "content").contains("  SLO          p99 latency at most 60000 ms, worth 30 (knee)"));

        cluster.awaitCommand("both have all figures", () -> STORM.run("slo").output().containsAll(List.of("needy: met", "content: met")));
        List<String> slos = successful("slo");
        assertTrue(slos.stream().anyMatch(line -> line.matches("  now          throughput [0-9.]+ tuples/s")), slos::toString);
        assertTrue(slos.stream().anyMatch(line -> line.matches("  now          p99 latency [0-9.]+ ms")), slos::toString);
        List<String> metrics = metricsOfStandby(cluster);
        assertTrue(metrics.containsAll(List.of("storm_slo_topologies_met 2.0", "storm_slo_utility_share_needy 1.0")), metrics::toString);
        assertEquals(workers, WorkerProcess.pids(cluster.workers()), "no worker restarts");

        refusedAtSubmission(" cores, as its components declare, and the machines with a free slot have 0.0 left. ", "-c",
            "topology.slo.latency.ms=50", "-c", "topology.component.cpu.pcore.percent=100");
        refused("topology.slo.juice.min is '2', but must be ", "slo", "set", "content", "juice.min=2");
        assertEquals(List.of("SLO of content: p99 latency at most 60000 ms, worth 5 (knee)"),
            successful("slo", "set", "content", "utility.max=5"));
        changeInTheUi(cluster, "content");
        cluster.awaitCommand("content has the new SLO", () -> STORM.run("slo", "content").output()
            .contains("  SLO          p50 latency at most 60000 ms, worth 4 (knee)"));
        assertEquals(workers, WorkerProcess.pids(cluster.workers()), "no worker restarts");

        List<String> history = successful("slo", "history");
        assertTrue(history.stream().anyMatch(line -> line.matches(".*  step 1, planned: reconfiguration: needy misses its SLO, "
            + "congested: bolt-0.*; needy gets \\{bolt-0=[34]\\} on 1 workers")), history::toString);
        // Whether it is logged that the step was applied depends on when the first Nimbus was killed.
        Path plot = DIRECTORY.resolve("utility.svg");
        successful("slo", "history", "--plot", plot.toString());
        assertTrue(Files.readString(plot).contains("<svg"));
    }

    /** Lowers the priority over the REST API, and sets another percentile on the page. */
    private static void changeInTheUi(ProcessCluster cluster, String name) throws IOException, InterruptedException {
        UiProcess ui = UiProcess.start(cluster, DIRECTORY);
        try {
            String address = "topology/" + cluster.topologies().find(name).orElseThrow().get_id();
            HttpResponse<String> bad = ui.post(address + "/slo", "{\"juice.min\": 2}");
            assertEquals(409, bad.statusCode());
            assertTrue(bad.body().contains("topology.slo.juice.min is '2', but must be "), bad::body);
            HttpResponse<String> done = ui.post(address + "/slo", "{\"utility.max\": 4}");
            assertEquals(200, done.statusCode(), done::body);
            assertTrue(done.body().contains("\"slo\":\"p99 latency at most 60000 ms, worth 4 (knee)\""), done::body);
            if (!Browser.isThere()) {
                assertEquals(200, ui.post(address + "/slo", "{\"latency.percentile\": \"p50\"}").statusCode());
                return;
            }
            try (Browser browser = new Browser(DIRECTORY.resolve("pages"))) {
                browser.open(ui.root() + "#/" + address, false);
                browser.click("Service level");
                browser.type("latency.percentile", "p50");
                assertEquals(List.of(), browser.violations());
                browser.click("Service level " + name);
                browser.awaitText("In force: p50 latency at most 60000 ms, worth 4 (knee)");
                browser.picture("service-level");
                assertEquals(List.of(), browser.messages());
            }
        } finally {
            ui.end();
        }
    }

    private static void submit(ProcessCluster cluster, String name, int ratePerSec, int workMs, String key, Object objective)
            throws IOException {
        cluster.submit(Submission.of(Installations.examplesJar(), "io.eyewall.examples.Main", "linear", name)
            .with("topology.workers", 1).with("topology.acker.executors", 0).with("eyewall.rate.per.sec", ratePerSec)
            .with("eyewall.work.ms." + SLOW, workMs).with("eyewall.parallelism", 1).with("eyewall.tasks", 4)
            .with("topology.latency.recording", "all").with(key, objective));
    }

    /** The lines that the second Nimbus serves to Prometheus. */
    private static List<String> metricsOfStandby(ProcessCluster cluster) throws IOException, InterruptedException {
        Matcher served = METRICS_SERVED.matcher(Files.readString(STANDBY_LOG));
        assertTrue(served.find(), "no port of the metrics in " + STANDBY_LOG);
        URI address = URI.create("http://" + cluster.standbyAddress() + ":" + served.group(1) + "/metrics");
        return HttpClient.newHttpClient().send(HttpRequest.newBuilder(address).build(), HttpResponse.BodyHandlers.ofString()).body()
            .lines().toList();
    }

    /** How many topologies the second Nimbus has the code of. */
    private static long copiedTopologies() {
        try (Stream<Path> all = Files.walk(DIRECTORY.resolve("standby").resolve("blobs"))) {
            return all.filter(path -> path.getFileName().toString().matches("data_.*-stormcode\\.ser")).count();
        } catch (IOException | UncheckedIOException changing) {
            return 0;
        }
    }

    /** How many executors the slow bolt of the topology has that misses its SLO. */
    private static long executors(ProcessCluster cluster) {
        List<ExecutorSummary> executors = cluster.topologies().info("needy").map(TopologyInfo::get_executors).orElse(List.of());
        return executors.stream().filter(executor -> executor.get_component_id().equals(SLOW)).count();
    }

    private static List<String> successful(String... arguments) {
        StormCommand.Outcome outcome = STORM.run(arguments);
        assertEquals(0, outcome.exitCode(), outcome.errors()::toString);
        return outcome.output();
    }

    private static void refusedAtSubmission(String why, String... options) throws IOException {
        List<String> arguments = new ArrayList<>(List.of("jar", Installations.examplesJar().toString(), "io.eyewall.examples.Main",
            "linear", "bad"));
        arguments.addAll(List.of(options));
        StormCommand.Outcome outcome = STORM.run(arguments.toArray(String[]::new));
        assertNotEquals(0, outcome.exitCode());
        assertTrue(outcome.errors().stream().anyMatch(line -> line.contains(why)), outcome.errors()::toString);
    }

    private static void refused(String why, String... arguments) {
        StormCommand.Outcome outcome = STORM.run(arguments);
        assertNotEquals(0, outcome.exitCode());
        assertEquals(1, outcome.errors().size(), outcome.errors()::toString);
        assertTrue(outcome.errors().get(0).contains(why), outcome.errors()::toString);
    }
}
