package io.eyewall.integration.bench;

import io.eyewall.core.report.Counts;
import io.eyewall.core.report.MeasureDirectory;
import io.eyewall.integration.bench.data.Machine;
import io.eyewall.integration.cluster.BenchClock;
import io.eyewall.integration.cluster.ClusterException;
import io.eyewall.integration.cluster.ClusterSpecification;
import io.eyewall.integration.cluster.ExamplesJar;
import io.eyewall.integration.cluster.FlinkCluster;
import io.eyewall.integration.cluster.FlinkHome;
import io.eyewall.integration.cluster.FlinkJob;
import io.eyewall.integration.cluster.Hosts;
import io.eyewall.integration.cluster.ProcessCluster;
import io.eyewall.integration.cluster.RedisServer;
import io.eyewall.integration.cluster.StormHome;
import io.eyewall.integration.cluster.Submission;
import io.eyewall.integration.cluster.WorkerProcess;
import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.Supplier;
import net.minidev.json.JSONValue;
import org.HdrHistogram.Histogram;

/**
 * Runs topologies on one cluster for each installation. A cluster stays up and idle while the other one is measured. A cluster of Flink's
 * is started for each job and ends with it.
 *
 * <p>The topology of a run may still be ending while that of the next run warms up; it is gone before the next measurement begins.
 */
final class ClusterRuns implements TopologyRuns, AutoCloseable {

    /** Beside the jar of the examples. */
    private static final String TEXT = "data/europarl.txt";
    private static final String READS_USER_ACTIONS = "rtac";
    /** Upstream's defaults, 10 s to schedule a topology and 3 s to kill a worker, would take longer than the measurement. */
    private static final Map<String, Object> CLUSTER_SETTINGS =
        Map.of("nimbus.monitor.freq.secs", 1, "supervisor.worker.shutdown.sleep.secs", 1);

    /** Enough for a worker for each executor, and for a topology that is still ending. */
    private static final int SLOTS = 2 * StreamManagerScenarios.MAX_EXECUTORS;

    private static final long COMPILING_SAMPLE_MS = 1500;
    /** A topology is warm when the compilers of its workers take less than this many cores together. */
    private static final double QUIET_COMPILER_CORES = 0.1;
    /**
     * Some methods are compiled late or again, which takes long beside two workers at full speed. After this time, in milliseconds, the
     * measurement begins even if the compilers are not quiet.
     */
    private static final long MAX_COMPILING_MS = 60_000;
    /** After this many times the time of the measurement it begins, too: one of a second only shows that the benchmark runs. */
    private static final long MAX_COMPILING_TIMES = 12;

    private final BenchOptions options;
    private final BenchClock clock;
    private final Map<Side.Installation, StormHome> homes = new EnumMap<>(Side.Installation.class);
    private final Map<Side.Installation, ProcessCluster> clusters = new EnumMap<>(Side.Installation.class);
    private final Optional<FlinkHome> flinkHome;
    private final Path jar;
    /** Null until a topology needs it. */
    private RedisServer redis;
    private Runnable awaitEndOfPreviousRun = () -> { };

    /**
     * Finds the installations and the topologies' jar; starts nothing yet.
     *
     * @throws BenchException if one is missing
     */
    ClusterRuns(BenchOptions options, BenchClock clock) throws IOException {
        this.options = options;
        this.clock = clock;
        for (Map.Entry<Side.Installation, Path> home : options.homes().entrySet()) {
            if (home.getKey() != Side.Installation.FLINK) {
                homes.put(home.getKey(), named(home.getKey(), () -> new StormHome(home.getValue())));
            }
        }
        this.flinkHome = Optional.ofNullable(options.homes().get(Side.Installation.FLINK))
            .map(home -> named(Side.Installation.FLINK, () -> new FlinkHome(home)));
        this.jar = ExamplesJar.in(options.homes().get(Side.Installation.EYEWALL));
    }

