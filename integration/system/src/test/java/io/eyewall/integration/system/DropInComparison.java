package io.eyewall.integration.system;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.eyewall.integration.cluster.ClusterSpecification;
import io.eyewall.integration.cluster.RedisServer;
import io.eyewall.integration.cluster.StormHome;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The behaviours on several installations or with several configurations, upstream's first: the same comes out of all. */
abstract class DropInComparison extends DropInContract {

    /** Topologies that have two workers anyway, sooner or later. */
    static final Set<String> OF_TWO_WORKERS = Set.of("groupings", "lifecycle", "local", "replay", "sizes");
    /**
     * Those that get two where the way between workers is compared, which must carry their answers, batches, watermarks, and what a program
     * in Python emits. The rest counts on one worker, or on tasks that start at the same time, or is about something that is not sent.
     */
    static final Set<String> SPREAD = Set.of("drpc", "python", "trident", "windows");

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
        return runs.get(name).workerLogs();
    }

    @Override
    final Map<String, List<String>> outcome(String behaviour) {
        Map<String, List<String>> outcome = runs.get("upstream").outcome(behaviour);
        runs.forEach((name, run) -> assertEquals(outcome, withoutPoolGauges(run.outcome(behaviour)), name));
        return outcome;
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
        Map<String, String> all = new HashMap<>(options);
        all.put("dropin.redis", redis);
        Map<String, String> ofSpread = new HashMap<>(all);
        ofSpread.put("topology.workers", "2");
        // As with one worker, so that tasks have the same numbers.
        ofSpread.put("topology.acker.executors", "1");
        return DropInRun.of(BEHAVIOURS, specification, behaviour -> spread.contains(behaviour) ? ofSpread : all);
    }
}
