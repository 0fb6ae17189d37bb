package io.eyewall.integration.system;

import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.eyewall.client.engine.EngineConfiguration;
import io.eyewall.integration.cluster.RedisServer;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The behaviours on upstream's installation, with executors that share threads, and with the other value of each of the engine's keys, over
 * libfabric where it is installed. The topologies that this could disturb have two workers, so that their tuples take that way.
 */
@Tag("system")
@Tag("long")
class DropInOtherValuesSystemTest extends DropInComparison {

    private static final String OTHERS = "Eyewall with other values";

    @BeforeAll
    void runAll() {
        String missing = RedisServer.unavailabilityCause().orElse("");
        assumeTrue(missing.isEmpty(), missing);
        addUpstream("dropin-upstream");
        add("Eyewall with shared threads", run("dropin-pool", Installations.eyewall(),
            Map.of(EngineConfiguration.EXECUTOR_THREADS, EngineConfiguration.POOL, "topology.deadline.target.ms", "100"), SPREAD));
        add(OTHERS, run("dropin-others", Installations.eyewall(),
            Map.of(EngineConfiguration.WAKE_ON_ARRIVAL, "false", EngineConfiguration.ACKING, EngineConfiguration.ACKER,
                EngineConfiguration.HOT_REBALANCE, "false", "topology.latency.recording", "all",
                "storm.messaging.transport", "io.eyewall.transport.fabric.FabricContext", "storm.messaging.fabric.fallback", "netty"),
            SPREAD));
    }

    @Test
    void shouldHaveCarriedTuplesOverLibfabricWhereItIsInstalled() {
        List<String> workers = workerLogs(OTHERS);
        assumeTrue(workers.stream().noneMatch(log -> log.contains("Using Netty instead of libfabric")), "libfabric is not installed");
        for (String topology : Stream.concat(SPREAD.stream(), OF_TWO_WORKERS.stream()).toList()) {
            assertTrue(workers.stream().anyMatch(log -> log.contains("Receiving tuples of " + topology + "-")
                && log.contains("over libfabric") && log.matches("(?s).*link to \\S+ is open.*")), topology);
        }
    }
}
