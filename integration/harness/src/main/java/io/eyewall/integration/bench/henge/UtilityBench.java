package io.eyewall.integration.bench.henge;

import io.eyewall.client.blob.SmallBlob;
import io.eyewall.integration.bench.data.Circumstances;
import io.eyewall.integration.bench.data.Machine;
import io.eyewall.integration.bench.data.Measurements;
import io.eyewall.integration.bench.data.Turns;
import io.eyewall.integration.cluster.BenchClock;
import io.eyewall.integration.cluster.ClusterSpecification;
import io.eyewall.integration.cluster.Daemon;
import io.eyewall.integration.cluster.ExamplesJar;
import io.eyewall.integration.cluster.ProcessCluster;
import io.eyewall.integration.cluster.StormHome;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import net.minidev.json.JSONObject;
import net.minidev.json.JSONValue;

/**
 * Runs several Page Load topologies with the same service level on one cluster, while something changes, the sides in turns: Storm's
 * defaults, perhaps numbers of executors that are tuned by hand, and the {@code HengeScheduler}, which starts from the defaults.
 */
public final class UtilityBench implements AutoCloseable {

    private static final long MS_PER_SEC = 1_000;
    /** An executor sleeps for so long over a message, so it passes 160 in a second at most. */
    private static final int WORK_MS = 6;
    private static final int TASKS = 8;
    private static final int MEASURED_EVERY = 4;
    private static final int SUPERVISORS = 2;
    /** The ports of a cluster end where those of outgoing connections begin. */
    private static final int ENDPOINT_PORT_OFFSET = 500;
    private static final double MAX_UTILITY = 35;
    private static final String ACTION_LOG = "eyewall-slo-log";

    private static final Map<String, Object> CLUSTER_SETTINGS = Map.of("nimbus.monitor.freq.secs", 2, "supervisor.cpu.capacity", 100.0,
        "supervisor.worker.shutdown.sleep.secs", 1, "executor.metrics.frequency.secs", 5);
    private static final Map<String, Object> HENGE_SETTINGS =
        Map.of("storm.scheduler", "io.eyewall.scheduler.henge.HengeScheduler", "nimbus.slo.settle.secs", 20);
    private static final Map<String, Object> TOPOLOGY_SETTINGS = Map.ofEntries(Map.entry("topology.workers", 1),
        Map.entry("topology.acker.executors", 0),
        Map.entry("topology.worker.childopts", "-Xmx256m -XX:TieredStopAtLevel=1 -XX:+UseSerialGC"), Map.entry("eyewall.work.ms", WORK_MS),
        Map.entry("eyewall.tasks.join", TASKS), Map.entry("eyewall.tasks.aggregate", TASKS),
        Map.entry("eyewall.latency.every", MEASURED_EVERY));
    private static final Map<String, Object> SLO_SETTINGS = Map.of("topology.slo.latency.ms", UtilityRun.OBJECTIVE_MS,
        "topology.slo.latency.percentile", "mean", "topology.slo.utility.max", MAX_UTILITY, "topology.latency.recording", "all",
        "topology.latency.endpoint.port.offset", ENDPOINT_PORT_OFFSET);

    private final UtilityOptions options;
    private final UtilityScenario scenario;
    private final StormHome upstream;
    private final StormHome eyewall;
    private final Path jar;
    private final Path out;
    private final BenchClock clock;
    private final PrintStream progress;
    private final Map<StormHome, ProcessCluster> clusters = new HashMap<>();

    /**
     * Takes both installations; {@code out} is for results and the clusters' state, and {@code progress} gets a line for each run.
     *
     * @param options which of its scenarios, and how
     */
    public UtilityBench(UtilityOptions options, StormHome upstream, StormHome eyewall, Path out, BenchClock clock, PrintStream progress)
            throws IOException {
        this.options = options;
        scenario = options.scenario();
        this.upstream = upstream;
        this.eyewall = eyewall;
        jar = ExamplesJar.in(eyewall.root());
        this.out = out;
        this.clock = clock;
        this.progress = progress;
    }

    /** The names of its scenarios. */
    public static List<String> names() {
        return UtilityScenario.all().stream().map(UtilityScenario::name).toList();
    }

