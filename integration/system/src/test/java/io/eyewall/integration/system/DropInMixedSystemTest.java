package io.eyewall.integration.system;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.eyewall.integration.cluster.ClusterSpecification;
import io.eyewall.integration.cluster.ProcessCluster;
import io.eyewall.integration.cluster.RedisServer;
import io.eyewall.integration.cluster.StormHome;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.storm.generated.SupervisorSummary;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The behaviours in clusters in which one Supervisor is upstream's and the other one Eyewall's: with Nimbus and clients of Eyewall's, and
 * with those of upstream's. Nimbus gives a topology's workers to both Supervisors by turns. So nearly each topology has workers of both
 * installations, which send each other tuples, acks and back-pressure as upstream's messages. Topologies with four workers have two of
 * Eyewall's, which send each other frames.
 *
 * <p>What cannot be mixed:
 * <ul>
 *   <li>{@code metrics}, which has one worker: its outcome is the names of that worker's metrics.
 *   <li>What upstream's workers do not have, whatever the topology: ledgers, rebalances without restarts, shared memory, libfabric and
 *       stream managers. {@link DropInOtherValuesSystemTest} and {@link DropInStreamManagerSystemTest} run the behaviours with these.
 * </ul>
 */
@Tag("system")
@Tag("long")
class DropInMixedSystemTest extends DropInComparison {

    private static final StormHome EYEWALL = Installations.eyewall();
    private static final StormHome UPSTREAM = Installations.upstream();
    private static final String MANAGED_BY_EYEWALL = "Nimbus and clients of Eyewall's";
    private static final String MANAGED_BY_UPSTREAM = "Nimbus and clients of upstream's";
    private static final List<String> RUNS = List.of(MANAGED_BY_EYEWALL, MANAGED_BY_UPSTREAM);

    private static final String OF_ONE_WORKER = "metrics";
    private static final Set<String> OF_FOUR_WORKERS = Set.of("groupings", "sizes");

    private static final String WORKERS = "topology.workers";
    private static final String ACKERS = "topology.acker.executors";

    /** A line that an executor of the topology's own logs when it runs; the names of Storm's components begin with underscores. */
    private static final Pattern RUNS_EXECUTOR = Pattern.compile(" (?:Prepared bolt|Opened spout) (?!__)\\S");
    private static final Pattern PORT = Pattern.compile("Launching worker for \\S+ on [^:\\s]+:(\\d+) ");
    private static final Pattern FRAMES_TO_PORT = Pattern.compile("Tuples go in frames to the worker at \\S+:(\\d+)");

    @BeforeAll
    void runAll() {
        String missing = RedisServer.unavailabilityCause().orElse("");
        assumeTrue(missing.isEmpty(), missing);
        add(MANAGED_BY_EYEWALL, run("dropin-mixed-eyewall", EYEWALL, UPSTREAM));
        add(MANAGED_BY_UPSTREAM, run("dropin-mixed-upstream", UPSTREAM, EYEWALL));
    }

    @Test
    void shouldHaveRunExecutorsOfEachTopologyInWorkersOfBothInstallations() {
        for (String run : RUNS) {
            for (StormHome home : List.of(EYEWALL, UPSTREAM)) {
                Set<String> without = mixed();
                without.removeIf(topology -> logs(run, topology, home).anyMatch(log -> RUNS_EXECUTOR.matcher(log).find()));
                assertEquals(Set.of(), without, () -> run + ": topologies without an executor in workers of " + home.root());
            }
        }
    }

    @Test
    void shouldHaveSentFramesToWorkersOfEyewallsAndToNoOthers() {
        for (String run : RUNS) {
            for (String topology : OF_FOUR_WORKERS) {
                assertFalse(framesTo(run, topology).isEmpty(), () -> run + ": no frames in " + topology);
            }
            for (String topology : mixed()) {
                Set<String> others = framesTo(run, topology);
                others.removeAll(matches(PORT, logs(run, topology, EYEWALL)));
                assertEquals(Set.of(), others, () -> run + ": ports of workers that get frames of " + topology + " and are not Eyewall's");
            }
        }
    }

    private static Set<String> mixed() {
        Set<String> mixed = new TreeSet<>(BEHAVIOURS.keySet());
        mixed.remove(OF_ONE_WORKER);
        return mixed;
    }

    private Set<String> framesTo(String run, String topology) {
        return matches(FRAMES_TO_PORT, workerLogs(run, topology).stream());
    }

    private static Set<String> matches(Pattern pattern, Stream<String> logs) {
        return logs.flatMap(log -> pattern.matcher(log).results()).map(match -> match.group(1))
            .collect(Collectors.toCollection(TreeSet::new));
    }

    /** The logs of those workers of a topology whose class path is that installation's, which each worker logs when it starts. */
    private Stream<String> logs(String run, String topology, StormHome home) {
        return workerLogs(run, topology).stream().filter(log -> log.contains(home.root() + "/lib-worker/"));
    }

    /** Runs the behaviours on a cluster of {@code home} whose second Supervisor, with all that it launches, is one of {@code other}. */
    private static DropInRun run(String name, StormHome home, StormHome other) {
        // Nimbus would give a Supervisor that was away no workers for a while.
        ClusterSpecification specification =
            specification(name, home).withSettings(Map.of("blacklist.scheduler.tolerance.count", 1_000));
        try (RedisServer redis = RedisServer.start(specification.directory());
             ProcessCluster processes = ProcessCluster.start(specification)) {
            processes.supervisors().get(1).stop();
            processes.supervisors().get(1).startFrom(other);
            processes.await("Nimbus knows a Supervisor of each installation", () -> {
                List<SupervisorSummary> supervisors = processes.topologies().cluster().get_supervisors();
                return supervisors.size() == 2 && supervisors.stream().filter(one -> one.get_version().endsWith("+eyewall")).count() == 1;
            });
            startDrpc(processes, home);
            return DropInRun.of(BEHAVIOURS, processes, specification.directory(), behaviour -> {
                Map<String, String> options = new HashMap<>(options(behaviour));
                options.put("dropin.redis", "localhost:" + redis.port());
                return options;
            });
        }
    }

    /** Spreads a topology over both Supervisors. It has as many ackers as in the record, so that its tasks have the same numbers. */
    private static Map<String, String> options(String behaviour) {
        if (OF_FOUR_WORKERS.contains(behaviour)) {
            return Map.of(WORKERS, "4", ACKERS, "2");
        }
        if (OF_TWO_WORKERS.contains(behaviour) || behaviour.equals(OF_ONE_WORKER)) {
            return Map.of();
        }
        // Two workers may start at times that differ by more than its usual 10 s, and then messages time out that should not.
        return behaviour.equals("acking") ? Map.of(WORKERS, "2", "topology.message.timeout.secs", "60") : Map.of(WORKERS, "2", ACKERS, "1");
    }
}
