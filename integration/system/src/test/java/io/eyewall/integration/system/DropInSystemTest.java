package io.eyewall.integration.system;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.eyewall.client.engine.EngineConfiguration;
import io.eyewall.integration.cluster.ClusterSpecification;
import io.eyewall.integration.cluster.RedisServer;
import io.eyewall.integration.cluster.StormHome;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.testcontainers.DockerClientFactory;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.utility.DockerImageName;

/**
 * One jar, compiled against upstream only, on upstream's installation and on Eyewall's, there as it is and with the other value of each
 * key: the same comes out of all three. The other transport is libfabric, where it is installed, and the topologies that it could disturb
 * then have two workers, so that their tuples take that way. ZooKeeper and Redis of Eyewall's run as it is are containers, where a Docker
 * engine answers.
 */
@Tag("system")
class DropInSystemTest extends DropInContract {

    private static final String PLAIN = "Eyewall";
    private static final String SHARED = "Eyewall with shared threads";
    private static final String OTHERS = "Eyewall with other values";
    /** Topologies that have two workers anyway, sooner or later. */
    private static final Set<String> OF_TWO_WORKERS = Set.of("groupings", "lifecycle", "local", "replay", "sizes");
    /**
     * Those that get two with the other transport, which must carry their answers, batches, watermarks, and what a program in Python emits.
     * The rest counts on one worker, or on tasks that start at the same time, or is about something that is not sent.
     */
    private static final Set<String> SPREAD = Set.of("drpc", "python", "trident", "windows");

    private static final int ZOOKEEPER_PORT = 2181;
    private static final int REDIS_PORT = 6379;

    private final Map<String, DropInRun> runs = new LinkedHashMap<>();
    /** HOST:PORT of the ZooKeeper that is a container; null without one. */
    private String zooKeeperInContainer;

    @BeforeAll
    void runAll() {
        String missing = RedisServer.unavailabilityCause().orElse("");
        assumeTrue(missing.isEmpty(), missing);
        runs.put("upstream", run("dropin-upstream", Installations.upstream(), Map.of(), Set.of()));
        runs.put(PLAIN, runWithContainers("dropin-eyewall", Installations.eyewall()));
        runs.put(SHARED, run("dropin-pool", Installations.eyewall(),
            Map.of(EngineConfiguration.EXECUTOR_THREADS, EngineConfiguration.POOL, "topology.deadline.target.ms", "100"), SPREAD));
        runs.put(OTHERS, run("dropin-others", Installations.eyewall(),
            Map.of(EngineConfiguration.WAKE_ON_ARRIVAL, "false", EngineConfiguration.ACKING, EngineConfiguration.ACKER,
                EngineConfiguration.HOT_REBALANCE, "false", "topology.latency.recording", "all",
                "storm.messaging.transport", "io.eyewall.transport.fabric.FabricContext", "storm.messaging.fabric.fallback", "netty"),
            SPREAD));
    }

    @Test
    void shouldHaveUsedAZooKeeperInAContainer() {
        assumeTrue(zooKeeperInContainer != null, "no Docker engine answers");
        assertTrue(runs.get(PLAIN).workerLogs().stream().filter(log -> log.contains("connectString=" + zooKeeperInContainer)).count() > 1);
    }

    @Test
    void shouldHaveCarriedTuplesInFrames() {
        assertTrue(runs.get(SHARED).workerLogs().stream().filter(log -> log.contains("Tuples go in frames to the worker at")).count() > 1);
    }

    @Test
    void shouldHaveCarriedTuplesOverLibfabricWhereItIsInstalled() {
        List<String> workers = runs.get(OTHERS).workerLogs();
        assumeTrue(workers.stream().noneMatch(log -> log.contains("Using Netty instead of libfabric")), "libfabric is not installed");
        for (String topology : Stream.concat(SPREAD.stream(), OF_TWO_WORKERS.stream()).toList()) {
            assertTrue(workers.stream().anyMatch(log -> log.contains("Receiving tuples of " + topology + "-")
                && log.contains("over libfabric") && log.matches("(?s).*link to \\S+ is open.*")), topology);
        }
    }

    @Override
    Map<String, List<String>> outcome(String behaviour) {
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

    private DropInRun runWithContainers(String name, StormHome home) {
        if (!DockerClientFactory.instance().isDockerAvailable()) {
            return run(name, home, Map.of(), Set.of());
        }
        try (GenericContainer<?> zooKeeper = container("zookeeper:3.9", ZOOKEEPER_PORT);
             GenericContainer<?> redis = container("redis:7", REDIS_PORT)) {
            zooKeeper.start();
            redis.start();
            zooKeeperInContainer = address(zooKeeper, ZOOKEEPER_PORT);
            return run(specification(name, home).withZooKeeper(zooKeeperInContainer), address(redis, REDIS_PORT), Map.of(), Set.of());
        }
    }

    private static GenericContainer<?> container(String image, int port) {
        return new GenericContainer<>(DockerImageName.parse(image)).withExposedPorts(port);
    }

    private static String address(GenericContainer<?> container, int port) {
        return container.getHost() + ":" + container.getMappedPort(port);
    }

    private static ClusterSpecification specification(String name, StormHome home) {
        return ClusterSpecification.of(home, Installations.workDirectory(name)).withSupervisors(2, 6).withSettings(QuickSettings.all());
    }

    private static DropInRun run(String name, StormHome home, Map<String, String> options, Set<String> spread) {
        ClusterSpecification specification = specification(name, home);
        try (RedisServer redis = RedisServer.start(specification.directory())) {
            return run(specification, "localhost:" + redis.port(), options, spread);
        }
    }

    private static DropInRun run(ClusterSpecification specification, String redis, Map<String, String> options, Set<String> spread) {
        Map<String, String> all = new HashMap<>(options);
        all.put("dropin.redis", redis);
        Map<String, String> ofSpread = new HashMap<>(all);
        ofSpread.put("topology.workers", "2");
        // As with one worker, so that tasks have the same numbers.
        ofSpread.put("topology.acker.executors", "1");
        return DropInRun.of(BEHAVIOURS, specification, behaviour -> spread.contains(behaviour) ? ofSpread : all);
    }
}
