package io.eyewall.client.pool;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.eyewall.client.CapturedLog;
import io.eyewall.client.deadline.DeadlineFeature;
import io.eyewall.client.engine.EngineConfiguration;
import io.eyewall.client.seam.WorkerSeams;
import io.eyewall.client.stream.StreamConfiguration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.logging.log4j.Level;
import org.apache.storm.Config;
import org.apache.storm.generated.StormTopology;
import org.apache.storm.testing.TestWordCounter;
import org.apache.storm.testing.TestWordSpout;
import org.apache.storm.topology.TopologyBuilder;
import org.junit.jupiter.api.Test;

/** A batch of producers belongs to a thread, so its size shows whether any executors of a worker share threads. */
class ExecutorPoolFeatureTest {

    private static final int BATCH = 8;
    private static final String UPSTREAM_WAIT = "org.apache.storm.policy.WaitStrategyProgressive";

    private final Map<String, Object> topologyConf = new HashMap<>(Map.of(Config.TOPOLOGY_PRODUCER_BATCH_SIZE, BATCH,
        Config.TOPOLOGY_BOLT_WAIT_STRATEGY, UPSTREAM_WAIT, Config.TOPOLOGY_SPOUT_WAIT_STRATEGY, UPSTREAM_WAIT,
        Config.TOPOLOGY_BACKPRESSURE_WAIT_STRATEGY, UPSTREAM_WAIT));

    @Test
    void shouldLeaveAWorkerAsItIsByDefault() {
        assertEquals(BATCH, batchOf(new StormTopology()));
    }

    @Test
    void shouldSendWithoutBatchesWhereTheTopologyAsksForThePool() {
        topologyConf.put(EngineConfiguration.EXECUTOR_THREADS, EngineConfiguration.POOL);
        assertEquals(1, batchOf(new StormTopology()));
    }

    @Test
    void shouldSendWithoutBatchesWhereAComponentAsksForThePool() {
        TopologyBuilder builder = new TopologyBuilder();
        builder.setSpout("words", new TestWordSpout()).addConfiguration(EngineConfiguration.EXECUTOR_THREADS, EngineConfiguration.POOL);
        assertEquals(1, batchOf(builder.createTopology()));
    }

    @Test
    void shouldKeepOwnThreadsWhereTheUserHasChosenHowExecutorsWait() {
        topologyConf.put(EngineConfiguration.EXECUTOR_THREADS, EngineConfiguration.POOL);
        topologyConf.put(Config.TOPOLOGY_BOLT_WAIT_STRATEGY, "WaitOfTheUser");
        assertEquals(BATCH, batchOf(new StormTopology()));
    }

    @Test
    void shouldWarnWithTheRemedyWhereThePoolIsWantedAndImpossible() {
        topologyConf.put(EngineConfiguration.EXECUTOR_THREADS, EngineConfiguration.POOL);
        assertEquals(List.of(), warnings(new StormTopology()));
        topologyConf.put(Config.TOPOLOGY_BOLT_WAIT_STRATEGY, "WaitOfTheUser");
        assertEquals(List.of("topology.executor.threads is pool, but executors have threads of their own: remove"
            + " topology.bolt.wait.strategy from the configurations of the topology and its components, and from storm.yaml."),
            warnings(new StormTopology()));
        topologyConf.put(Config.TOPOLOGY_BOLT_WAIT_STRATEGY, UPSTREAM_WAIT);
        topologyConf.put(EngineConfiguration.WAKE_ON_ARRIVAL, false);
        assertEquals(List.of("topology.executor.threads is pool, but executors have threads of their own: set topology.wake.on.arrival to"
            + " true."), warnings(new StormTopology()));
    }

