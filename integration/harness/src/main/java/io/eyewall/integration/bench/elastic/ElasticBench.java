package io.eyewall.integration.bench.elastic;

import io.eyewall.core.report.MeasureDirectory;
import io.eyewall.integration.bench.data.Circumstances;
import io.eyewall.integration.bench.data.Machine;
import io.eyewall.integration.bench.data.Measurements;
import io.eyewall.integration.bench.data.Quantity;
import io.eyewall.integration.bench.data.Turns;
import io.eyewall.integration.cluster.BenchClock;
import io.eyewall.integration.cluster.ClusterSpecification;
import io.eyewall.integration.cluster.ExamplesJar;
import io.eyewall.integration.cluster.ProcessCluster;
import io.eyewall.integration.cluster.StormHome;
import io.eyewall.integration.cluster.Submission;
import io.eyewall.integration.cluster.WorkerProcess;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.HdrHistogram.Histogram;

/** Changes topologies that run under a steady load, the sides in turns, and looks at the seconds around the change. */
public final class ElasticBench implements AutoCloseable {

    private static final Map<String, Object> CLUSTER_SETTINGS =
        Map.of("nimbus.monitor.freq.secs", 1, "supervisor.worker.shutdown.sleep.secs", 1, "executor.metrics.frequency.secs", 5);
    private static final int BEFORE_SECONDS = 10;
    private static final int LOOK_MS = 100;

    private final ElasticScenario scenario;
    private final List<ElasticSide> sides;
    private final StormHome eyewall;
    private final Path jar;
    private final Path out;
    private final BenchClock clock;
    private final PrintStream progress;
    private final Map<StormHome, ProcessCluster> clusters = new HashMap<>();

    /** Takes both installations; {@code out} is for results and the clusters' state, and {@code progress} gets a line for each run. */
    public ElasticBench(String name, StormHome upstream, StormHome eyewall, Path out, BenchClock clock, PrintStream progress)
            throws IOException {
        scenario = ElasticScenario.all().stream().filter(one -> one.name().equals(name)).findFirst().orElseThrow();
        sides = scenario.sides(upstream, eyewall);
        this.eyewall = eyewall;
        jar = ExamplesJar.in(eyewall.root());
        this.out = out;
        this.clock = clock;
        this.progress = progress;
    }

    /** The names of its scenarios. */
    public static List<String> names() {
        return ElasticScenario.all().stream().map(ElasticScenario::name).toList();
    }

    /**
     * Measures all sides.
     *
     * @param rounds how often each side is measured
     * @param warmUpSeconds how long a topology runs before the seconds that are compared with
     * @param seconds how long to measure after the change
     * @param circumstances those of the whole benchmark
     * @param version the version of Eyewall's installation
     * @return a line for each side and round
     */
    public Measurements run(int rounds, int warmUpSeconds, int seconds, Circumstances circumstances, String version)
            throws IOException, InterruptedException {
        List<List<ElasticRun>> runs = Turns.measure(sides.size(), rounds, (side, round) -> {
            ElasticRun run = run(sides.get(side), "bench-elastic-" + (char) ('A' + side) + round, warmUpSeconds, seconds);
            progress.printf(Locale.ROOT, "%s round %d/%d %s: %s%n", scenario.name(), round, rounds, sides.get(side).label(),
                scenario.figures().stream().flatMap(figure -> shown(figure, run).stream()).collect(Collectors.joining(", ")));
            return run;
        });
        List<String> versions = new ArrayList<>();
        for (ElasticSide side : sides) {
            versions.add(side.home().equals(eyewall) ? version : side.home().version());
        }
        List<String> labels = sides.stream().map(ElasticSide::label).toList();
        ElasticResults results = new ElasticResults(scenario, circumstances, labels, versions, runs);
        results.write(out.resolve(scenario.name()), List.of(notes(seconds)));
        return results.measurements();
    }

    /** The text above the table, which says what is compared. */
    public static String notes(int seconds) {
        return "The " + BEFORE_SECONDS + " s before the change and the " + seconds + " s after it, the sides in turns; latency from due to"
            + " processed.";
    }

    @Override
    public void close() {
        clusters.values().forEach(ProcessCluster::close);
    }

