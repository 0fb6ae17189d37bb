package io.eyewall.integration.bench.henge;

import io.eyewall.client.blob.SmallBlob;
import io.eyewall.core.report.MeasureDirectory;
import io.eyewall.integration.bench.data.Circumstances;
import io.eyewall.integration.bench.data.Machine;
import io.eyewall.integration.bench.data.Measurement;
import io.eyewall.integration.bench.data.Measurements;
import io.eyewall.integration.cluster.BenchClock;
import io.eyewall.integration.cluster.ClusterSpecification;
import io.eyewall.integration.cluster.ExamplesJar;
import io.eyewall.integration.cluster.ProcessCluster;
import io.eyewall.integration.cluster.StormHome;
import io.eyewall.integration.cluster.Submission;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.DoubleStream;
import net.minidev.json.JSONObject;
import net.minidev.json.JSONValue;

/**
 * Runs several Page Load topologies with the same service level on one cluster, while their load changes as in the days of a trace, hours
 * compressed to seconds: Xu's thesis, section 3.5. The sides take turns: Storm's defaults, numbers of executors that are tuned for the
 * median load, and the {@code HengeScheduler}, which starts from the defaults.
 */
public final class DiurnalBench implements AutoCloseable {

    /** The name of the scenario. */
    public static final String NAME = "henge/diurnal";
    /** The mean rate of each topology in messages per second, unless the user sets another. */
    public static final int RATE_PER_SEC = 400;
    /** The shortest run, in seconds. */
    public static final int LEAST_SECONDS = 6 * UtilityRun.PIECE_SECONDS;
    /** How long a run takes unless the user says otherwise, in seconds: two days of 12 minutes each. */
    public static final int SECONDS = 1_440;

