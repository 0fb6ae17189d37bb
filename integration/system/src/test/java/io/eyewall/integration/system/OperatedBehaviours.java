package io.eyewall.integration.system;

import io.eyewall.integration.cluster.ProcessCluster;
import io.eyewall.integration.cluster.WorkerProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

/** Topologies to which something is done while they run. */
final class OperatedBehaviours {

    private OperatedBehaviours() {
    }

    /** Switches events of the spout on, and answers with the components whose events came. */
    static Map<String, List<String>> events(DropInCluster cluster) {
        ProcessCluster processes = cluster.processes();
        cluster.submit("events");
        processes.awaitRunning("events", 1);
        processes.topologies().ask("log events of the spout", nimbus -> {
            nimbus.debug("events", "numbers", true, 100);
            return null;
        });
        cluster.awaitLines("events", "__eventlogger", 5);
        cluster.end("events");
        return Map.of("sources", cluster.lines("events", "__eventlogger").stream()
            .map(event -> event.replaceAll("\\[\\d+]", "[number]")).distinct().sorted().toList());
    }

    /** Answers with the last report of the bolt's own metrics, and the names of all metrics. */
    static Map<String, List<String>> metrics(DropInCluster cluster) {
        cluster.submit("metrics");
        cluster.awaitAcks("metrics", 200);
        cluster.processes().await("the reporter has counted 200 tuples", () -> lastReport(cluster, "-received", 1).equals(List.of("200")));
        Map<String, List<String>> outcome = new TreeMap<>();
        outcome.put("received", lastReport(cluster, "-received", 1));
        outcome.put("last", lastReport(cluster, "-last", 1));
        outcome.put("sizes: count, max", lastReport(cluster, "-sizes", 2));
        cluster.end("metrics");
        outcome.put("names", reports(cluster, "").stream().map(OperatedBehaviours::metricName).sorted().toList());
        return outcome;
    }

    /** Kills each of the two workers while messages flow; answers with the different ones that every component has got. */
    static Map<String, List<String>> replay(DropInCluster cluster) {
        cluster.submit("replay");
        cluster.processes().awaitRunning("replay", 2);
        List<WorkerProcess> workers = cluster.processes().workers("replay");
        cluster.awaitAcks("replay", 200);
        workers.get(0).kill();
        cluster.awaitAcks("replay", 600);
        workers.get(1).kill();
        cluster.awaitAcks("replay", 3000);
        cluster.end("replay");
        Map<String, List<String>> outcome = new TreeMap<>();
        for (String component : List.of("first", "second", "numbers")) {
            outcome.put(component, List.copyOf(new TreeSet<>(cluster.lines("replay", component).stream()
                .filter(line -> !line.startsWith("fail ")).toList())));
        }
        return outcome;
    }

    /** Kills the worker of a bolt with state when half of its input is checkpointed, and then lets the other half come. */
    static Map<String, List<String>> state(DropInCluster cluster) {
        cluster.submit("state");
        cluster.processes().awaitRunning("state", 1);
        cluster.awaitAcks("state", 50);
        cluster.processes().workers("state").forEach(WorkerProcess::kill);
        cluster.awaitLines("state", "sums", 2);
        try {
            Files.createFile(cluster.output("state").resolve("go"));
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot tell the topology to go on", e);
        }
        cluster.awaitAcks("state", 100);
        cluster.end("state");
        return Map.of("sums", cluster.lines("state", "sums"));
    }

    /** The first values after the time stamp in the last line of the report whose name ends so, as integers; none if there is none yet. */
    private static List<String> lastReport(DropInCluster cluster, String nameEnd, int values) {
        return reports(cluster, nameEnd + ".csv").stream().findFirst().map(file -> {
            try {
                List<String> lines = Files.readAllLines(file);
                return List.of(lines.get(lines.size() - 1).split(",", -1)).subList(1, values + 1);
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
            return new ArrayList<>(all.filter(file -> file.getFileName().toString().endsWith(nameEnd)).toList());
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot list " + cluster.metrics(), e);
        }
    }

    /** Without the topology's id and the worker's port. */
    private static String metricName(Path report) {
        return report.getFileName().toString().replaceAll("metrics-\\d+-\\d+", "ID").replaceAll("\\.\\d{5}-", ".PORT-");
    }
}
