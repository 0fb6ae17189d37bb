package io.eyewall.core.nimbus;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.apache.storm.LocalCluster;
import org.apache.storm.generated.InvalidTopologyException;
import org.apache.storm.generated.StormTopology;
import org.apache.storm.generated.SubmitOptions;
import org.apache.storm.generated.TopologyInitialStatus;
import org.apache.storm.testing.TestWordSpout;
import org.apache.storm.topology.TopologyBuilder;
import org.junit.jupiter.api.Test;

class SubmissionCheckTest {

    @Test
    void shouldRefuseABadValueOfOurKeysOnly() {
        InvalidTopologyException refused =
            assertThrows(InvalidTopologyException.class, () -> check("{\"topology.acking\": \"nonsense\"}"));
        assertTrue(refused.get_msg().startsWith("topology.acking is 'nonsense', but must be "), refused.get_msg());
        assertDoesNotThrow(() -> check("{\"topology.acking\": \"acker\", \"users.own\": [1]}"));
        assertDoesNotThrow(() -> check("{\"topology.workers\": \"many\"}"), "Nimbus itself checks that");
        assertDoesNotThrow(() -> check("nonsense"));
        assertDoesNotThrow(() -> check(null));
    }

    @Test
    void shouldBeAskedByNimbusBeforeItDoesAnything() throws Exception {
        StormTopology topology = new TopologyBuilder().createTopology();
        SubmitOptions options = new SubmitOptions(TopologyInitialStatus.ACTIVE);
        try (LocalCluster cluster = new LocalCluster.Builder().withSupervisors(0).build()) {
            InvalidTopologyException refused = assertThrows(InvalidTopologyException.class, () ->
                cluster.getNimbus().submitTopologyWithOpts("words", null, "{\"topology.acking\": \"nonsense\"}", topology, options));
            assertTrue(refused.get_msg().startsWith("topology.acking is 'nonsense'"), refused.get_msg());
        }
    }

    @Test
    void shouldRefuseABadValueOfAComponent() throws Exception {
        TopologyBuilder builder = new TopologyBuilder();
        builder.setSpout("words", new TestWordSpout()).addConfiguration("topology.executor.threads", "poool");
        SubmitOptions options = new SubmitOptions(TopologyInitialStatus.ACTIVE);
        try (LocalCluster cluster = new LocalCluster.Builder().withSupervisors(0).build()) {
            InvalidTopologyException refused = assertThrows(InvalidTopologyException.class, () ->
                cluster.getNimbus().submitTopologyWithOpts("words", null, "{}", builder.createTopology(), options));
            assertEquals("In the configuration of the component 'words', topology.executor.threads is 'poool', but must be own or pool"
                + " or auto.", refused.get_msg());
        }
    }

    private static void check(String topologyConf) throws InvalidTopologyException {
        SubmissionCheck.check(topologyConf, new StormTopology());
    }
}
