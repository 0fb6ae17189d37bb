package io.eyewall.integration.system;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.eyewall.integration.cluster.ClusterSpecification;
import io.eyewall.integration.cluster.RedisServer;
import io.eyewall.integration.cluster.StormHome;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

/** One jar, compiled against upstream only, on upstream's installation and on Eyewall's: the same comes out of both. */
@Tag("system")
class DropInSystemTest extends DropInContract {

    private DropInRun upstream;
    private DropInRun eyewall;

    @BeforeAll
    void runBoth() {
        String missing = RedisServer.unavailabilityCause().orElse("");
        assumeTrue(missing.isEmpty(), missing);
        upstream = run("dropin-upstream", Installations.upstream());
        eyewall = run("dropin-eyewall", Installations.eyewall());
    }

    @Override
    Map<String, List<String>> outcome(String behaviour) {
        Map<String, List<String>> outcome = eyewall.outcome(behaviour);
        assertEquals(upstream.outcome(behaviour), outcome);
        return outcome;
    }

    private static DropInRun run(String name, StormHome home) {
        Path directory = Installations.workDirectory(name);
        try (RedisServer redis = RedisServer.start(directory)) {
            ClusterSpecification specification =
                ClusterSpecification.of(home, directory).withSupervisors(2, 6).withSettings(QuickSettings.all());
            return DropInRun.of(BEHAVIOURS, specification, Map.of("dropin.redis.port", Integer.toString(redis.port())));
        }
    }
}
