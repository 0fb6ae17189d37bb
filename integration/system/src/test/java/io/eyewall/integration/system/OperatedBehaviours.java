package io.eyewall.integration.system;

import io.eyewall.integration.cluster.RunningCluster;
import io.eyewall.integration.cluster.WorkerProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.storm.generated.RebalanceOptions;
import org.awaitility.Awaitility;

/** Topologies to which something is done while they run. */
final class OperatedBehaviours {

    /** In the names of Eyewall's gauges, as {@link #metricName} has them. */
    private static final String LATENCY_GAUGE = ".PORT-latency-";
    /** In the names of gauges of a worker's cgroup, which it does not see on every machine. */
    private static final String CGROUP_GAUGE = ".PORT-CGroup";
    private static final Duration QUIET = Duration.ofSeconds(2);
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private OperatedBehaviours() {
    }

    /** Switches events of the spout on, and returns the components whose events came. */
    static Map<String, List<String>> events(DropInCluster cluster) {
        RunningCluster running = cluster.running();
        cluster.submit("events");
        cluster.awaitAcks("events", 1);
        running.topologies().ask("log events of the spout", nimbus -> {
            nimbus.debug("events", "numbers", true, 100);
            return null;
        });
        cluster.awaitLines("events", "__eventlogger", 5);
        cluster.end("events");
        return Map.of("sources", cluster.lines("events", "__eventlogger").stream()
            .map(event -> event.replaceAll("\\[\\d+]", "[number]")).distinct().sorted().toList());
    }

    /**
     * Returns the last report of the bolt's own metrics, and the names of all metrics except those that only Eyewall or only some machines
     * have, and except those of ackers and of messages to and from them, which ledgers do not have. Each process has names of its own.
     */
    static Map<String, List<String>> metrics(DropInCluster cluster) {
        cluster.submit("metrics");
        cluster.awaitAcks("metrics", 200);
        // One report may have some of the bolt's metrics from before the last tuple, and others from after it.
        cluster.running().await("the reporter has counted 200 tuples twice",
            () -> reportLines(cluster, "-received").stream().filter(line -> line.endsWith(",200")).count() >= 2);
        Map<String, List<String>> outcome = new TreeMap<>();
        outcome.put("received", lastReport(cluster, "-received", 1));
        outcome.put("last", lastReport(cluster, "-last", 1));
        outcome.put("sizes: count, max", lastReport(cluster, "-sizes", 2));
        cluster.end("metrics");
        outcome.put("names", reports(cluster, "").stream().map(OperatedBehaviours::metricName).distinct().sorted()
            .filter(name -> Stream.of(LATENCY_GAUGE, CGROUP_GAUGE, ".__acker.", "__ack_").noneMatch(name::contains)).toList());
        return outcome;
    }

    /** Deactivates, activates, pushes credentials and rebalances. */
    static Map<String, List<String>> lifecycle(DropInCluster cluster) {
        RunningCluster running = cluster.running();
        cluster.submit("lifecycle");
        running.awaitRunning("lifecycle", 1);
        cluster.awaitAcks("lifecycle", 20);
        running.topologies().deactivate("lifecycle");
        awaitCall(cluster, "deactivate", 1);
        Awaitility.await("nothing is emitted while the topology is not active").atMost(PATIENCE)
            .during(QUIET).until(() -> cluster.lines("lifecycle", "record").size(), new Unchanged());
        running.topologies().activate("lifecycle");
        awaitCall(cluster, "activate", 2);
        awaitProgress(cluster, 20);
        running.topologies().pushCredentials("lifecycle", Map.of("colour", "blue"));
        running.await("all tasks have the credentials",
            () -> cluster.lines("lifecycle", "calls-record").stream().filter(line -> line.contains("blue")).count() == 4);
        Map<String, List<String>> outcome = Lines.byFile(cluster.output("lifecycle"), "calls-");
        int before = cluster.lines("lifecycle", "record").stream().mapToInt(Integer::parseInt).max().orElseThrow();
        rebalance(cluster);
        awaitProgress(cluster, 20);
        running.await("what came before the rebalance is acked", () -> Set.copyOf(cluster.lines("lifecycle", "numbers"))
            .containsAll(IntStream.rangeClosed(0, before).mapToObj(number -> "ack " + number).toList()));
        outcome.put("executors", List.of(Integer.toString(running.topologies().executors("lifecycle", "record").size())));
        outcome.put("credentials afterwards",
            cluster.lines("lifecycle", "calls-record").stream().distinct().toList());
        cluster.end("lifecycle");
        return outcome;
    }

