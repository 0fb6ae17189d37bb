package io.eyewall.core.nimbus;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.apache.storm.LocalCluster;
import org.apache.storm.generated.InvalidTopologyException;
import org.apache.storm.generated.NotAliveException;
import org.apache.storm.generated.RebalanceOptions;
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

    private static RebalanceOptions with(String overrides) {
        RebalanceOptions options = new RebalanceOptions();
        options.set_topology_conf_overrides(overrides);
        return options;
    }
}
