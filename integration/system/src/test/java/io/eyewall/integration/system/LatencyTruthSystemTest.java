package io.eyewall.integration.system;

import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.eyewall.integration.cluster.ClusterExtension;
import io.eyewall.integration.cluster.ClusterNetwork;
import io.eyewall.integration.cluster.ClusterSpecification;
import io.eyewall.integration.cluster.DelayingRelay;
import io.eyewall.integration.cluster.Hosts;
import io.eyewall.integration.cluster.ProcessCluster;
import io.eyewall.integration.cluster.WorkerProcess;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Recording finds latencies that are known. {@code bursts} runs on two hosts whose monotonic clocks are a thousand seconds apart, with a
 * relay between them that keeps everything back for 50 ms: in the median a tuple is 50 ms in the network, 50 ms in the queue of a bolt and
 * 10 ms in the bolt.
 *
 * <p>The recorded latencies are compared with how long the relay and the bolt report that they have kept tuples, since on a machine with
 * other work both keep tuples longer than they intend to. The sum of the parts of the way is compared by means over the second half of the
 * tuples: for the first ones some parts are not recorded, since the clocks are not known yet.
 */
@Tag("system")
@Tag("alone")
@Tag("long")
class LatencyTruthSystemTest {

    private static final Path DIRECTORY = Installations.workDirectory("latency-truth");
    private static final Duration DELAY = Duration.ofMillis(50);
    private static final int TUPLES = 2_000;
    /** Recorded figures are right within the larger of these. */
    private static final double RELATIVE_ERROR = 0.05;
    private static final long ERROR_NS = 50_000;

    private static final Pattern TIME = Pattern.compile("(<?)([\\d.]+) (ns|us|ms|s)\\b");

    @RegisterExtension
    static final ClusterExtension CLUSTER = new ClusterExtension(() -> {
        ClusterNetwork.redirectionUnavailabilityCause().ifPresent(Assumptions::abort);
        return ClusterSpecification.of(Installations.eyewall(), DIRECTORY).withSupervisors(2, 1).withSeparateHosts(Hosts.APART)
            .withSettings(QuickSettings.all())
            .withSettings(Map.of("topology.latency.recording", "all", "topology.latency.interval.secs", 1));
    });

    /** What the bolt says: how long tuples were kept from it, and how long it took. */
    private static final Histogram WAITED_NS = new Histogram(3);
    private static final Histogram EXECUTED_NS = new Histogram(3);
    /** What the relay says that tuples pass. */
    private static Histogram keptNs;
    /** What was recorded, by its tag. */
    private static final Map<String, Histogram> RECORDED_NS = new TreeMap<>();
    /** What was recorded of the second half of the tuples. */
    private static final Map<String, Histogram> STEADY_NS = new TreeMap<>();
    private static List<String> table;

    @BeforeAll
    static void run() {
        ProcessCluster processes = CLUSTER.cluster();
        List<DelayingRelay> relays = new ArrayList<>(processes.delay(1, 2, DELAY));
        relays.addAll(processes.delay(2, 1, DELAY));
        DropInCluster cluster = new DropInCluster(processes, DIRECTORY, Map.of());
        cluster.submit("bursts");
        processes.awaitRunning("bursts", 2);
        cluster.awaitLines("bursts", "slow", TUPLES / 2);
        long steadyMs = System.currentTimeMillis();
        cluster.awaitLines("bursts", "slow", TUPLES);
        table = new StormCommand(Installations.eyewall(), DIRECTORY.resolve("client.yaml")).run("latency", "bursts").output();
        keptNs = relays.stream().map(DelayingRelay::keptNs).max(Comparator.comparing(Histogram::getTotalCount)).orElseThrow();
        List<WorkerProcess> workers = processes.workers("bursts");
        cluster.end("bursts");
        for (String line : cluster.lines("bursts", "slow")) {
            String[] figures = line.split(" ", 2);
            WAITED_NS.recordValue(Math.max(0, Long.parseLong(figures[0])));
            EXECUTED_NS.recordValue(Long.parseLong(figures[1]));
        }
        workers.stream().map(worker -> WorkerLatencies.of(processes, worker).current()).forEach(log -> {
            RECORDED_NS.putAll(WorkerLatencies.byTag(log));
            STEADY_NS.putAll(WorkerLatencies.byTag(log, steadyMs));
        });
    }

    @Test
    void shouldRecoverWhatTheBoltAndItsQueueAndTheNetworkTake() {
        assertAll(
            () -> assertRecovered(median(EXECUTED_NS), "execute/slow/"),
            () -> assertRecovered(median(WAITED_NS), "receive-queue-wait/slow/"),
            () -> assertRecovered(median(keptNs), "network/"));
    }

    @Test
    void shouldExplainTheWholeWayByItsParts() {
        List<String> parts = List.of("serialize/bursts/", "emit-to-enqueue/__worker/", "transfer-queue-wait/", "network/", "deserialize/",
            "emit-to-enqueue/slow/", "receive-queue-wait/slow/", "execute/slow/");
        double explained = parts.stream().mapToDouble(part -> only(part, STEADY_NS).getMean()).sum()
            / only("end-to-end/slow/", STEADY_NS).getMean();
        assertEquals(1, explained, RELATIVE_ERROR, () -> "of the way is "
            + parts.stream().map(part -> part + ' ' + Math.round(only(part, STEADY_NS).getMean())).toList());
    }

    @Test
    void shouldMarkFiguresThatTheClocksMayHaveMade() {
        List<String> rows = table.stream().filter(row -> row.contains("+-")).toList();
        assertEquals(List.of("network", "emit-to-ack", "end-to-end"), rows.stream().map(row -> row.split(" ", 2)[0]).toList(),
            table::toString);
        for (String row : rows) {
            int clocks = row.indexOf("+-");
            long boundNs = figures(row.substring(clocks)).get(0);
            for (long figureNs : figures(row.substring(0, clocks))) {
                assertTrue(figureNs < 0 ? -figureNs < 2.01 * boundNs : figureNs > 0.99 * boundNs, row);
            }
        }
    }

    private static void assertRecovered(long trueNs, String tag) {
        long recordedNs = median(only(tag, RECORDED_NS));
        long allowedNs = Math.max(ERROR_NS, Math.round(RELATIVE_ERROR * trueNs));
        assertTrue(Math.abs(recordedNs - trueNs) <= allowedNs, () -> tag + ": " + recordedNs + " ns instead of " + trueNs + " ns");
    }

    /** The only hop whose tag starts so. */
    private static Histogram only(String tagStart, Map<String, Histogram> recordedNs) {
        List<String> tags = recordedNs.keySet().stream().filter(tag -> tag.startsWith(tagStart)).toList();
        assertEquals(1, tags.size(), () -> tagStart + " in " + recordedNs.keySet());
        assertTrue(recordedNs.get(tags.get(0)).getTotalCount() >= TUPLES / 4, () -> tagStart + " has too few values");
        return recordedNs.get(tags.get(0));
    }

    private static long median(Histogram histogram) {
        return histogram.getValueAtPercentile(50);
    }

    /** All times in a line, in nanoseconds; negative where they are marked. */
    private static List<Long> figures(String line) {
        List<Long> figures = new ArrayList<>();
        for (Matcher matcher = TIME.matcher(line); matcher.find();) {
            double unitNs = Math.pow(1000, List.of("ns", "us", "ms", "s").indexOf(matcher.group(3)));
            figures.add(Math.round((matcher.group(1).isEmpty() ? 1 : -1) * Double.parseDouble(matcher.group(2)) * unitNs));
        }
        return figures;
    }
}