    /** Kills each of the two workers while messages flow; returns the different messages that every component has received. */
    static Map<String, List<String>> replay(DropInCluster cluster) {
        cluster.submit("replay");
        cluster.running().awaitRunning("replay", 2);
        List<WorkerProcess> workers = cluster.running().workers("replay");
        cluster.awaitAcks("replay", 200);
        workers.get(0).kill();
        cluster.awaitAcks("replay", 600);
        workers.get(1).kill();
        cluster.awaitAcks("replay", 3000);
        Map<String, List<String>> outcome = new TreeMap<>();
        outcome.put("workers that were there before",
            cluster.running().workers("replay").stream().filter(workers::contains).map(WorkerProcess::workerId).toList());
        cluster.end("replay");
        for (String component : List.of("first", "second", "numbers")) {
            outcome.put(component, List.copyOf(new TreeSet<>(cluster.lines("replay", component).stream()
                .filter(line -> !line.startsWith("fail ")).toList())));
        }
        return outcome;
    }

    /** Kills the worker of a bolt with state when half of its input is checkpointed, and then lets the other half come. */
    static Map<String, List<String>> state(DropInCluster cluster) {
        cluster.submit("state");
        cluster.awaitAcks("state", 50);
        cluster.running().workers("state").forEach(WorkerProcess::kill);
        cluster.awaitLines("state", "sums", 2);
        cluster.release("state");
        cluster.awaitAcks("state", 100);
        cluster.end("state");
        return Map.of("sums", cluster.lines("state", "sums"));
    }

    /**
     * Does not ask for the topology's executors before Nimbus has given them out anew: asked just while it rebalances, upstream's Nimbus
     * remembers the old ones.
     */
    private static void rebalance(DropInCluster cluster) {
        RebalanceOptions options = new RebalanceOptions();
        options.set_wait_secs(0);
        options.set_num_workers(2);
        options.set_num_executors(Map.of("record", 3));
        RunningCluster running = cluster.running();
        running.topologies().rebalance("lifecycle", options);
        running.await("three executors of record, one of numbers and one or two of the acker are given out",
            () -> running.topologies().find("lifecycle").orElseThrow().get_num_executors() >= 5);
        running.awaitRunning("lifecycle", 2);
    }

    private static void awaitCall(DropInCluster cluster, String call, int times) {
        cluster.running().await(call + " was called " + times + " times",
            () -> cluster.lines("lifecycle", "calls-numbers").stream().filter(call::equals).count() >= times);
    }

    private static void awaitProgress(DropInCluster cluster, int lines) {
        cluster.awaitLines("lifecycle", "record", cluster.lines("lifecycle", "record").size() + lines);
    }

    /** The first values after the time stamp in the last line of the report whose name ends so. */
    private static List<String> lastReport(DropInCluster cluster, String nameEnd, int values) {
        List<String> lines = reportLines(cluster, nameEnd);
        return List.of(lines.get(lines.size() - 1).split(",", -1)).subList(1, values + 1);
    }

    /** The lines of the report whose name ends so; none if there is no report yet. */
    private static List<String> reportLines(DropInCluster cluster, String nameEnd) {
        return reports(cluster, nameEnd).stream().findFirst().map(file -> {
            try {
                return Files.readAllLines(file);
            } catch (IOException e) {
                throw new UncheckedIOException("Cannot read " + file, e);
            }
        }).orElse(List.of());
    }

    private static List<Path> reports(DropInCluster cluster, String nameEnd) {
        if (Files.notExists(cluster.metrics())) {
            return List.of();
        }
        try (Stream<Path> all = Files.list(cluster.metrics())) {
            return new ArrayList<>(all.filter(file -> file.getFileName().toString().endsWith(nameEnd + ".csv")).toList());
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot list " + cluster.metrics(), e);
        }
    }

    /** Without the topology's id, the worker's host and its port. */
    private static String metricName(Path report) {
        return report.getFileName().toString().replaceAll("metrics-\\d+-\\d+\\.[^.]+", "ID.HOST").replaceAll("\\.\\d{5}-", ".PORT-");
    }
}
