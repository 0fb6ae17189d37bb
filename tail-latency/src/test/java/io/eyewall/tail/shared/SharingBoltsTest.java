package io.eyewall.tail.shared;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.eyewall.client.deadline.DeadlineConfiguration;
import io.eyewall.client.deadline.DeadlineFeature;
import io.eyewall.client.seam.ReceiveQueues;
import io.eyewall.client.seam.WorkerSeams;
import io.eyewall.client.settings.tail.TailConfiguration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.storm.generated.StormTopology;
import org.apache.storm.testing.TestWordCounter;
import org.apache.storm.testing.TestWordSpout;
import org.apache.storm.topology.BoltDeclarer;
import org.apache.storm.topology.TopologyBuilder;
import org.apache.storm.tuple.Fields;
import org.apache.storm.utils.Utils;
import org.apache.storm.validation.ConfigValidation;
import org.junit.jupiter.api.Test;

class SharingBoltsTest {

    private static final Map<String, Object> SHARED = Map.of(SharingConfiguration.EXECUTOR_QUEUE, "shared");
    private static final Map<String, Object> OWN = Map.of(SharingConfiguration.EXECUTOR_QUEUE, "own");

    @Test
    void shouldShareWhereAnyTaskWillDoWhenTheTopologySaysSo() {
        assertTrue(shares(SHARED, bolt -> bolt.shuffleGrouping("words")));
        assertTrue(shares(SHARED, bolt -> bolt.localOrShuffleGrouping("words")));
        assertTrue(shares(SHARED, bolt -> bolt.noneGrouping("words")));
        assertTrue(shares(SHARED, bolt -> bolt.shuffleGrouping("words").localOrShuffleGrouping("others")));
    }

    @Test
    void shouldNotShareWhereOneInputAsksForACertainTask() {
        assertFalse(shares(SHARED, bolt -> bolt.fieldsGrouping("words", new Fields("word"))));
        assertFalse(shares(SHARED, bolt -> bolt.shuffleGrouping("words").allGrouping("others")));
        assertFalse(shares(SHARED, bolt -> bolt.globalGrouping("words")));
        assertFalse(shares(SHARED, bolt -> bolt.directGrouping("words")));
    }

    @Test
    void shouldShareNothingWhenNobodySaysSo() {
        assertFalse(shares(Map.of(), bolt -> bolt.shuffleGrouping("words")));
        assertFalse(SharingBolts.shares(SHARED, topology(bolt -> bolt.shuffleGrouping("words")), "words"), "a spout");
        assertFalse(SharingBolts.shares(SHARED, topology(bolt -> bolt.shuffleGrouping("words")), "__acker"));
    }

    @Test
    void shouldPreferWhatTheBoltSaysItself() {
        assertFalse(shares(SHARED, bolt -> bolt.shuffleGrouping("words").addConfigurations(OWN)));
        assertTrue(shares(OWN, bolt -> bolt.shuffleGrouping("words").addConfigurations(SHARED)));
    }

    @Test
    void shouldSwitchWhatMayShareAndSaysNothingItself() {
        assertTrue(SharingBolts.could(topology(bolt -> bolt.shuffleGrouping("words")), "count"));
        assertFalse(SharingBolts.could(topology(bolt -> bolt.shuffleGrouping("words").addConfigurations(OWN)), "count"));
        assertFalse(SharingBolts.could(topology(bolt -> bolt.globalGrouping("words")), "count"));
    }

    @Test
    void shouldRefuseABoltThatIsToldToShareAndCannotInOneLine() {
        StormTopology topology = topology(bolt -> bolt.fieldsGrouping("words", new Fields("word")).addConfigurations(SHARED));

        assertEquals("topology.executor.queue is 'shared' for the bolt 'count', but its input 'default' of 'words' must be a shuffle,"
                + " local-or-shuffle or none grouping: leave the bolt at 'own'.",
            assertThrows(IllegalArgumentException.class, () -> SharingBolts.check(Map.of(), topology)).getMessage());
        assertDoesNotThrow(() -> SharingBolts.check(Map.of(), topology(bolt -> bolt.shuffleGrouping("words").addConfigurations(SHARED))));
        assertDoesNotThrow(() -> SharingBolts.check(Map.of(), topology(bolt -> bolt.fieldsGrouping("words", new Fields("word")))));
    }

