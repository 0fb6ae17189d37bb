package io.eyewall.integration.system;

import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.eyewall.integration.cluster.RedisServer;
import io.eyewall.integration.cluster.StormHome;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.testcontainers.DockerClientFactory;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.utility.DockerImageName;

/**
 * One jar, compiled against upstream only, on Eyewall's installation. Topologies that frames could disturb have two workers. ZooKeeper and
 * Redis are containers, where a Docker engine answers.
 */
@Tag("system")
class DropInSystemTest extends DropInComparison {

    private static final String EYEWALL = "Eyewall";

    private static final int ZOOKEEPER_PORT = 2181;
    private static final int REDIS_PORT = 6379;

    /** HOST:PORT of the ZooKeeper that is a container; null without one. */
    private String zooKeeperInContainer;

    @BeforeAll
    void runAll() {
        String missing = RedisServer.unavailabilityCause().orElse("");
        assumeTrue(missing.isEmpty(), missing);
        add(EYEWALL, runWithContainers("dropin-eyewall", Installations.eyewall()));
    }

    @Test
    void shouldHaveUsedAZooKeeperInAContainer() {
        assumeTrue(zooKeeperInContainer != null, "no Docker engine answers");
        assertTrue(workerLogs(EYEWALL).stream().filter(log -> log.contains("connectString=" + zooKeeperInContainer)).count() > 1);
    }

    @Test
    void shouldHaveCarriedTuplesInFrames() {
        assertTrue(workerLogs(EYEWALL).stream().filter(log -> log.contains("Tuples go in frames to the worker at")).count() > 1);
    }

    private DropInRun runWithContainers(String name, StormHome home) {
        if (!DockerClientFactory.instance().isDockerAvailable()) {
            return run(name, home, Map.of(), SPREAD);
        }
        try (GenericContainer<?> zooKeeper = container("zookeeper:3.9", ZOOKEEPER_PORT);
             GenericContainer<?> redis = container("redis:7", REDIS_PORT)) {
            zooKeeper.start();
            redis.start();
            zooKeeperInContainer = address(zooKeeper, ZOOKEEPER_PORT);
            return run(specification(name, home).withZooKeeper(zooKeeperInContainer), address(redis, REDIS_PORT), Map.of(), SPREAD);
        }
    }

    private static GenericContainer<?> container(String image, int port) {
        return new GenericContainer<>(DockerImageName.parse(image)).withExposedPorts(port);
    }

    private static String address(GenericContainer<?> container, int port) {
        return container.getHost() + ":" + container.getMappedPort(port);
    }
}
