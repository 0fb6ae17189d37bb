package io.eyewall.integration.system;

import io.eyewall.integration.cluster.ProcessCluster;
import io.eyewall.integration.cluster.RunningCluster;
import io.eyewall.integration.cluster.Submission;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.apache.storm.thrift.TException;
import org.apache.storm.utils.DRPCClient;
import org.apache.storm.utils.Utils;

/** A cluster that runs the topologies of the drop-in jar, each under its own name, and what they write. Thread safe. */
final class DropInCluster {

    private static final String SUBMIT = "io.eyewall.integration.dropin.Submit";

    private final RunningCluster cluster;
    private final Path directory;
    private final Map<String, String> options;
    private final Consumer<Submission> submit;
    /** What each topology has written. */
    private final Map<String, GrowingLines> lines = new ConcurrentHashMap<>();
    /** By topology, and the starts of files and lines. */
    private final Map<List<String>, LineCount> counts = new ConcurrentHashMap<>();

    /** {@code options} are configuration for all topologies, beside the directories for their output. */
    DropInCluster(RunningCluster cluster, Path directory, Map<String, String> options) {
        this(cluster, directory, options, cluster::submit);
    }

    /** The same for a client that has settings of its own, and submits as another user. */
    DropInCluster(ProcessCluster cluster, Path directory, Map<String, String> options, Map<String, Object> client) {
        this(cluster, directory, options, submission -> cluster.submitWith(client, submission));
    }

    private DropInCluster(RunningCluster cluster, Path directory, Map<String, String> options, Consumer<Submission> submit) {
        this.cluster = cluster;
        this.submit = submit;
        this.directory = directory;
        this.options = new HashMap<>(options);
        this.options.put("dropin.output", directory.resolve("output").toString());
        this.options.put("dropin.metrics", metrics().toString());
    }

    RunningCluster running() {
        return cluster;
    }

    /** Where the topology writes. */
    Path output(String topology) {
        return directory.resolve("output").resolve(topology);
    }

    /** Where metrics reporters write. */
    Path metrics() {
        return directory.resolve("metrics");
    }

    void submit(String topology) {
        submit.accept(submission(topology));
    }

    /** What submits the topology. */
    Submission submission(String topology) {
        return submission(SUBMIT, topology);
    }

    /** Submits by any main class of the jar. */
    void submit(String mainClass, String... arguments) {
        submit.accept(submission(mainClass, arguments));
    }

    /** All complete lines that the topology has written to files whose names start with {@code prefix}. */
    List<String> lines(String topology, String prefix) {
        return byFile(topology, prefix).values().stream().flatMap(List::stream).toList();
    }

    /** The same lines, by the name of the file without its suffix. */
    Map<String, List<String>> byFile(String topology, String prefix) {
        return lines.computeIfAbsent(topology, added -> new GrowingLines(output(topology))).byFile(prefix);
    }

    /** How many different lines that start with {@code start} the topology has written to files whose names start with {@code prefix}. */
    long count(String topology, String prefix, String start) {
        return counts.computeIfAbsent(List.of(topology, prefix, start), added -> new LineCount(start))
            .count(() -> byFile(topology, prefix));
    }

    void awaitLines(String topology, String prefix, int number) {
        cluster.await(topology + " has written " + number + " lines to " + prefix, () -> lines(topology, prefix).size() >= number);
    }

    /** Waits until that many different messages of each of the topology's spout tasks are acked, which write files {@code numbers*}. */
    void awaitAcks(String topology, int number) {
        cluster.await(number + " messages of " + topology + " are acked", () -> {
            Map<String, List<String>> spouts = byFile(topology, "numbers");
            return !spouts.isEmpty() && spouts.values().stream()
                .allMatch(lines -> lines.stream().filter(line -> line.startsWith("ack ")).distinct().count() >= number);
        });
    }

    /** Lets a topology go on that waits for its file {@code go}. */
    void release(String topology) {
        create(topology, "go");
    }

    /** Has a topology emit no new messages that looks for its file {@code stop}. */
    void stopSpouts(String topology) {
        create(topology, "stop");
    }

    /** Kills the topology and waits until it is gone. */
    void end(String topology) {
        cluster.topologies().kill(topology, 0);
        cluster.awaitGone(topology);
    }

    /** Calls a DRPC function. */
    String call(String function, String argument) {
        Map<String, Object> settings = Utils.readDefaultConfig();
        settings.putAll(cluster.settings());
        try (DRPCClient client = DRPCClient.getConfiguredClient(settings)) {
            return client.execute(function, argument);
        } catch (TException e) {
            throw new IllegalStateException("The DRPC call " + function + " failed. Logs are in " + cluster.logs() + ".", e);
        }
    }

    private Submission submission(String mainClass, String... arguments) {
        return new Submission(Installations.dropInJar(), mainClass, List.of(arguments), options);
    }

    private void create(String topology, String file) {
        try {
            Files.createFile(output(topology).resolve(file));
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot make the file " + file + " for " + topology, e);
        }
    }
}
