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
 * The behaviours on upstream's installation, with executors that share threads and workers that share memory, over libfabric with
 * deadlines, and with the other value of each of the engine's keys. The topologies that this could disturb have two workers, so that their
 * tuples take that way.
 */
@Tag("system")
@Tag("long")
class DropInOtherValuesSystemTest extends DropInComparison {

    private static final String SHARED = "Eyewall with shared threads and memory";
    /** Its tuples stay in their worker. */
    private static final String STAYS = "local";
    private static final String FABRIC = "Eyewall with libfabric and deadlines";

    @BeforeAll
    void runAll() {
        String missing = RedisServer.unavailabilityCause().orElse("");
        assumeTrue(missing.isEmpty(), missing);
        addUpstream("dropin-upstream");
        add(SHARED, run("dropin-pool", Installations.eyewall(),
            Map.of(EngineConfiguration.EXECUTOR_THREADS, EngineConfiguration.POOL, EngineConfiguration.SHARED_MEMORY,
                EngineConfiguration.AUTO), SPREAD));
        add(FABRIC, run("dropin-fabric", Installations.eyewall(),
            Map.of(EngineConfiguration.EXECUTOR_THREADS, EngineConfiguration.POOL, "topology.deadline.target.ms", "100",
                "storm.messaging.transport", "io.eyewall.transport.fabric.FabricContext", "storm.messaging.fabric.fallback", "netty"),
            SPREAD));
        add("Eyewall with other values", run("dropin-others", Installations.eyewall(),
            Map.of(EngineConfiguration.WAKE_ON_ARRIVAL, "false", EngineConfiguration.ACKING, EngineConfiguration.ACKER,
                EngineConfiguration.HOT_REBALANCE, "false", "topology.latency.recording", "all"), SPREAD));
    }

    @Test
    void shouldHaveCarriedTuplesOverLibfabricWhereItIsInstalled() {
        List<String> workers = workerLogs(FABRIC);
        assumeTrue(workers.stream().noneMatch(log -> log.contains("Using Netty instead of libfabric")), "libfabric is not installed");
        for (String topology : Stream.concat(SPREAD.stream(), OF_TWO_WORKERS.stream()).toList()) {
            assertTrue(workers.stream().anyMatch(log -> log.contains("Receiving tuples of " + topology + "-")
                && log.contains("over libfabric") && log.matches("(?s).*link to \\S+ is open.*")), topology);
        }
    }

    @Test
    void shouldHaveRunExecutorsThatShareThreads() {
        for (String run : List.of(SHARED, FABRIC)) {
            for (String topology : Stream.concat(SPREAD.stream(), OF_TWO_WORKERS.stream()).toList()) {
                assertTrue(workerLogs(run).stream().anyMatch(log -> log.contains(topology + "-")
                    && log.matches("(?s).*Executors that share threads: [1-9]\\d*; threads: \\d+\\..*")), () -> run + ": " + topology);
            }
        }
    }

    @Test
    void shouldHaveCarriedTuplesThroughSharedMemory() {
        for (String topology : Stream.concat(SPREAD.stream(), OF_TWO_WORKERS.stream()).filter(name -> !name.equals(STAYS)).toList()) {
            assertTrue(workerLogs(SHARED).stream().anyMatch(log -> log.contains(topology + "-")
                && log.contains("Frames come through shared memory")), topology);
        }
    }
}
