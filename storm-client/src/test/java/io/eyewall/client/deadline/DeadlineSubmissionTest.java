package io.eyewall.client.deadline;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.fail;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.storm.Config;
import org.apache.storm.generated.InvalidTopologyException;
import org.apache.storm.testing.TestWordCounter;
import org.apache.storm.testing.TestWordSpout;
import org.apache.storm.topology.TopologyBuilder;
import org.junit.jupiter.api.Test;

class DeadlineSubmissionTest {

    private static final String THREADS = "topology.executor.threads";

    @Test
    void shouldTakeTargetsWhereExecutorsShareThreads() {
        assertDoesNotThrow(() -> submit(Map.of(), 0, "own"));
        assertDoesNotThrow(() -> submit(Map.of(THREADS, "auto"), 20, null));
        assertDoesNotThrow(() -> submit(Map.of(THREADS, "pool"), 20, null));
        assertDoesNotThrow(() -> submit(Map.of(), 20, null));
        assertDoesNotThrow(() -> submit(Map.of(THREADS, "own"), 20, "pool"));
    }

    @Test
    void shouldRefuseTargetsWhereEachExecutorHasAThread() {
        InvalidTopologyException refused = assertThrows(InvalidTopologyException.class,
            () -> submit(Map.of(THREADS, "own"), 20, null));
        assertEquals("topology.deadline.target.ms is 20 and needs executors that share threads: set topology.executor.threads to auto or"
            + " pool instead of own.", refused.get_msg());
        assertThrows(InvalidTopologyException.class, () -> submit(Map.of(THREADS, "pool", "topology.wake.on.arrival", false), 20, null));
        assertThrows(InvalidTopologyException.class, () -> submit(Map.of(THREADS, "own", DeadlineConfiguration.TARGET, 20), 20, null));
    }

    @Test
    void shouldNameWhatKeepsExecutorsOnThreadsOfTheirOwn() {
        String needs = "topology.deadline.target.ms is 20 and needs executors that share threads: ";
        String park = "org.apache.storm.policy.WaitStrategyPark";
        String remove = "remove topology.spout.wait.strategy from the configurations of the topology and its components, and from"
            + " storm.yaml";
        for (String threads : List.of("auto", "pool")) {
            assertEquals(needs + remove + ".", assertThrows(InvalidTopologyException.class,
                () -> submit(Map.of(THREADS, threads, Config.TOPOLOGY_SPOUT_WAIT_STRATEGY, park), 20, null)).get_msg());
        }
        assertEquals(needs + remove + ", set topology.executor.threads to auto or pool instead of own, set topology.wake.on.arrival to"
            + " true.", assertThrows(InvalidTopologyException.class, () -> submit(Map.of(THREADS, "own", "topology.wake.on.arrival", false,
                Config.TOPOLOGY_SPOUT_WAIT_STRATEGY, park), 20, null)).get_msg());
        String upstreams = "org.apache.storm.policy.WaitStrategyProgressive";
        assertDoesNotThrow(() -> submit(Map.of(Config.TOPOLOGY_SPOUT_WAIT_STRATEGY, upstreams), 20, null));
        assertThrows(InvalidTopologyException.class, () -> {
            TopologyBuilder builder = new TopologyBuilder();
            builder.setSpout("words", new TestWordSpout()).addConfigurations(Map.of(DeadlineConfiguration.TARGET, 20, THREADS, "own"));
            submit(Map.of(THREADS, "pool"), builder);
        }, "no component shares threads");
    }

    @Test
    void shouldRefuseTokensWhereNoSpoutHasATarget() {
        InvalidTopologyException refused =
            assertThrows(InvalidTopologyException.class, () -> submit(Map.of(THREADS, "pool", DeadlineConfiguration.TOKENS, 10), 0, null));
        assertEquals("topology.deadline.tokens.per.sec has no effect, since no spout has a target: set topology.deadline.target.ms as"
            + " well, or topology.deadline.policy to fair.", refused.get_msg());
        assertDoesNotThrow(() -> submit(Map.of(THREADS, "pool", DeadlineConfiguration.TOKENS, 10), 20, null));
    }

    @Test
    void shouldRefuseTokensWhereThePolicyDoesNotRegardTargets() {
        InvalidTopologyException refused = assertThrows(InvalidTopologyException.class,
            () -> submit(Map.of(DeadlineConfiguration.POLICY, "sjf", DeadlineConfiguration.TOKENS, 10), 20, null));
        assertEquals("topology.deadline.tokens.per.sec has no effect, since topology.deadline.policy is sjf, which does not regard targets:"
            + " set topology.deadline.policy to llf, or remove topology.deadline.tokens.per.sec.", refused.get_msg());
        assertDoesNotThrow(() -> submit(Map.of(DeadlineConfiguration.POLICY, "edf", DeadlineConfiguration.TOKENS, 10), 20, null));
        assertDoesNotThrow(() -> submit(Map.of(DeadlineConfiguration.POLICY, "sjf"), 20, null));
    }

