package io.eyewall.core.nimbus;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import org.apache.storm.Config;
import org.apache.storm.LocalCluster;
import org.apache.storm.generated.InvalidTopologyException;
import org.apache.storm.generated.NotAliveException;
import org.apache.storm.generated.RebalanceOptions;
import org.apache.storm.testing.TestWordSpout;
import org.apache.storm.topology.TopologyBuilder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RebalanceCheckTest {

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '$', value = {
        "{\"topology.workers\": \"many\"}          | TOPOLOGY_WORKERS",
        "{\"topology.acking\": \"nonsense\"}       | topology.acking is 'nonsense', but must be",
        "{\"topology.wake.on.arrival\": \"often\"} | topology.wake.on.arrival is 'often', but must be",
        "[1, 2]                                    | '[1, 2]', but must be a JSON object",
        "topology.workers=2                        | 'topology.workers=2', but must be a JSON object",
    })
    void shouldRefuseWhatNoTopologyMayHave(String overrides, String words) {
        InvalidTopologyException refused = assertThrows(InvalidTopologyException.class, () -> RebalanceCheck.check(with(overrides)));
        assertTrue(refused.get_msg().contains(words), refused.get_msg());
    }

    @Test
    void shouldLetTheRestPass() {
        assertDoesNotThrow(() -> RebalanceCheck.check(null));
        assertDoesNotThrow(() -> RebalanceCheck.check(new RebalanceOptions()));
        assertDoesNotThrow(() ->
            RebalanceCheck.check(with("{\"topology.workers\": 3, \"topology.acking\": \"acker\", \"users.own\": [1]}")));
    }

    @Test
    void shouldBeAskedByNimbusBeforeItDoesAnything() throws Exception {
        try (LocalCluster cluster = new LocalCluster.Builder().withSupervisors(0).build()) {
            assertThrows(InvalidTopologyException.class,
                () -> cluster.getNimbus().rebalance("none", with("{\"topology.workers\": \"many\"}")));
            assertThrows(NotAliveException.class, () -> cluster.getNimbus().rebalance("none", with("{\"topology.workers\": 1}")));
        }
    }

    @Test
    void shouldRefuseWhatDoesNotGoWithTheTopology() throws Exception {
        Map<String, String> refusals = Map.of(
            "{\"topology.deadline.policy\": \"fair\"}", "of the spout 'orders' has no effect, since topology.deadline.policy is fair",
            "{\"topology.executor.threads\": \"own\"}", "topology.deadline.target.ms is 20 and needs executors that share threads",
            "{\"topology.worker.mode\": \"stream-manager\"}", "topology.worker.mode is 'stream-manager', but cannot change while",
            "{\"topology.deadline.target.ms\": {\"order\": 20}}", "has a stream 'order', which no spout with this setting declares");
        TopologyBuilder topology = new TopologyBuilder();
        topology.setSpout("orders", new TestWordSpout()).addConfiguration("topology.deadline.target.ms", 20);
        topology.setSpout("bulk", new TestWordSpout());
        try (LocalCluster cluster = new LocalCluster.Builder().withSupervisors(0).build()) {
            cluster.submitTopology("dated", new Config(), topology.createTopology());
            refusals.forEach((overrides, words) -> {
                InvalidTopologyException refused =
                    assertThrows(InvalidTopologyException.class, () -> cluster.getNimbus().rebalance("dated", with(overrides)));
                assertTrue(refused.get_msg().contains(words), refused.get_msg());
            });
            cluster.getNimbus().rebalance("dated", with("{\"topology.deadline.policy\": \"edf\"}"));
        }
    }

    @Test
    void shouldRebalanceATopologyWhoseSettingsHaveHadNoEffectBefore() {
        TopologyBuilder topology = new TopologyBuilder();
        topology.setSpout("orders", new TestWordSpout()).addConfiguration("topology.deadline.target.ms", 20);
        Map<String, Object> conf = Map.of("topology.executor.threads", "own"); // Another client has submitted it.
        assertDoesNotThrow(() -> RebalanceCheck.checkTogether(topology.createTopology(), Map.of(), conf, Map.of("topology.workers", 2)));
    }

    private static RebalanceOptions with(String overrides) {
        RebalanceOptions options = new RebalanceOptions();
        options.set_topology_conf_overrides(overrides);
        return options;
    }
}
