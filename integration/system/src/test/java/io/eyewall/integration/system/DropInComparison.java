package io.eyewall.integration.system;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.google.common.hash.Hashing;
import io.eyewall.integration.cluster.ClusterSpecification;
import io.eyewall.integration.cluster.ProcessCluster;
import io.eyewall.integration.cluster.RedisServer;
import io.eyewall.integration.cluster.RunningCluster;
import io.eyewall.integration.cluster.StormHome;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The behaviours on several installations or with several configurations: the same comes out of all, and what came out of upstream's
 * installation when it was recorded. {@link DropInOtherValuesSystemTest} runs upstream's and so holds the record to it.
 */
abstract class DropInComparison extends DropInContract {

    /** Topologies that have two workers anyway, sooner or later. */
    static final Set<String> OF_TWO_WORKERS = Set.of("groupings", "lifecycle", "local", "replay", "sizes");
    /**
     * Those that get two where the way between workers is compared, which must carry their answers, batches, watermarks, and what a program
     * in Python emits. The rest counts on one worker, or on tasks that start at the same time, or is about something that is not sent.
     */
    static final Set<String> SPREAD = Set.of("drpc", "python", "trident", "windows");

    private static final String RECORD = "/outcomes-on-upstream.txt";

    private final Map<String, DropInRun> runs = new LinkedHashMap<>();

    /** Remembers a run under its name. */
    final void add(String name, DropInRun run) {
        runs.put(name, run);
    }

    /** Runs the behaviours on upstream's installation, in a directory of that name. */
    final void addUpstream(String name) {
        add("upstream", run(name, Installations.upstream(), Map.of(), Set.of()));
    }

    final List<String> workerLogs(String name) {
        return runs.get(name).workerLogs("");
    }

    /** The texts of the logs of the workers of one topology in the run of that name. */
    final List<String> workerLogs(String name, String topology) {
        return runs.get(name).workerLogs(topology + "-");
    }

    /** The parts of outcomes that cannot be those of upstream's installation. None, unless a test says otherwise. */
    List<Deviation> deviations() {
        return List.of();
    }

    /** Whether that part came out as on upstream's installation nevertheless. */
    final boolean isAsRecorded(Deviation deviation) {
        String behaviour = deviation.behaviour();
        Map<String, List<String>> outcome = runs.values().iterator().next().outcome(behaviour);
        return recorded(behaviour).stream().filter(deviation::isOf).toList()
            .equals(digest(behaviour, outcome).stream().filter(deviation::isOf).toList());
    }

    @Override
    final Map<String, List<String>> outcome(String behaviour) {
        Map<String, List<String>> outcome = runs.values().iterator().next().outcome(behaviour);
        runs.forEach((name, run) -> assertEquals(outcome, withoutPoolGauges(run.outcome(behaviour)), name));
        assertEquals(withoutDeviations(recorded(behaviour)), withoutDeviations(digest(behaviour, outcome)), () ->
            "The outcome is not the one of upstream's installation that " + RECORD + " holds. Compare them: bin/test --long -Dit.test="
                + DropInOtherValuesSystemTest.class.getSimpleName());
        return outcome;
    }

    private List<String> withoutDeviations(List<String> lines) {
        return lines.stream().filter(line -> deviations().stream().noneMatch(deviation -> deviation.isOf(line))).toList();
    }

    /** One line for each part of an outcome: the behaviour, the part, the number of its lines and a checksum of them. */
    private static List<String> digest(String behaviour, Map<String, List<String>> outcome) {
        return outcome.entrySet().stream().map(part -> String.join("\t", behaviour, part.getKey(), String.valueOf(part.getValue().size()),
            Hashing.sha256().hashString(String.join("\n", part.getValue()), StandardCharsets.UTF_8).toString())).sorted().toList();
    }

    private static List<String> recorded(String behaviour) {
        try (InputStream record = DropInComparison.class.getResourceAsStream(RECORD)) {
            String text = new String(record.readAllBytes(), StandardCharsets.UTF_8);
            return text.lines().filter(line -> line.startsWith(behaviour + "\t")).toList();
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot read " + RECORD, e);
        }
    }

    /** Executors that share threads have two gauges more, whose names are those of files that a reporter of metrics writes. */
    private static Map<String, List<String>> withoutPoolGauges(Map<String, List<String>> outcome) {
        Map<String, List<String>> without = new HashMap<>(outcome);
        without.replaceAll((file, lines) -> lines.stream()
            .filter(line -> !line.endsWith("-executor-cpu-ms.csv") && !line.endsWith("-executor-own-thread.csv")).toList());
        return without;
    }

    static ClusterSpecification specification(String name, StormHome home) {
        return ClusterSpecification.of(home, Installations.workDirectory(name)).withSupervisors(2, 6).withSettings(QuickSettings.all());
    }

    static DropInRun run(String name, StormHome home, Map<String, String> options, Set<String> spread) {
        ClusterSpecification specification = specification(name, home);
        try (RedisServer redis = RedisServer.start(specification.directory())) {
            return run(specification, "localhost:" + redis.port(), options, spread);
        }
    }

    static DropInRun run(ClusterSpecification specification, String redis, Map<String, String> options, Set<String> spread) {
        try (ProcessCluster processes = ProcessCluster.start(specification)) {
            startDrpc(processes, specification.home());
            return run(processes, specification.directory(), redis, options, spread);
        }
    }

    /** Starts a DRPC server of that installation; upstream's has the parts of one, but no daemon. */
    static void startDrpc(ProcessCluster processes, StormHome home) {
        Path[] more = home.equals(Installations.upstream()) ? new Path[] {Installations.coreJar()} : new Path[0];
        processes.startDaemon("drpc", "io.eyewall.core.drpc.DrpcDaemon", more);
    }

    /** The same on a cluster that has a DRPC server; topologies write below {@code directory}. */
    static DropInRun run(RunningCluster running, Path directory, String redis, Map<String, String> options, Set<String> spread) {
        Map<String, String> all = new HashMap<>(options);
        all.put("dropin.redis", redis);
        Map<String, String> ofSpread = new HashMap<>(all);
        ofSpread.put("topology.workers", "2");
        // As with one worker, so that tasks have the same numbers.
        ofSpread.put("topology.acker.executors", "1");
        return DropInRun.of(BEHAVIOURS, running, directory, behaviour -> spread.contains(behaviour) ? ofSpread : all);
    }

    /**
     * A part of an outcome that cannot be the one of upstream's installation.
     *
     * @param behaviour the name of the behaviour
     * @param part the name of the part
     * @param what the difference that users see, as the handbook has it
     * @param why the reason, as the handbook has it
     */
    record Deviation(String behaviour, String part, String what, String why) {

        /** Whether a line of the record is about that part. */
        boolean isOf(String line) {
            return line.startsWith(behaviour + "\t" + part + "\t");
        }
    }
}