    private static final int TOPOLOGIES = 4;
    private static final int DAYS = 2;
    private static final int STEP_SECONDS = 5;
    private static final long MS_PER_SEC = 1_000;
    /** An executor sleeps for so long over a message, so it passes 160 in a second at most: fewer than come at the median load. */
    private static final int WORK_MS = 6;
    private static final int TASKS = 8;
    /** Enough for the median load: join gets 0.8 of the messages and aggregate 0.64. */
    private static final int TUNED_EXECUTORS = 3;
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
        Map.entry("eyewall.rate.step.sec", STEP_SECONDS), Map.entry("eyewall.latency.every", 4));
    private static final Map<String, Object> SLO_SETTINGS = Map.of("topology.slo.latency.ms", UtilityRun.OBJECTIVE_MS,
        "topology.slo.latency.percentile", "mean", "topology.slo.utility.max", MAX_UTILITY, "topology.latency.recording", "all",
        "topology.latency.endpoint.port.offset", ENDPOINT_PORT_OFFSET);

    private final List<Side> sides;
    private final StormHome eyewall;
    private final Path jar;
    private final Path out;
    private final BenchClock clock;
    private final PrintStream progress;
    private final Map<StormHome, ProcessCluster> clusters = new HashMap<>();

    /**
     * A side of the comparison.
     *
     * @param label its name in the table
     * @param home the installation that it runs on
     * @param settings topology configuration on top of that of all sides
     */
    private record Side(String label, StormHome home, Map<String, Object> settings) {
    }

    /** A running topology and what it has measured. */
    private record Running(String name, MeasureDirectory measured, List<UtilityRun.Latencies> latencies) {

        void poll() {
            try {
                measured.poll(interval -> {
                    if (MeasureDirectory.END_TO_END.equals(interval.getTag()) && interval.getTotalCount() > 0) {
                        latencies.add(UtilityRun.Latencies.of(interval));
                    }
                });
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    /** Takes both installations; {@code out} is for results and the clusters' state, and {@code progress} gets a line for each run. */
    public DiurnalBench(StormHome upstream, StormHome eyewall, Path out, BenchClock clock, PrintStream progress) throws IOException {
        sides = List.of(new Side("Storm's defaults", upstream, Map.of()),
            new Side("tuned for the median", upstream,
                Map.of("eyewall.parallelism.join", TUNED_EXECUTORS, "eyewall.parallelism.aggregate", TUNED_EXECUTORS)),
            new Side("Henge", eyewall, SLO_SETTINGS));
        this.eyewall = eyewall;
        jar = ExamplesJar.in(eyewall.root());
        this.out = out;
        this.clock = clock;
        this.progress = progress;
    }

    /**
     * Checks traces, before anything is started.
     *
     * @throws IllegalArgumentException if one cannot be used, with a line for the user
     */
    public static void requireTraces(List<Path> traces) throws IOException {
        for (Path trace : traces) {
            if (!Files.isReadable(trace)) {
                throw new IllegalArgumentException("--rates " + trace + ": no such file");
            }
            DiurnalRates.read(trace, 1);
        }
    }

    /**
     * Measures all sides.
     *
     * @param rounds how often each side is measured
     * @param warmUpSeconds how long the topologies run before the seconds that count
     * @param seconds how long the days take together
     * @param ratePerSec the mean rate of each topology
     * @param traces files of rates, which the topologies follow in turns; none for days that are made up
     * @param circumstances those of the whole benchmark
     * @param version the version of Eyewall's installation
     * @return a line for each side and round
     */
    public Measurements run(int rounds, int warmUpSeconds, int seconds, int ratePerSec, List<Path> traces, Circumstances circumstances,
            String version) throws IOException, InterruptedException {
        List<Path> rates = writeRates(traces, seconds, ratePerSec);
        List<List<UtilityRun>> runs = sides.stream().<List<UtilityRun>>map(side -> new ArrayList<>()).toList();
        for (int round = 1; round <= rounds; round++) {
            for (int turn = 0; turn < sides.size(); turn++) {
                int side = (round - 1 + turn) % sides.size();
                UtilityRun run = run(sides.get(side), "diurnal-" + (char) ('a' + side) + round, rates, warmUpSeconds, seconds);
                runs.get(side).add(run);
                progress.printf(Locale.ROOT, "%s round %d/%d %s: average utility %.1f %%, p50 %.1f %%, %d steps%n", NAME, round, rounds,
                    sides.get(side).label, run.averagePercent(), run.percentile(50), run.steps(0) + run.steps(1));
            }
        }
        List<String> versions = new ArrayList<>();
        for (Side side : sides) {
            versions.add(side.home.equals(eyewall) ? version : side.home.version());
        }
        List<String> labels = sides.stream().map(Side::label).toList();
        UtilityResults results =
            new UtilityResults(new Measurement.Setting(NAME, String.valueOf(ratePerSec)), circumstances, labels, versions, runs);
        results.write(out.resolve(NAME), List.of(notes(seconds)));
        return results.measurements();
    }

    /** The text above the table, which says what is compared. */
    public static String notes(int seconds) {
        return String.format(Locale.ROOT, "%d Page Load topologies, whose objective is a mean latency of %.0f ms from due to processed;"
            + " %d s, in pieces of %d s; utility in per cent of the most that there could be.", TOPOLOGIES, UtilityRun.OBJECTIVE_MS,
            seconds, UtilityRun.PIECE_SECONDS);
    }

    @Override
    public void close() {
        clusters.values().forEach(ProcessCluster::close);
    }

    /** Writes a file of rates for each topology. */
    private List<Path> writeRates(List<Path> traces, int seconds, int ratePerSec) throws IOException {
        int steps = seconds / STEP_SECONDS;
        Path directory = Files.createDirectories(out.resolve(NAME).resolve("rates"));
        List<Path> files = new ArrayList<>();
        for (int topology = 0; topology < TOPOLOGIES; topology++) {
            double[] factors = traces.isEmpty() ? DiurnalRates.generate(1 + topology % 2, DAYS, steps)
                : DiurnalRates.read(traces.get(topology % traces.size()), steps);
            files.add(Files.write(directory.resolve("topology-" + topology + ".txt"),
                DoubleStream.of(factors).mapToObj(factor -> String.format(Locale.ROOT, "%.2f", factor * ratePerSec)).toList()));
        }
        return files;
    }

    private UtilityRun run(Side side, String name, List<Path> rates, int warmUpSeconds, int seconds)
            throws IOException, InterruptedException {
        ProcessCluster cluster = clusters.computeIfAbsent(side.home, this::start);
        List<Running> topologies = new ArrayList<>();
        for (int topology = 0; topology < TOPOLOGIES; topology++) {
            Path directory = out.resolve("measured").resolve(name + topology + "-" + clock.epochMs());
            cluster.submit(submission(side, name + topology, directory, rates.get(topology)));
            topologies.add(new Running(name + topology, new MeasureDirectory(directory), new ArrayList<>()));
        }
        for (Running topology : topologies) {
            cluster.await("a tuple of " + topology.name + " arrives", () -> {
                topology.poll();
                return !topology.latencies.isEmpty();
            });
        }
        clock.sleep(warmUpSeconds * MS_PER_SEC);
        double stolenBefore = Machine.stolenSecondsPerCore();
        long beginMs = clock.epochMs();
        int pieces = seconds / UtilityRun.PIECE_SECONDS;
        long endMs = beginMs + (long) pieces * UtilityRun.PIECE_SECONDS * MS_PER_SEC;
        while (clock.epochMs() < endMs) {
            clock.sleep(Math.min(UtilityRun.PIECE_SECONDS * MS_PER_SEC, endMs - clock.epochMs()));
            topologies.forEach(Running::poll);
        }
        double stolen = (Machine.stolenSecondsPerCore() - stolenBefore) / ((clock.epochMs() - beginMs) / (double) MS_PER_SEC);
        cluster.await("the latencies are written", () -> {
            topologies.forEach(Running::poll);
            return topologies.stream().allMatch(topology -> topology.measured.reportedUntilMs() >= endMs);
        });
        List<UtilityRun.LogEntry> log = side.home.equals(eyewall) ? actionLog(cluster, beginMs) : List.of();
        topologies.forEach(topology -> cluster.topologies().kill(topology.name, 0));
        topologies.forEach(topology -> cluster.awaitGone(topology.name));
        List<Double> shares = UtilityRun.shares(topologies.stream().map(Running::latencies).toList(), beginMs, pieces);
        return new UtilityRun(shares, beginMs, log, stolen);
    }

    private ProcessCluster start(StormHome home) {
        ClusterSpecification specification = ClusterSpecification.of(home, out.resolve("clusters").resolve("diurnal-" + clusters.size()))
            .withSupervisors(2, TOPOLOGIES).withSettings(CLUSTER_SETTINGS);
        return ProcessCluster.startAnew(home.equals(eyewall) ? specification.withSettings(HENGE_SETTINGS) : specification);
    }

    private Submission submission(Side side, String name, Path directory, Path rates) {
        Map<String, Object> configuration = new HashMap<>(TOPOLOGY_SETTINGS);
        configuration.putAll(side.settings);
        configuration.put("eyewall.measure.dir", directory);
        configuration.put("eyewall.rate.file", rates.toAbsolutePath());
        Submission submission = Submission.of(jar, ExamplesJar.MAIN_CLASS, "page-load", name);
        for (Map.Entry<String, Object> setting : configuration.entrySet()) {
            submission = submission.with(setting.getKey(), setting.getValue());
        }
        return submission;
    }

    /** What the scheduler has done since a time. */
    private static List<UtilityRun.LogEntry> actionLog(ProcessCluster cluster, long sinceMs) {
        return cluster.topologies().ask("pass on its action log", nimbus -> SmallBlob.text(nimbus, ACTION_LOG)).orElse("")
            .lines().filter(line -> !line.isBlank()).map(DiurnalBench::entry).filter(entry -> entry.timeMs() >= sinceMs)
            .toList();
    }

    /** An entry from its line of JSON. */
    static UtilityRun.LogEntry entry(String line) {
        JSONObject json = (JSONObject) JSONValue.parse(line);
        return new UtilityRun.LogEntry(json.getAsNumber("time-ms").longValue(), json.getAsNumber("step").longValue(),
            json.getAsString("kind"));
    }
}
