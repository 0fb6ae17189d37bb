package io.eyewall.integration.system;

import io.eyewall.integration.cluster.RunningCluster;
import io.eyewall.integration.cluster.WorkerFiles;
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
     * Runs them all on a cluster that has a DRPC server. What fails, fails when its outcome is asked for.
     *
     * @param directory which topologies write below
     * @param options configuration of each behaviour's topology, by its name
     */
    static DropInRun of(Map<String, Behaviour> behaviours, RunningCluster running, Path directory,
        Function<String, Map<String, String>> options) {
        ExecutorService threads = Executors.newFixedThreadPool(AT_ONCE);
        try {
            DropInRun run = new DropInRun(running.logs());
            behaviours.forEach((name, behaviour) -> {
                DropInCluster cluster = new DropInCluster(running, directory, options.apply(name));
                run.outcomes.put(name, CompletableFuture.supplyAsync(() -> behaviour.on(cluster), threads));
            });
            List<CompletableFuture<?>> all = new ArrayList<>(run.outcomes.values());
            CompletableFuture.allOf(all.toArray(new CompletableFuture<?>[0])).handle((nothing, failure) -> failure).join();
            run.tellOfProblems(running);
            return run;
        } finally {
            threads.shutdownNow();
        }
    }

    /** The texts of the logs of all workers of topologies whose ids begin with {@code topology}. */
    List<String> workerLogs(String topology) {
        return WorkerFiles.logs(logs, topology);
    }

    /** What came out; throws what went wrong. */
    Map<String, List<String>> outcome(String behaviour) {
        try {
            return outcomes.get(behaviour).join();
        } catch (CompletionException e) {
            throw new AssertionError(behaviour + ": " + e.getCause().getMessage(), e.getCause());
        }
    }

    private void tellOfProblems(RunningCluster running) {
        outcomes.forEach((name, outcome) -> {
            if (outcome.isCompletedExceptionally()) {
                System.err.println(name + " failed. Logs of its cluster are in " + running.logs() + ".");
            }
        });
        if (outcomes.values().stream().anyMatch(CompletableFuture::isCompletedExceptionally)) {
            System.err.println(running.problems());
        }
    }
}
