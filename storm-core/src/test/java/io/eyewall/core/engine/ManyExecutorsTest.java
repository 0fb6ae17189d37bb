package io.eyewall.core.engine;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.eyewall.client.engine.EngineConfiguration;
import io.eyewall.core.QuickCluster;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.storm.Config;
import org.apache.storm.LocalCluster;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.topology.BasicOutputCollector;
import org.apache.storm.topology.OutputFieldsDeclarer;
import org.apache.storm.topology.TopologyBuilder;
import org.apache.storm.topology.base.BaseBasicBolt;
import org.apache.storm.tuple.Tuple;
import org.junit.jupiter.api.Test;

/** A thousand executors in one worker that share threads: how many threads and how much memory there is, and that each message is acked. */
class ManyExecutorsTest {

    private static final int SPOUTS = 10;
    private static final int STAGES = 9;
    private static final int EXECUTORS_OF_A_STAGE = 110;
    private static final int MESSAGES_OF_A_SPOUT = 300;
    /** Threads of the pool, of spouts, which begin on their own, and of bolts that a busy machine has kept from a core for long. */
    private static final int MAX_THREADS = 100;
    /** What an executor keeps on the heap when it has nothing to do. */
    private static final long MAX_BYTES_OF_AN_EXECUTOR = 300_000;

    private static final Duration SOON = Duration.ofMinutes(4);

    private static final Set<Integer> EXECUTED_BY = ConcurrentHashMap.newKeySet();

    @Test
    void shouldAckEachMessageWithFewThreads() throws Exception {
        CountedMessages.ACKED.clear();
        TopologyBuilder builder = new TopologyBuilder();
        builder.setSpout("messages", new CountedMessages(MESSAGES_OF_A_SPOUT), SPOUTS);
        String before = "messages";
        for (int stage = 0; stage < STAGES; stage++) {
            builder.setBolt("stage-" + stage, new Stage(), EXECUTORS_OF_A_STAGE).shuffleGrouping(before);
            before = "stage-" + stage;
        }
        Config conf = new Config();
        conf.put(EngineConfiguration.EXECUTOR_THREADS, EngineConfiguration.POOL);
        conf.put(Config.TOPOLOGY_EXECUTOR_RECEIVE_BUFFER_SIZE, 1_024);
        conf.put(Config.TOPOLOGY_ENABLE_MESSAGE_TIMEOUTS, false);
        conf.setMaxSpoutPending(100);
        try (LocalCluster cluster = QuickCluster.of(1)) {
            long bytesBefore = usedBytes();
            cluster.submitTopology("many", conf, builder.createTopology());
            // Until then, some executors are being prepared, each on a thread of its own.
            await().atMost(SOON).until(() -> EXECUTED_BY.size() == STAGES * EXECUTORS_OF_A_STAGE);
            long[] most = new long[1];
            await().atMost(SOON).until(() -> {
                most[0] = Math.max(most[0], threadsOfExecutors());
                return CountedMessages.ACKED.size() >= SPOUTS * MESSAGES_OF_A_SPOUT;
            });
            assertTrue(most[0] < MAX_THREADS, () -> most[0] + " threads for a thousand executors");
            long bytes = (usedBytes() - bytesBefore) / (SPOUTS + STAGES * EXECUTORS_OF_A_STAGE);
            assertTrue(bytes < MAX_BYTES_OF_AN_EXECUTOR, () -> bytes + " bytes for each executor");
        }

        assertEquals(SPOUTS * MESSAGES_OF_A_SPOUT, CountedMessages.ACKED.stream().distinct().count());
        assertEquals(SPOUTS * MESSAGES_OF_A_SPOUT, CountedMessages.ACKED.size());
    }

    /** The threads have the names of the components that they run. */
    private static long threadsOfExecutors() {
        return Thread.getAllStackTraces().keySet().stream().map(Thread::getName)
            .filter(name -> name.contains("stage-") || name.contains("messages")).count();
    }

    /** What is reachable, in bytes. */
    private static long usedBytes() {
        System.gc();
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }

    /** Emits what it gets. */
    private static final class Stage extends BaseBasicBolt {

        private static final long serialVersionUID = 1L;

        private transient int task;

        @Override
        public void prepare(Map<String, Object> conf, TopologyContext context) {
            task = context.getThisTaskId();
        }

        @Override
        public void execute(Tuple tuple, BasicOutputCollector collector) {
            EXECUTED_BY.add(task);
            collector.emit(tuple.getValues());
        }

        @Override
        public void declareOutputFields(OutputFieldsDeclarer declarer) {
            declarer.declare(CountedMessages.FIELDS);
        }
    }
}