    @Override
    public RunResult run(Scenario scenario, Side side, int round) throws IOException, InterruptedException {
        String topology = ("bench-" + scenario.name() + "-" + side.letter() + round).replace('/', '-');
        Path measureDirectory = directory(side.installation()).resolve("measured").resolve(topology);
        try (RunningTopology running = start(scenario, side, topology, measureDirectory)) {
            return measure(scenario, running, new MeasureDirectory(measureDirectory));
        }
    }

    private RunningTopology start(Scenario scenario, Side side, String topology, Path measureDirectory) throws IOException {
        if (side.installation() == Side.Installation.FLINK) {
            return RunningTopology.onFlink(FlinkCluster.startAnew(flinkHome.orElseThrow(), directory(side.installation()),
                new FlinkJob(scenario.topology(), scenario.workers(), scenario.ratePerSec(), scenario.measuredEvery(), measureDirectory,
                    jar.resolveSibling(TEXT))));
        }
        ProcessCluster cluster = cluster(side.installation());
        cluster.submit(submission(scenario, side, topology, measureDirectory));
        return RunningTopology.onStorm(cluster, topology);
    }

    private RunResult measure(Scenario scenario, RunningTopology running, MeasureDirectory measured)
            throws IOException, InterruptedException {
        List<Histogram> intervals = new ArrayList<>();
        running.await("a tuple of " + scenario.name() + " arrives", () -> {
            poll(measured, intervals);
            return intervals.stream().anyMatch(interval -> interval.getTotalCount() > 0);
        });
        MeasurementWindow window;
        Closeable slowdown = scenario.slowdown().impose(running.workers());
        try {
            warmUp(running, intervals.stream().filter(interval -> interval.getTotalCount() > 0)
                .mapToLong(Histogram::getStartTimeStamp).min().orElseThrow());
            window = MeasurementWindow.leastStolen(() -> window(running));
        } finally {
            slowdown.close();
        }
        running.await("the counts of " + scenario.name() + " are written", () -> {
            poll(measured, intervals);
            return measured.reportedUntilMs() >= window.endMs();
        });
        awaitEndOfPreviousRun = running.end();

        require(window.hasSameProcesses(), scenario.name() + " did not keep the processes of its workers while it was measured: "
            + window.cpuAtStart().keySet() + " at first, " + window.cpuAtEnd().keySet() + " in the end", running);
        Counts counts = measured.countsAt(window.endMs()).minus(measured.countsAt(window.startMs()));
        List<Histogram> measuredIntervals = intervals.stream().filter(window::contains).toList();
        require(counts.received() >= 1 && !measuredIntervals.isEmpty(), scenario.name() + " processed no tuple while it was measured",
            running);
        Predicate<String> isBulk = task -> EngineScenarios.bulkSpouts(scenario).filter(task::startsWith).isPresent();
        Counts bulk = measured.countsAt(window.endMs(), isBulk).minus(measured.countsAt(window.startMs(), isBulk));
        return new RunResult(scenario, window.seconds(), counts, bulk, window.cpuSeconds(), window.stolen(), measuredIntervals);
    }

    @Override
    public void close() {
        clusters.values().forEach(ProcessCluster::close);
        if (redis != null) {
            redis.close();
        }
    }

    /** Waits until the compilers are quiet, within the limits of the options, and until the topology of the previous run is gone. */
    private void warmUp(RunningTopology running, long firstTupleMs) throws IOException, InterruptedException {
        long leastMs = firstTupleMs + options.warmUpSeconds() * 1000L;
        long mostMs = leastMs + Math.min(MAX_COMPILING_MS, MAX_COMPILING_TIMES * options.seconds() * 1000L);
        clock.sleep(Math.max(0, leastMs - COMPILING_SAMPLE_MS - clock.epochMs()));
        awaitEndOfPreviousRun.run();
        List<WorkerProcess> workers = running.workers();
        double compiledBefore;
        double compiled = compilerCpuSeconds(workers);
        do {
            compiledBefore = compiled;
            clock.sleep(COMPILING_SAMPLE_MS);
            compiled = compilerCpuSeconds(workers);
        } while (compiled - compiledBefore > QUIET_COMPILER_CORES * COMPILING_SAMPLE_MS / 1000 && clock.epochMs() < mostMs);
    }

