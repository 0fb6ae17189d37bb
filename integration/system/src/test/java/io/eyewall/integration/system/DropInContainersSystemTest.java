package io.eyewall.integration.system;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.eyewall.integration.cluster.ClusterSpecification;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.testcontainers.DockerClientFactory;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.utility.DockerImageName;

/** The same on Eyewall's installation with ZooKeeper and Redis in containers, where a Docker engine answers. */
@Tag("system")
class DropInContainersSystemTest extends DropInContract {

    private static final int ZOOKEEPER_PORT = 2181;
    private static final int REDIS_PORT = 6379;

    private DropInRun eyewall;

    @BeforeAll
    void run() {
        assumeTrue(dockerAnswers(), "no Docker engine answers");
        try (GenericContainer<?> zooKeeper = container("zookeeper:3.9", ZOOKEEPER_PORT);
             GenericContainer<?> redis = container("redis:7", REDIS_PORT)) {
            zooKeeper.start();
            redis.start();
            ClusterSpecification specification = ClusterSpecification
                .of(Installations.eyewall(), Installations.workDirectory("dropin-containers"))
                .withZooKeeper(address(zooKeeper, ZOOKEEPER_PORT))
                .withSupervisors(2, 6).withSettings(QuickSettings.all());
            Map<String, String> options = Map.of("dropin.redis", address(redis, REDIS_PORT));
            eyewall = DropInRun.of(BEHAVIOURS, specification, behaviour -> options);
        }
    }

    @Override
    Map<String, List<String>> outcome(String behaviour) {
        return eyewall.outcome(behaviour);
    }

    private static boolean dockerAnswers() {
        return DockerClientFactory.instance().isDockerAvailable();
    }

    private static String address(GenericContainer<?> container, int port) {
        return container.getHost() + ":" + container.getMappedPort(port);
    }

    private static GenericContainer<?> container(String image, int port) {
        return new GenericContainer<>(DockerImageName.parse(image)).withExposedPorts(port);
    }
}