    @Test
    void shouldNameTheKeysOfWhatIsNoPolicy() {
        for (Object policy : List.of("none", "LLF", 5)) {
            InvalidTopologyException refused =
                assertThrows(InvalidTopologyException.class, () -> submit(Map.of(DeadlineConfiguration.POLICY, policy), 20, null));
            assertEquals("topology.deadline.policy is '" + policy + "', but must be llf, edf, sjf or fair; for no deadlines, remove it"
                + " and set topology.deadline.target.ms to 0.", refused.get_msg());
        }
    }

    @Test
    void shouldNameATargetThatIsOutOfRange() {
        InvalidTopologyException refused = assertThrows(InvalidTopologyException.class, () -> submit(Map.of(THREADS, "pool"), -1, null));
        assertEquals("topology.deadline.target.ms is '-1', but must be a whole number of milliseconds from 0 to 3600000, or a map from"
            + " streams of the spout to such numbers.", refused.get_msg());
        assertThrows(InvalidTopologyException.class, () -> submit(Map.of(), Map.of("default", -1)));
        assertThrows(InvalidTopologyException.class, () -> submit(Map.of(), Map.of("default", "20")));
        assertThrows(InvalidTopologyException.class, () -> submit(Map.of(), List.of(20)));
    }

    @Test
    void shouldTakeTargetsOfStreamsThatTheSpoutDeclaresOnly() {
        assertDoesNotThrow(() -> submit(Map.of(), Map.of("default", 20)));
        InvalidTopologyException refused = assertThrows(InvalidTopologyException.class, () -> submit(Map.of(), Map.of("defualt", 20)));
        assertEquals("topology.deadline.target.ms has a stream 'defualt', which no spout with this setting declares: name one of"
            + " their streams, 'default'.",
            refused.get_msg());
    }

    @Test
    void shouldRefuseSettingsOfComponentsThatHaveNone() {
        TopologyBuilder builder = new TopologyBuilder();
        builder.setSpout("words", new TestWordSpout());
        builder.setBolt("count", new TestWordCounter()).shuffleGrouping("words").addConfiguration(DeadlineConfiguration.TARGET, 20);
        assertEquals("topology.deadline.target.ms has no effect in the configuration of the bolt 'count': set it for a spout, or for the"
            + " topology.", assertThrows(InvalidTopologyException.class, () -> submit(Map.of(), builder)).get_msg());

        TopologyBuilder other = new TopologyBuilder();
        other.setSpout("words", new TestWordSpout()).addConfiguration(DeadlineConfiguration.POLICY, "fair");
        assertEquals("topology.deadline.policy has no effect in the configuration of the spout 'words': set it for the topology.",
            assertThrows(InvalidTopologyException.class, () -> submit(Map.of(), other)).get_msg());
    }

    @Test
    void shouldTakeFairSharesWithoutTargetsOnly() {
        Map<String, Object> fair = Map.of(DeadlineConfiguration.POLICY, "fair", DeadlineConfiguration.TOKENS, 10);
        assertDoesNotThrow(() -> submit(fair, 0, null));
        assertEquals("topology.deadline.target.ms of the spout 'words' has no effect, since topology.deadline.policy is fair, which does"
            + " not regard targets: set topology.deadline.policy to llf, or remove topology.deadline.target.ms.",
            assertThrows(InvalidTopologyException.class, () -> submit(fair, 20, null)).get_msg());
        assertDoesNotThrow(() -> submit(Map.of(DeadlineConfiguration.POLICY, "fair"), 0, null), "equal shares");
        Map<String, Object> own = new HashMap<>(fair);
        own.put(THREADS, "own");
        assertEquals("topology.deadline.policy is fair and needs executors that share threads: set topology.executor.threads to auto or"
            + " pool instead of own.", assertThrows(InvalidTopologyException.class, () -> submit(own, 0, null)).get_msg());
    }

    private static void submit(Map<String, Object> conf, Object target) throws InvalidTopologyException {
        TopologyBuilder builder = new TopologyBuilder();
        builder.setSpout("words", new TestWordSpout()).addConfiguration(DeadlineConfiguration.TARGET, target);
        submit(conf, builder);
    }

    private static void submit(Map<String, Object> conf, long targetMs, String threadsOfTheBolt) throws InvalidTopologyException {
        TopologyBuilder builder = new TopologyBuilder();
        builder.setSpout("words", new TestWordSpout()).addConfiguration(DeadlineConfiguration.TARGET, targetMs);
        Map<String, Object> own = threadsOfTheBolt == null ? Map.of() : Map.of(THREADS, threadsOfTheBolt);
        builder.setBolt("count", new TestWordCounter()).shuffleGrouping("words").addConfigurations(own);
        submit(conf, builder);
    }

    private static void submit(Map<String, Object> conf, TopologyBuilder builder) throws InvalidTopologyException {
        new DeadlineSubmission().submitting(new HashMap<>(conf), builder.createTopology(), () -> fail("the cluster does not matter"),
            new HashMap<>());
    }
}