    @Test
    void shouldRefuseAnotherWordInOneLine() {
        Map<String, Object> conf = Utils.readDefaultConfig();
        conf.put(SharingConfiguration.EXECUTOR_QUEUE, "common");

        assertEquals("topology.executor.queue is 'common', but must be own or shared.",
            assertThrows(IllegalArgumentException.class, () -> ConfigValidation.validateFields(conf)).getMessage());
        assertThrows(IllegalArgumentException.class, () -> SharingBolts.check(Map.of(), topology(bolt -> bolt.shuffleGrouping("words")
            .addConfigurations(Map.of(SharingConfiguration.EXECUTOR_QUEUE, "common")))));
    }

    @Test
    void shouldRefuseToShareWhereASpoutHasATarget() {
        StormTopology asked = topology(bolt -> bolt.shuffleGrouping("words").addConfigurations(SHARED));
        StormTopology other = topology(bolt -> bolt.shuffleGrouping("words"));
        Map<String, Object> target = Map.of(DeadlineConfiguration.TARGET, 20);
        Map<String, Object> both = Map.of(DeadlineConfiguration.TARGET, 20, SharingConfiguration.EXECUTOR_QUEUE, "shared");
        String refusal = "topology.executor.queue is 'shared' for the bolt 'count', but a spout has a target"
            + " (topology.deadline.target.ms) or a share (topology.deadline.policy), and urgent tuples go first only in queues of"
            + " executors: leave the bolt at 'own', or remove that key.";

        assertEquals(refusal, assertThrows(IllegalArgumentException.class, () -> SharingBolts.check(target, asked)).getMessage());
        assertEquals(refusal, assertThrows(IllegalArgumentException.class, () -> SharingBolts.check(both, other)).getMessage());
        assertDoesNotThrow(() -> SharingBolts.check(target, other));
        assertDoesNotThrow(() -> SharingBolts.check(SHARED, other));
        assertDoesNotThrow(() -> SharingBolts.check(both, topology(bolt -> bolt.globalGrouping("words"))), "it would not share anyway");
    }

    @Test
    void shouldLeaveWorkersWithDeadlinesTheQueuesOfTheirExecutors() {
        StormTopology topology = topology(bolt -> bolt.shuffleGrouping("words"));
        for (Map<String, Object> sharing : List.of(SHARED, Map.<String, Object>of(TailConfiguration.TAIL_LATENCY, "auto"))) {
            Map<String, Object> conf = new HashMap<>(sharing);
            assertNotSame(ReceiveQueues.UPSTREAM, receiveQueues(topology, conf));
            conf.put(DeadlineConfiguration.TARGET, 20);
            assertSame(ReceiveQueues.UPSTREAM, receiveQueues(topology, conf));
        }
    }

    private static ReceiveQueues receiveQueues(StormTopology topology, Map<String, Object> conf) {
        return WorkerSeams.of(List.of(new DeadlineFeature(), new SharedQueuesFeature()), topology, conf).receiveQueues();
    }

    private static boolean shares(Map<String, Object> topologyConf, Consumer<BoltDeclarer> inputs) {
        return SharingBolts.shares(topologyConf, topology(inputs), "count");
    }

    private static StormTopology topology(Consumer<BoltDeclarer> inputs) {
        TopologyBuilder builder = new TopologyBuilder();
        builder.setSpout("words", new TestWordSpout());
        builder.setSpout("others", new TestWordSpout());
        inputs.accept(builder.setBolt("count", new TestWordCounter(), 2));
        return builder.createTopology();
    }
}
