package io.eyewall.client.stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.fail;

import io.eyewall.client.fuzz.LogLines;
import java.util.HashMap;
import java.util.Map;
import org.apache.logging.log4j.Level;
import org.apache.storm.generated.InvalidTopologyException;
import org.apache.storm.testing.TestWordCounter;
import org.apache.storm.testing.TestWordSpout;
import org.apache.storm.topology.TopologyBuilder;
import org.junit.jupiter.api.Test;

class StreamSubmissionTest {

    private static final String MODE = "topology.worker.mode";
    private static final String ACKERS = "topology.acker.executors";

    @Test
    void shouldRefuseKeysOfTheTopologyInAComponent() {
        assertEquals("topology.worker.mode has no effect in the configuration of 'counts': set it for the topology.",
            assertThrows(InvalidTopologyException.class, () -> submit(Map.of(), Map.of(MODE, "worker"))).get_msg());
        assertEquals("topology.stream.back.pressure has no effect in the configuration of 'counts': set it for the topology.",
            assertThrows(InvalidTopologyException.class,
                () -> submit(Map.of(MODE, "stream-manager"), Map.of("topology.stream.back.pressure", "stages"))).get_msg());
    }

    @Test
    void shouldWarnOfKeysOfAModeThatIsNotOn() throws Exception {
        try (LogLines lines = new LogLines(Level.WARN)) {
            submit(Map.of("topology.stream.back.pressure", "stages"), Map.of("topology.stream.executors.per.instance", 2));
            lines.assertLogged("topology.stream.back.pressure has no effect", "without topology.worker.mode: stream-manager.");
            lines.assertLogged("topology.stream.executors.per.instance has no effect", "without topology.worker.mode: stream-manager.");
        }
        try (LogLines lines = new LogLines(Level.WARN)) {
            submit(Map.of(MODE, "stream-manager"), Map.of("topology.stream.executors.per.instance", 2));
            submit(Map.of(), Map.of());
            assertEquals(0, lines.thatBegin("topology."), lines::toString);
        }
    }

    @Test
    void shouldSayThatAckersAreUnused() throws Exception {
        try (LogLines lines = new LogLines(Level.INFO)) {
            submit(Map.of(MODE, "stream-manager", ACKERS, 2, "topology.acking", "ledger"), Map.of());
            lines.assertLogged("topology.acker.executors is 2", "these executors are unused");
        }
        try (LogLines lines = new LogLines(Level.INFO)) {
            submit(Map.of(MODE, "stream-manager", ACKERS, 0, "topology.acking", "ledger"), Map.of());
            submit(Map.of(MODE, "stream-manager", ACKERS, 2, "topology.acking", "acker"), Map.of());
            submit(Map.of(ACKERS, 2, "topology.acking", "ledger"), Map.of());
            assertEquals(0, lines.thatBegin("topology."), lines::toString);
        }
    }

    private static void submit(Map<String, Object> conf, Map<String, Object> ofBolt) throws InvalidTopologyException {
        TopologyBuilder builder = new TopologyBuilder();
        builder.setSpout("words", new TestWordSpout());
        builder.setBolt("counts", new TestWordCounter()).shuffleGrouping("words").addConfigurations(ofBolt);
        new StreamSubmission().submitting(Map.of(), builder.createTopology(), () -> fail("the cluster does not matter"),
            new HashMap<>(conf));
    }
}
