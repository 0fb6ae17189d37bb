package io.eyewall.integration.bench.henge;

import io.eyewall.core.report.MeasureDirectory;
import io.eyewall.integration.cluster.BenchClock;
import io.eyewall.integration.cluster.ExamplesJar;
import io.eyewall.integration.cluster.ProcessCluster;
import io.eyewall.integration.cluster.Submission;
import io.eyewall.integration.cluster.WorkerProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/** The topologies of one run, on the cluster of their side. Not thread safe. */
final class UtilityStage {

    private static final long LOOK_MS = 1_000;
    /** A task writes its counts once a second. One that is not back by now has nothing to write. */
    private static final long WRITTEN_AFTER_MS = 10_000;

    private final ProcessCluster cluster;
    private final UtilityScenario.Tenants tenants;
    private final Map<String, Object> settings;
    private final Path jar;
    private final Path out;
    private final String prefix;
    private final BenchClock clock;
    private final List<Running> topologies = new ArrayList<>();

    /** A running topology and what it has measured. */
    private record Running(String name, MeasureDirectory directory, UtilityRun.Measured measured) {

        void poll() {
            try {
                directory.poll(interval -> {
                    if (MeasureDirectory.END_TO_END.equals(interval.getTag()) && interval.getTotalCount() > 0) {
                        measured.latencies().add(UtilityRun.Latencies.of(interval));
                    }
                });
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    /**
     * Submits nothing yet.
     *
     * @param settings the configuration of all topologies
     * @param jar that of the examples
     * @param out what the topologies measure, and their rates, are below it
     * @param prefix what the topologies' names begin with
     */
    UtilityStage(ProcessCluster cluster, UtilityScenario.Tenants tenants, Map<String, Object> settings, Path jar, Path out, String prefix,
            BenchClock clock) {
        this.cluster = cluster;
        this.tenants = tenants;
        this.settings = settings;
        this.jar = jar;
        this.out = out;
        this.prefix = prefix;
        this.clock = clock;
    }

    /** Submits the topologies that are there from the start, and waits until they all process messages; a run takes {@code seconds}. */
    void begin(int seconds) {
        for (int topology = 0; topology < tenants.number(); topology++) {
            write(topology, tenants.rates(topology, seconds));
        }
        IntStream.range(0, tenants.atStart()).forEach(this::submit);
        for (Running topology : topologies) {
            cluster.await("a tuple of " + topology.name + " arrives", () -> {
                topology.poll();
                return !topology.measured.latencies().isEmpty();
            });
        }
    }

    /** Submits a topology, counted from 0. */
    void submit(int topology) {
        long nowMs = clock.epochMs();
        String name = prefix + topology;
        Path measured = out.resolve("measured").resolve(name + "-" + nowMs);
        Map<String, Object> configuration = new HashMap<>(settings);
        configuration.put("eyewall.measure.dir", measured);
        configuration.put("eyewall.rate.file", rates(topology));
        configuration.put("eyewall.rate.step.sec", tenants.stepSeconds());
        Submission submission = Submission.of(jar, ExamplesJar.MAIN_CLASS, "page-load", name);
        for (Map.Entry<String, Object> setting : configuration.entrySet()) {
            submission = submission.with(setting.getKey(), setting.getValue());
        }
        topologies.add(new Running(name, new MeasureDirectory(measured), new UtilityRun.Measured(nowMs, new ArrayList<>())));
        cluster.submit(submission);
    }

    /** Changes the rate of a topology, counted from 0, to so many times the rate of all: its spout reads the file again. */
    void changeRate(int topology, double factor) {
        write(topology, tenants.lines(factor));
    }

    /** Kills the Supervisor with the most workers, and its workers, as if their machine had failed. */
    void killMachine() {
        int supervisor = IntStream.rangeClosed(1, cluster.supervisors().size()).boxed()
            .max(Comparator.comparingInt(number -> cluster.workersOf(number).size())).orElseThrow();
        cluster.supervisors().get(supervisor - 1).kill();
        cluster.workersOf(supervisor).forEach(WorkerProcess::kill);
    }

    /** Reads what the topologies have measured, again and again until that time, in ms since 1970. */
    void pollUntil(long timeMs) throws InterruptedException {
        while (clock.epochMs() < timeMs) {
            clock.sleep(Math.min(LOOK_MS, timeMs - clock.epochMs()));
            topologies.forEach(Running::poll);
        }
    }

    /** What the topologies have measured until that time, which is over, in ms since 1970. */
    List<UtilityRun.Measured> measured(long untilMs) throws InterruptedException {
        while (clock.epochMs() < untilMs + WRITTEN_AFTER_MS
                && topologies.stream().anyMatch(topology -> topology.directory.reportedUntilMs() < untilMs)) {
            pollUntil(clock.epochMs() + LOOK_MS);
        }
        return topologies.stream().map(Running::measured).toList();
    }

    /** Kills the topologies, and waits until they are gone. */
    void end() {
        topologies.forEach(topology -> cluster.topologies().kill(topology.name, 0));
        topologies.forEach(topology -> cluster.awaitGone(topology.name));
    }

    private Path rates(int topology) {
        return out.resolve("rates").resolve("topology-" + topology + ".txt").toAbsolutePath();
    }

    /** Writes a file of rates at once, since a spout may be reading it. */
    private void write(int topology, List<String> lines) {
        Path file = rates(topology);
        try {
            Files.createDirectories(file.getParent());
            Path complete = Files.write(file.resolveSibling(file.getFileName() + ".new"), lines);
            Files.move(complete, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
