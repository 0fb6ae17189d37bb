package io.eyewall.integration.system;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.eyewall.core.report.Counts;
import io.eyewall.core.report.MeasureDirectory;
import io.eyewall.integration.cluster.ProcessCluster;
import io.eyewall.integration.cluster.Submission;
import io.eyewall.integration.cluster.WorkerProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/** A topology of the examples that runs for long in two workers, with its own counts of messages. */
final class SoakedTopology {

    private static final Duration DRAINED_WITHIN = Duration.ofMinutes(10);

    private final ProcessCluster cluster;
    private final String name;
    private final MeasureDirectory measured;
    private final List<WorkerProcess> workers;

    private SoakedTopology(ProcessCluster cluster, String name, Path measured) {
        this.cluster = cluster;
        this.name = name;
        this.measured = new MeasureDirectory(measured);
        this.workers = cluster.workers(name);
    }

    /** Submits the example under that name, with all the options, and waits until it runs. Counts are kept below the directory. */
    @SafeVarargs
    static SoakedTopology start(ProcessCluster cluster, Path directory, String example, String name, Map<String, ?>... options)
        throws IOException {
        Path measured = directory.resolve("measured").resolve(name);
        Submission submission = Submission.of(Installations.examplesJar(), "io.eyewall.examples.Main", example, name)
            .with("topology.workers", 2).with("eyewall.measure.dir", measured);
        for (Map<String, ?> some : options) {
            for (Map.Entry<String, ?> option : some.entrySet()) {
                submission = submission.with(option.getKey(), option.getValue());
            }
        }
        cluster.submit(submission);
        cluster.awaitRunning(name, 2);
        return new SoakedTopology(cluster, name, measured);
    }

    /** Those that it has been started with. */
    List<WorkerProcess> workers() {
        return workers;
    }

    /** No worker has ended since. */
    void assertSameWorkers() {
        assertEquals(workers, cluster.workers(name));
    }

    /** Waits until more messages have arrived. */
    void awaitMore() {
        double before = counts().received();
        cluster.await(name + ": more messages arrive", DRAINED_WITHIN, () -> counts().received() > before);
    }

    /** Lets spouts rest, waits until the counts meet the condition, prints and returns them. */
    Counts drain(String what, Predicate<Counts> drained) {
        cluster.topologies().deactivate(name);
        try {
            cluster.await(name + ": " + what, DRAINED_WITHIN, () -> {
                Counts counts = counts();
                return counts.emitted() > 0 && drained.test(counts);
            });
            return counts();
        } finally {
            System.out.println(name + ": " + counts());
        }
    }

    /** Whether every message has come back to its spout. */
    static boolean isSettled(Counts counts) {
        return counts.acked() + counts.failed() == counts.emitted();
    }

    private Counts counts() {
        try {
            measured.poll(interval -> { });
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return measured.countsAt(System.currentTimeMillis());
    }
}