    private static Optional<String> shown(ElasticFigure figure, ElasticRun run) {
        Quantity quantity = figure.quantity();
        return figure.of(run).map(value -> quantity.title(Quantity.Scale.MS) + " " + quantity.show(value, Quantity.Scale.MS));
    }

    private ElasticRun run(ElasticSide side, String topology, int warmUpSeconds, int seconds) throws IOException, InterruptedException {
        ProcessCluster cluster = clusters.computeIfAbsent(side.home(), this::start);
        Path directory = out.resolve("measured").resolve(topology + "-" + clock.epochMs());
        cluster.submit(submission(side, topology, directory));
        MeasureDirectory measured = new MeasureDirectory(directory);
        List<Histogram> intervals = new ArrayList<>();
        cluster.await("a tuple arrives", () -> {
            poll(measured, intervals);
            return intervals.stream().anyMatch(interval -> interval.getTotalCount() > 0);
        });
        cluster.awaitRunning(topology, scenario.workers());
        long beginMs = clock.epochMs();
        double stolenBefore = Machine.stolenSecondsPerCore();
        side.change().prepare(cluster, topology);
        clock.sleep(Math.max(0, beginMs + (warmUpSeconds + BEFORE_SECONDS) * 1000L - clock.epochMs()));
        Set<Long> before = pids(cluster, topology);
        long changeMs = clock.epochMs();
        side.change().apply(cluster, topology);
        double leftAfterSeconds = awaitEnd(cluster, topology, changeMs, seconds);
        double stolen = (Machine.stolenSecondsPerCore() - stolenBefore) / ((clock.epochMs() - beginMs) / 1000.0);
        cluster.await("the counts are written", () -> {
            poll(measured, intervals);
            return measured.reportedUntilMs() >= changeMs + seconds * 1000L;
        });
        Set<Long> others = pids(cluster, topology);
        others.removeAll(before);
        cluster.topologies().kill(topology, 0);
        cluster.awaitGone(topology);
        return ElasticRun.of(measured::countsAt, intervals, changeMs, BEFORE_SECONDS, seconds,
            others.size() - Math.max(0, scenario.workersAfter() - scenario.workers()),
            new ElasticRun.Leaving(leftAfterSeconds, DepartureLogs.mostHeldTuples(cluster.logs(), topology)), stolen);
    }

    /** Sleeps until the last second; returns after how many seconds only the workers ran that are to remain. */
    private double awaitEnd(ProcessCluster cluster, String topology, long changeMs, int seconds) throws InterruptedException {
        long endMs = changeMs + seconds * 1000L;
        while (clock.epochMs() < endMs && cluster.workers(topology).size() > scenario.workersAfter()) {
            clock.sleep(LOOK_MS);
        }
        long leftMs = Math.min(clock.epochMs(), endMs);
        clock.sleep(endMs - leftMs);
        return (leftMs - changeMs) / 1000.0;
    }

    private ProcessCluster start(StormHome home) {
        ClusterSpecification specification = ClusterSpecification.of(home, out.resolve("clusters").resolve("elastic-" + clusters.size()))
            .withSupervisors(scenario.supervisors(), 2).withSettings(CLUSTER_SETTINGS);
        specification = scenario.hosts().map(specification::withSeparateHosts).orElse(specification);
        return ProcessCluster.startAnew(home.equals(eyewall) ? specification.withSettings(scenario.clusterSettings()) : specification);
    }

    private Submission submission(ElasticSide side, String topology, Path directory) {
        Map<String, Object> configuration = new HashMap<>(scenario.settings());
        configuration.putAll(side.settings());
        configuration.put("topology.workers", scenario.workers());
        configuration.put("eyewall.measure.dir", directory);
        Submission submission = Submission.of(jar, ExamplesJar.MAIN_CLASS, scenario.topology(), topology);
        for (Map.Entry<String, Object> setting : configuration.entrySet()) {
            submission = submission.with(setting.getKey(), setting.getValue());
        }
        return submission;
    }

    private static Set<Long> pids(ProcessCluster cluster, String topology) {
        return cluster.workers(topology).stream().map(WorkerProcess::pid).collect(Collectors.toSet());
    }

    private static void poll(MeasureDirectory measured, List<Histogram> intervals) {
        try {
            measured.poll(intervals::add);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
