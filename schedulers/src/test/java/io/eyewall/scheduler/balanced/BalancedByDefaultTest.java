package io.eyewall.scheduler.balanced;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.eyewall.client.settings.tail.BalancingConfiguration;
import io.eyewall.client.settings.tail.TailConfiguration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.storm.generated.InvalidTopologyException;
import org.apache.storm.generated.StormTopology;
import org.apache.storm.testing.TestWordCounter;
import org.apache.storm.testing.TestWordSpout;
import org.apache.storm.topology.TopologyBuilder;
import org.junit.jupiter.api.Test;

class BalancedByDefaultTest {

    private final BalancedByDefault validator = new BalancedByDefault();

    @Test
    void shouldTurnBalancingOnWhenATopologyDoesNotConfigureIt() throws InvalidTopologyException {
        assertEquals(Map.of(BalancingConfiguration.BALANCING, true), validated(Map.of()));
    }

    @Test
    void shouldKeepTheSettingsOfATopologyThatConfiguresIt() throws InvalidTopologyException {
        for (Map<String, Object> conf : List.<Map<String, Object>>of(Map.of(BalancingConfiguration.BALANCING, false),
                Map.of(TailConfiguration.TAIL_LATENCY, "auto"))) {
            assertEquals(conf, validated(conf));
        }
    }

    @Test
    void shouldRefuseAnInvalidValueInOneLine() {
        InvalidTopologyException refusal =
            assertThrows(InvalidTopologyException.class, () -> validated(Map.of(BalancingConfiguration.MOVE_PERIOD_SECS, -1)));

        assertEquals("topology.latency.balancing.move.period.secs is '-1', but must be a whole number of seconds from 10 to 86400.",
            refusal.get_msg());
    }

    private Map<String, Object> validated(Map<String, Object> topologyConf) throws InvalidTopologyException {
        Map<String, Object> conf = new HashMap<>(topologyConf);
        validator.validate("uneven", conf, topology());
        return conf;
    }

    private static StormTopology topology() {
        TopologyBuilder builder = new TopologyBuilder();
        builder.setSpout("words", new TestWordSpout());
        builder.setBolt("work", new TestWordCounter(), 2).shuffleGrouping("words");
        return builder.createTopology();
    }
}
