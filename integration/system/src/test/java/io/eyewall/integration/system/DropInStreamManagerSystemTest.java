package io.eyewall.integration.system;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.eyewall.client.stream.StreamConfiguration;
import io.eyewall.integration.cluster.RedisServer;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.Map;
import org.apache.storm.Config;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The behaviours in containers with stream managers: each component in processes of its own. What comes out is what comes out of upstream's
 * workers, except for {@link #DEVIATIONS}.
 */
@Tag("system")
@Tag("long")
class DropInStreamManagerSystemTest extends DropInComparison {

    private static final String CONTAINERS = "Eyewall with stream managers";

    private static final String PAGE = "docs/explanation/stream-managers.md";

    /** What differs from workers, with the reasons. The table in {@value #PAGE} is the same. */
    private static final List<Deviation> DEVIATIONS = List.of(
        new Deviation("hooks", "automatic-hook-__acker", "task hooks of ackers are not called",
            "ackers have no work and no process, unless `topology.acking` is `acker`"));

    /** A JVM for every two executors of a component in a container, with room for messages of 8 MB. */
    private static final Map<String, String> OPTIONS = Map.of(StreamConfiguration.MODE, "stream-manager", StreamConfiguration.EXECUTORS,
        "2", Config.TOPOLOGY_COMPONENT_RESOURCES_ONHEAP_MEMORY_MB, "64.0");

    @BeforeAll
    void runAll() {
        String missing = RedisServer.unavailabilityCause().orElse("");
        assumeTrue(missing.isEmpty(), missing);
        add(CONTAINERS, run("dropin-stream-manager", Installations.eyewall(), OPTIONS, SPREAD));
    }

    @Override
    List<Deviation> deviations() {
        return DEVIATIONS;
    }

    @Test
    void shouldHaveRunEveryTopologyInContainers() {
        List<String> logs = workerLogs(CONTAINERS);
        assertEquals(List.of(), BEHAVIOURS.keySet().stream().filter(topology -> logs.stream().noneMatch(log ->
            log.contains("The container of " + topology + "-") && log.contains("The process stream-manager has started with pid")))
            .toList());
    }

    @Test
    void shouldDeviateWhereItIsExpected() {
        assertEquals(List.of(), DEVIATIONS.stream().filter(this::isAsRecorded).toList(), "These hold, and are no deviations.");
    }

    @Test
    void shouldListAllDeviationsInTheHandbook() throws IOException {
        List<String> page = Files.readAllLines(Installations.sourceTree().resolve(PAGE));
        int start = page.indexOf("| what differs from workers | why |");
        assertTrue(start > 0, PAGE);
        assertEquals(DEVIATIONS.stream().map(deviation -> "| " + deviation.what() + " | " + deviation.why() + " |").toList(),
            page.stream().skip(start + 2).takeWhile(line -> line.startsWith("|")).toList());
    }
}
