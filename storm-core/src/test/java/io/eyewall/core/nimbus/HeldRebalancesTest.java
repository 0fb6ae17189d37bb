package io.eyewall.core.nimbus;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.lang.reflect.Field;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.storm.Config;
import org.apache.storm.DaemonConfig;
import org.apache.storm.LocalCluster;
import org.apache.storm.daemon.nimbus.Nimbus;
import org.apache.storm.generated.RebalanceOptions;
import org.apache.storm.generated.TopologySummary;
import org.apache.storm.nimbus.IWorkerHeartbeatsRecoveryStrategy;
import org.apache.storm.testing.TestWordSpout;
import org.apache.storm.topology.TopologyBuilder;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

class HeldRebalancesTest {

    private static final String TOPOLOGY = "words";
    private static final Duration PATIENCE = Duration.ofMinutes(3);

    private final HeldRebalances held = new HeldRebalances();

    @Test
    void shouldHoldARebalanceUntilAssignmentsAreComputed() {
        assertEquals("a", held.begin("a", true));
        assertEquals("a", held.begin(null, true));
        assertEquals("b", held.begin("b", true));
        held.end("b");
        assertEquals("a", held.begin(null, true));
        held.end("a");
        assertNull(held.begin(null, true));
        held.end(null);
        assertNull(held.begin(null, true));
    }

    @Test
    void shouldForgetWhatIsHeldWhenAnotherNimbusLeads() {
        held.begin("a", true);
        assertNull(held.begin(null, false));
        assertNull(held.begin(null, true));
    }

    @Test
    void shouldCarryOutARebalanceThatWasDueBeforeNimbusKnewWhatRuns() throws Exception {
        Map<String, Object> daemons = Map.of(DaemonConfig.NIMBUS_WORKER_HEARTBEATS_RECOVERY_STRATEGY_CLASS, Recovery.class.getName(),
            DaemonConfig.NIMBUS_MONITOR_FREQ_SECS, 1);
        Recovery.done = true;
        try (LocalCluster cluster = new LocalCluster.Builder().withSupervisors(2).withDaemonConf(daemons).build()) {
            TopologyBuilder builder = new TopologyBuilder();
            builder.setSpout("words", new TestWordSpout(), 2);
            Config config = new Config();
            config.setNumWorkers(2);
            cluster.submitTopology(TOPOLOGY, config, builder.createTopology());
            awaitWorkers(cluster, 2);
            forget(cluster.getNimbus());

            RebalanceOptions options = new RebalanceOptions();
            options.set_wait_secs(0);
            options.set_num_workers(1);
            cluster.rebalance(TOPOLOGY, options);
            Awaitility.await().atMost(PATIENCE).until(() -> summary(cluster).get_status(), "ACTIVE"::equals);
            assertEquals(2, summary(cluster).get_num_workers());

            Recovery.done = true;
            awaitWorkers(cluster, 1);
        }
    }

    /** As if Nimbus had just begun to lead. */
    private static void forget(Nimbus nimbus) throws ReflectiveOperationException {
        Recovery.done = false;
        Field ready = Nimbus.class.getDeclaredField("heartbeatsReadyFlag");
        ready.setAccessible(true);
        ((AtomicBoolean) ready.get(nimbus)).set(false);
    }

    private static void awaitWorkers(LocalCluster cluster, int workers) {
        Awaitility.await().atMost(PATIENCE).until(() -> summary(cluster).get_num_workers(), count -> count == workers);
    }

    private static TopologySummary summary(LocalCluster cluster) throws Exception {
        return cluster.getClusterInfo().get_topologies().get(0);
    }

    /** Says when Nimbus has heard of all workers. */
    public static final class Recovery implements IWorkerHeartbeatsRecoveryStrategy {

        private static volatile boolean done;

        @Override
        @SuppressWarnings("rawtypes")
        public void prepare(Map conf) {
        }

        @Override
        public boolean isReady(Set<String> nodes) {
            return done;
        }

        @Override
        public void reportNodeId(String node) {
        }
    }
}
