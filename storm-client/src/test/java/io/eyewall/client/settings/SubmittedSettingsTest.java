package io.eyewall.client.settings;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.eyewall.client.deadline.DeadlineFeature;
import io.eyewall.client.fuzz.LogLines;
import io.eyewall.client.pool.ExecutorPoolFeature;
import io.eyewall.client.seam.WorkerSeams;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.logging.log4j.Level;
import org.apache.storm.generated.ComponentCommon;
import org.apache.storm.generated.InvalidTopologyException;
import org.apache.storm.generated.StormTopology;
import org.apache.storm.testing.TestWordCounter;
import org.apache.storm.testing.TestWordSpout;
import org.apache.storm.topology.TopologyBuilder;
import org.apache.storm.utils.Utils;
import org.junit.jupiter.api.Test;

class SubmittedSettingsTest {

    private static final String THREADS = "topology.executor.threads";
    private static final String TARGET = "topology.deadline.target.ms";

    @Test
    void shouldRefuseABadValueOfAComponentByName() {
        StormTopology topology = topology(Map.of(), Map.of(THREADS, "poool"));
        InvalidTopologyException refused =
            assertThrows(InvalidTopologyException.class, () -> SubmittedSettings.checkComponents(topology));
        assertEquals("In the configuration of the component 'count', topology.executor.threads is 'poool', but must be own or pool or"
            + " auto.", refused.get_msg());
    }

    @Test
    void shouldLeaveOtherKeysAlone() {
        assertDoesNotThrow(() -> SubmittedSettings.checkComponents(
            topology(Map.of("topology.workers", "many", "users.own", List.of(1), TARGET, 20), Map.of(THREADS, "pool"))));
        assertDoesNotThrow(() -> SubmittedSettings.checkComponents(new StormTopology()));
    }

    @Test
    void shouldWarnOfKeysThatLookMisspelt() {
        try (LogLines warnings = new LogLines(Level.WARN)) {
            SubmittedSettings.warnOfMisspeltKeys(Map.of("topology.deadline.polcy", "llf", "topology.executor.treads", "pool"),
                topology(Map.of("topology.deadline.target", 20), Map.of()));

            warnings.assertLogged("There is no key topology.deadline.polcy. If you mean topology.deadline.policy, correct it", "again.");
            warnings.assertLogged("There is no key topology.executor.treads. If you mean topology.executor.threads, ", "again.");
            warnings.assertLogged("There is no key topology.deadline.target, which the component 'words' sets. If you mean"
                + " topology.deadline.target.ms, ", "again.");
            assertTrue(warnings.toString().contains(SubmittedSettings.class.getName() + "=3"), warnings::toString);
        }
    }

    @Test
    void shouldNotWarnOfKeysOfStormNorOfTheUser() {
        Map<String, Object> conf = new HashMap<>(Utils.readDefaultConfig());
        conf.putAll(Map.of("users.own", 1, TARGET, 20, THREADS, "pool", "topology.mine", 2, "", 3));
        try (LogLines warnings = new LogLines(Level.WARN)) {
            SubmittedSettings.warnOfMisspeltKeys(conf, topology(conf, Map.of()));

            warnings.assertAtMost(0);
        }
    }

    /** YAML reads {@code 6700:} and {@code on:} as such keys. */
    @Test
    @SuppressWarnings("unchecked")
    void shouldTakeNoOffenceAtKeysThatAreNoTexts() {
        Map<Object, Object> conf = new HashMap<>(Map.of(6700, 1, true, 2));
        conf.put(null, 3);
        try (LogLines warnings = new LogLines(Level.WARN)) {
            SubmittedSettings.warnOfMisspeltKeys((Map<String, Object>) (Map<?, ?>) conf, topology(Map.of(), Map.of()));

            warnings.assertAtMost(0);
        }
    }

    @Test
    void shouldIgnoreInAWorkerWhatAnotherClientHasSubmitted() {
        StormTopology topology =
            topology(Map.of(TARGET, "soon", "topology.deadline.tokens.per.sec", 10), Map.of(THREADS, "poool", "users.own", 1));
        try (LogLines warnings = new LogLines(Level.WARN)) {
            WorkerSeams.of(List.of(new DeadlineFeature(), new ExecutorPoolFeature()), topology, new HashMap<>());

            assertTrue(warnings.toString().contains(SubmittedSettings.class.getName() + "=2"), warnings::toString);
            assertTrue(warnings.toString().contains(DeadlineFeature.class.getName() + "=1"), warnings::toString);
        }
        assertEquals(Map.of("topology.deadline.tokens.per.sec", 10L), ownOf(topology.get_spouts().get("words").get_common()));
        assertEquals(Map.of("users.own", 1L), ownOf(topology.get_bolts().get("count").get_common()));
    }

    private static Map<String, Object> ownOf(ComponentCommon component) {
        Map<String, Object> own = OwnConfiguration.of(component);
        own.replaceAll((key, value) -> value instanceof Number number ? (Object) number.longValue() : value);
        return own;
    }

    private static StormTopology topology(Map<String, Object> ofSpout, Map<String, Object> ofBolt) {
        TopologyBuilder builder = new TopologyBuilder();
        builder.setSpout("words", new TestWordSpout()).addConfigurations(ofSpout);
        builder.setBolt("count", new TestWordCounter()).shuffleGrouping("words").addConfigurations(ofBolt);
        return builder.createTopology();
    }
}
