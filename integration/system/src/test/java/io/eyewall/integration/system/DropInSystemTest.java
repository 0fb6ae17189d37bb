package io.eyewall.integration.system;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.eyewall.client.engine.EngineConfiguration;
import io.eyewall.integration.cluster.ClusterSpecification;
import io.eyewall.integration.cluster.RedisServer;
import io.eyewall.integration.cluster.StormHome;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

/**
 * One jar, compiled against upstream only, on upstream's installation and on Eyewall's, there as it is and with the other value of each
 * key: the same comes out of all three.
 */
@Tag("system")
class DropInSystemTest extends DropInContract {

    private final Map<String, DropInRun> runs = new LinkedHashMap<>();

    @BeforeAll
    void runAll() {
        String missing = RedisServer.unavailabilityCause().orElse("");
        assumeTrue(missing.isEmpty(), missing);
        runs.put("upstream", run("dropin-upstream", Installations.upstream(), Map.of()));
        runs.put("Eyewall", run("dropin-eyewall", Installations.eyewall(), Map.of()));
        runs.put("Eyewall with other values", run("dropin-others", Installations.eyewall(),
            Map.of(EngineConfiguration.WAKE_ON_ARRIVAL, "false", EngineConfiguration.ACKING, EngineConfiguration.ACKER,
                EngineConfiguration.HOT_REBALANCE, "true", "topology.latency.recording", "all")));
    }

    @Override
    Map<String, List<String>> outcome(String behaviour) {
        Map<String, List<String>> outcome = runs.get("upstream").outcome(behaviour);
        runs.forEach((name, run) -> assertEquals(outcome, run.outcome(behaviour), name));
        return outcome;
    }

    private static DropInRun run(String name, StormHome home, Map<String, String> options) {
        Path directory = Installations.workDirectory(name);
        try (RedisServer redis = RedisServer.start(directory)) {
            ClusterSpecification specification =
                ClusterSpecification.of(home, directory).withSupervisors(2, 6).withSettings(QuickSettings.all());
            Map<String, String> all = new HashMap<>(options);
            all.put("dropin.redis", "localhost:" + redis.port());
            return DropInRun.of(BEHAVIOURS, specification, all);
        }
    }
}
