package io.eyewall.integration.system;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The behaviours on a cluster of containers of Eyewall's image, where a Docker engine answers. Topologies are submitted from within. */
@Tag("system")
@Tag("long")
class DropInImageSystemTest extends DropInComparison {

    private static final List<String> SUPERVISORS = List.of("supervisor-1", "supervisor-2");
    private static final int SLOTS = 6;
    /** Of five digits, as those of process clusters: they are part of what is compared. */
    private static final int FIRST_SLOT = 16_700;

    /** What each Supervisor and its workers have printed, and the address of the other. */
    private final Map<String, String> printed = new HashMap<>();

    @BeforeAll
    void runAll() throws IOException, InterruptedException {
        assumeTrue("root".equals(System.getProperty("user.name")), "only root may kill the workers of containers");
        String image = ContainerCluster.buildImage(Installations.workDirectory("dropin-image-build"));
        Path directory = Installations.workDirectory("dropin-image");
        Map<String, Object> settings = new HashMap<>(QuickSettings.all());
        settings.put("supervisor.slots.ports", IntStream.range(FIRST_SLOT, FIRST_SLOT + SLOTS).boxed().toList());
        try (ContainerCluster cluster = new ContainerCluster(image, directory, Installations.upstream(), settings)) {
            cluster.startZooKeeper();
            String redis = cluster.startRedis();
            cluster.startEyewalls("nimbus", "nimbus");
            SUPERVISORS.forEach(name -> cluster.startEyewalls(name, "supervisor"));
            cluster.startEyewalls("drpc", "drpc");
            cluster.await("Nimbus knows both Supervisors",
                () -> cluster.topologies().cluster().get_supervisors_size() == SUPERVISORS.size());
            add("Eyewall in containers", run(cluster, directory.resolve("output"), redis, Map.of(), SPREAD));
            printed.put(cluster.log(SUPERVISORS.get(0)), cluster.address(SUPERVISORS.get(1)));
            printed.put(cluster.log(SUPERVISORS.get(1)), cluster.address(SUPERVISORS.get(0)));
        }
    }

    @Test
    void shouldHaveCarriedTuplesInFramesBetweenContainers() {
        assertEquals(SUPERVISORS.size(), printed.size());
        printed.forEach((log, other) -> assertTrue(log.lines().anyMatch(line -> line.contains("Tuples go in frames to the worker at ")
            && line.contains("/" + other + ":")), () -> "no frames to " + other));
    }
}
