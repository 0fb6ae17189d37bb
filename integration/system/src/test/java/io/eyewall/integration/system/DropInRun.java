package io.eyewall.integration.system;

import io.eyewall.integration.cluster.ClusterSpecification;
import io.eyewall.integration.cluster.ProcessCluster;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Function;
import java.util.stream.Stream;

/** All behaviours on one cluster, a few at a time, and their outcomes. */
final class DropInRun {

    /** Each is a topology or two of small JVMs: more at once would only make all of them wait. */
    private static final int AT_ONCE = 4;

    private final Map<String, CompletableFuture<Map<String, List<String>>>> outcomes = new LinkedHashMap<>();
    private final Path logs;

    private DropInRun(Path logs) {
        this.logs = logs;
    }

    /**
     * Runs them all, and returns when the cluster has ended. What fails, fails when its outcome is asked for.
     *
     * @param options configuration of each behaviour's topology, by its name
     */
    static DropInRun of(Map<String, Behaviour> behaviours, ClusterSpecification specification,
        Function<String, Map<String, String>> options) {
        ExecutorService threads = Executors.newFixedThreadPool(AT_ONCE);
        try (ProcessCluster processes = ProcessCluster.start(specification)) {
            DropInRun run = new DropInRun(processes.logs());
            startDrpc(processes, specification);
            behaviours.forEach((name, behaviour) -> {
                DropInCluster cluster = new DropInCluster(processes, specification.directory(), options.apply(name));
                run.outcomes.put(name, CompletableFuture.supplyAsync(() -> behaviour.on(cluster), threads));
            });
            List<CompletableFuture<?>> all = new ArrayList<>(run.outcomes.values());
            CompletableFuture.allOf(all.toArray(new CompletableFuture<?>[0])).handle((nothing, failure) -> failure).join();
            run.tellOfProblems(processes);
            return run;
        } finally {
            threads.shutdownNow();
        }
    }

    /** The texts of the logs of all workers. */
    List<String> workerLogs() {
        try (Stream<Path> files = Files.walk(logs)) {
            List<String> texts = new ArrayList<>();
            for (Path log : files.filter(file -> file.endsWith("worker.log")).toList()) {
                texts.add(Files.readString(log));
            }
            return texts;
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot read the logs in " + logs, e);
        }
    }

    /** What came out; throws what went wrong. */
    Map<String, List<String>> outcome(String behaviour) {
        try {
            return outcomes.get(behaviour).join();
        } catch (CompletionException e) {
            throw new AssertionError(behaviour + ": " + e.getCause().getMessage(), e.getCause());
        }
    }

    /** Upstream's installation has the parts of a DRPC server, but no daemon. */
    private static void startDrpc(ProcessCluster processes, ClusterSpecification specification) {
        boolean upstream = specification.home().equals(Installations.upstream());
        processes.startDaemon("drpc", "io.eyewall.core.drpc.DrpcDaemon", upstream ? new Path[] {Installations.coreJar()} : new Path[0]);
    }

    private void tellOfProblems(ProcessCluster processes) {
        outcomes.forEach((name, outcome) -> {
            if (outcome.isCompletedExceptionally()) {
                System.err.println(name + " failed. Logs of its cluster are in " + processes.logs() + ".");
            }
        });
        if (outcomes.values().stream().anyMatch(CompletableFuture::isCompletedExceptionally)) {
            System.err.println(processes.problems());
        }
    }
}