    /**
     * Measures all sides.
     *
     * @param circumstances those of the whole benchmark
     * @param version the version of Eyewall's installation
     * @return a line for each side and round
     */
    public Measurements run(Circumstances circumstances, String version) throws IOException, InterruptedException {
        List<UtilityScenario.Side> sides = scenario.sides();
        List<List<UtilityRun>> runs = Turns.measure(sides.size(), options.rounds(), (side, round) -> {
            UtilityRun run = run(sides.get(side), "-" + (char) ('a' + side) + round);
            progress.printf(Locale.ROOT, "%s round %d/%d %s: average utility %.1f %%, p50 %.1f %%, %d steps%n", scenario.name(), round,
                options.rounds(), sides.get(side).label(), run.averagePercent(), run.percentile(50), run.steps(0) + run.steps(1));
            return run;
        });
        List<String> versions = new ArrayList<>();
        for (UtilityScenario.Side side : sides) {
            versions.add(side.isHenge() ? version : upstream.version());
        }
        UtilityResults results = new UtilityResults(scenario, circumstances, versions, runs);
        results.write(out.resolve(scenario.name()), List.of(notes()));
        return results.measurements();
    }

    /** The text above the table, which says what is compared. */
    public String notes() {
        return scenario.notes(options.seconds());
    }

    @Override
    public void close() {
        clusters.values().forEach(ProcessCluster::close);
    }

    private UtilityRun run(UtilityScenario.Side side, String suffix) throws IOException, InterruptedException {
        StormHome home = side.isHenge() ? eyewall : upstream;
        ProcessCluster cluster = clusters.computeIfAbsent(home, this::start);
        Map<String, Object> settings = new HashMap<>(TOPOLOGY_SETTINGS);
        settings.putAll(side.isHenge() ? SLO_SETTINGS : Map.of());
        settings.putAll(side.settings());
        UtilityStage stage = new UtilityStage(cluster, scenario.tenants(), settings, jar, out, shortName() + suffix, clock);
        stage.begin(options.seconds());
        stage.pollUntil(clock.epochMs() + options.warmUpSeconds() * MS_PER_SEC);
        double stolenBefore = Machine.stolenSecondsPerCore();
        int pieceSeconds = scenario.span().pieceSeconds();
        UtilityRun.Pieces pieces = new UtilityRun.Pieces(clock.epochMs(), options.seconds() / pieceSeconds, pieceSeconds);
        for (UtilityScenario.Change change : scenario.changes()) {
            stage.pollUntil(pieces.beginMs() + change.atSecond(options.seconds(), pieceSeconds) * MS_PER_SEC);
            change.action().apply(stage);
        }
        stage.pollUntil(pieces.endMs());
        double stolen = (Machine.stolenSecondsPerCore() - stolenBefore) / ((clock.epochMs() - pieces.beginMs()) / (double) MS_PER_SEC);
        List<UtilityRun.Measured> measured = stage.measured(pieces.endMs());
        List<UtilityRun.LogEntry> log = side.isHenge() ? actionLog(cluster, pieces) : List.of();
        stage.end();
        if (!cluster.supervisors().stream().allMatch(Daemon::isAlive)) {
            // Nimbus remembers for half an hour that a Supervisor failed.
            clusters.remove(home).close();
        }
        return new UtilityRun(UtilityRun.shares(measured, pieces), pieces, scenario.changeSecond(options.seconds()), log,
            UtilityRun.processed(measured, pieces, MEASURED_EVERY), stolen);
    }

    private ProcessCluster start(StormHome home) {
        boolean isHenge = home.equals(eyewall);
        Path directory = out.resolve("clusters").resolve(shortName() + (isHenge ? "-eyewall" : "-upstream"));
        ClusterSpecification specification = ClusterSpecification.of(home, directory)
            .withSupervisors(SUPERVISORS, scenario.tenants().number()).withSettings(CLUSTER_SETTINGS);
        return ProcessCluster.startAnew(isHenge ? specification.withSettings(HENGE_SETTINGS) : specification);
    }

    private String shortName() {
        return scenario.name().substring(scenario.name().indexOf('/') + 1);
    }

    /** What the scheduler did during a run. */
    private static List<UtilityRun.LogEntry> actionLog(ProcessCluster cluster, UtilityRun.Pieces pieces) {
        return cluster.topologies().ask("pass on its action log", nimbus -> SmallBlob.text(nimbus, ACTION_LOG)).orElse("")
            .lines().filter(line -> !line.isBlank()).map(UtilityBench::entry)
            .filter(entry -> entry.timeMs() >= pieces.beginMs() && entry.timeMs() < pieces.endMs()).toList();
    }

    /** An entry from its line of JSON. */
    static UtilityRun.LogEntry entry(String line) {
        JSONObject json = (JSONObject) JSONValue.parse(line);
        return new UtilityRun.LogEntry(json.getAsNumber("time-ms").longValue(), json.getAsNumber("step").longValue(),
            json.getAsString("kind"));
    }
}