    @Test
    void shouldWarnWithTheRemedyWhereTargetsHaveNoEffect() {
        TopologyBuilder builder = new TopologyBuilder();
        builder.setSpout("words", new TestWordSpout()).addConfiguration("topology.deadline.target.ms", 20);
        assertEquals(List.of(), warnings(builder.createTopology()));
        topologyConf.put(Config.TOPOLOGY_BOLT_WAIT_STRATEGY, "WaitOfTheUser");
        assertEquals(List.of("topology.deadline.target.ms is 20 and needs executors that share threads: remove topology.bolt.wait.strategy"
            + " from the configurations of the topology and its components, and from storm.yaml."), warnings(builder.createTopology()));
    }

    @Test
    void shouldKeepOwnThreadsWithoutWakingOnArrival() {
        topologyConf.put(EngineConfiguration.EXECUTOR_THREADS, EngineConfiguration.POOL);
        topologyConf.put(EngineConfiguration.WAKE_ON_ARRIVAL, false);
        assertEquals(BATCH, batchOf(new StormTopology()));
    }

    @Test
    void shouldChooseThePoolWhereAWorkerHasManyExecutors() {
        int many = 8 * Runtime.getRuntime().availableProcessors() + 1;
        assertEquals(BATCH, batchOf(withExecutors(many - 1)));
        topologyConf.put(Config.TOPOLOGY_WORKERS, 2);
        assertEquals(BATCH, batchOf(withExecutors(2 * many - 2)));
        assertEquals(1, batchOf(withExecutors(2 * many)));
    }

    @Test
    void shouldCountTheExecutorsOfAnInstanceBehindAStreamManager() {
        int many = 8 * Runtime.getRuntime().availableProcessors() + 1;
        topologyConf.put(StreamConfiguration.MODE, "stream-manager");
        assertEquals(BATCH, batchOf(withExecutors(2 * many)));
        topologyConf.put(StreamConfiguration.EXECUTORS, many);
        assertEquals(BATCH, batchOf(withExecutors(many - 1)));
        assertEquals(1, batchOf(withExecutors(2 * many)));
    }

    @Test
    void shouldCountTheExecutorsThatAComponentHasInAnInstance() {
        int many = 8 * Runtime.getRuntime().availableProcessors() + 1;
        topologyConf.put(StreamConfiguration.MODE, "stream-manager");
        TopologyBuilder builder = new TopologyBuilder();
        builder.setSpout("words", new TestWordSpout(), many);
        builder.setBolt("count", new TestWordCounter(), many).shuffleGrouping("words")
            .addConfiguration(StreamConfiguration.EXECUTORS, many);
        assertEquals(1, batchOf(builder.createTopology()));

        topologyConf.put(Config.TOPOLOGY_PRODUCER_BATCH_SIZE, BATCH);
        topologyConf.put(StreamConfiguration.EXECUTORS, many);
        TopologyBuilder separate = new TopologyBuilder();
        separate.setSpout("words", new TestWordSpout(), many).addConfiguration(StreamConfiguration.EXECUTORS, 1);
        assertEquals(BATCH, batchOf(separate.createTopology()));
    }

    @Test
    void shouldKeepOwnThreadsWhereTheTopologyAsksForThem() {
        topologyConf.put(EngineConfiguration.EXECUTOR_THREADS, EngineConfiguration.OWN);
        assertEquals(BATCH, batchOf(withExecutors(100 * Runtime.getRuntime().availableProcessors())));
    }

    private static StormTopology withExecutors(int number) {
        TopologyBuilder builder = new TopologyBuilder();
        builder.setSpout("words", new TestWordSpout(), number);
        return builder.createTopology();
    }

    /** What the features of deadlines and of the pool warn about when a worker starts. */
    private List<String> warnings(StormTopology topology) {
        try (CapturedLog warnings = new CapturedLog(Level.WARN, ExecutorPoolFeature.class, DeadlineFeature.class)) {
            WorkerSeams.of(List.of(new DeadlineFeature(), new ExecutorPoolFeature()), topology, new HashMap<>(topologyConf));
            return warnings.lines();
        }
    }

    private Object batchOf(StormTopology topology) {
        WorkerSeams.of(List.of(new ExecutorPoolFeature()), topology, topologyConf);
        return topologyConf.get(Config.TOPOLOGY_PRODUCER_BATCH_SIZE);
    }
}