    private static double compilerCpuSeconds(List<WorkerProcess> workers) throws IOException {
        double sum = 0;
        for (WorkerProcess worker : workers) {
            for (long process : worker.processes()) {
                sum += CompilerThreads.cpuSeconds(process);
            }
        }
        return sum;
    }

    private ProcessCluster cluster(Side.Installation installation) throws IOException {
        ProcessCluster running = clusters.get(installation);
        if (running == null) {
            ClusterSpecification specification =
                ClusterSpecification.of(homes.get(installation), directory(installation)).withSettings(CLUSTER_SETTINGS);
            running = ProcessCluster.startAnew(options.hosts() == 0 ? specification.withSupervisors(1, SLOTS)
                : specification.withSupervisors(options.hosts(), SLOTS / options.hosts()).withSeparateHosts(new Hosts(false, 0)));
            clusters.put(installation, running);
        }
        return running;
    }

    private static <T> T named(Side.Installation installation, Supplier<T> home) {
        try {
            return home.get();
        } catch (ClusterException e) {
            throw new BenchException("--" + installation.lowerCaseName() + "-home: " + e.getMessage());
        }
    }

    private Path directory(Side.Installation installation) {
        return options.out().resolve("clusters").resolve(installation.lowerCaseName());
    }

    private Submission submission(Scenario scenario, Side side, String topology, Path measureDirectory) {
        Map<String, Object> configuration = new LinkedHashMap<>(scenario.configuration());
        configuration.putAll(side.settings());
        configuration.put("eyewall.measure.dir", measureDirectory.toString());
        if (scenario.usesRedis()) {
            configuration.put("eyewall.redis.port", redis().port());
        }
        if (scenario.topology().equals(READS_USER_ACTIONS)) {
            configuration.put("eyewall.input", UserActions.write(options.out().resolve("user-actions.tsv")).toString());
        }
        Submission submission = Submission.of(jar, ExamplesJar.MAIN_CLASS, scenario.topology(), topology);
        for (Map.Entry<String, Object> setting : configuration.entrySet()) {
            submission = submission.with(setting.getKey(), JSONValue.toJSONString(setting.getValue()));
        }
        return submission;
    }

    private RedisServer redis() {
        if (redis == null) {
            RedisServer.unavailabilityCause().ifPresent(cause -> {
                throw new BenchException(cause);
            });
            redis = RedisServer.start(options.out());
        }
        return redis;
    }

    private static void poll(MeasureDirectory measured, List<Histogram> intervals) {
        try {
            measured.poll(intervals::add);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private MeasurementWindow window(RunningTopology running) throws IOException, InterruptedException {
        Map<Long, Double> cpuAtStart = cpuSeconds(running);
        double stolenAtStart = Machine.stolenSecondsPerCore();
        long startMs = clock.epochMs();
        clock.sleep(options.seconds() * 1000L);
        double stolenPerCore = Machine.stolenSecondsPerCore() - stolenAtStart;
        Map<Long, Double> cpuAtEnd = cpuSeconds(running);
        return new MeasurementWindow(startMs, clock.epochMs(), cpuAtStart, cpuAtEnd, stolenPerCore);
    }

    private static Map<Long, Double> cpuSeconds(RunningTopology running) {
        Map<Long, Double> cpuSeconds = new HashMap<>();
        running.workers().forEach(worker -> cpuSeconds.putAll(worker.cpuSeconds()));
        return cpuSeconds;
    }

    private static void require(boolean condition, String failure, RunningTopology running) {
        if (!condition) {
            throw new BenchException(failure + ": see the logs in " + running.logs());
        }
    }
}
