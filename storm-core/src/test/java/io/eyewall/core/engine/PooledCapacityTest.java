package io.eyewall.core.engine;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.eyewall.client.engine.EngineConfiguration;
import io.eyewall.core.QuickCluster;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.storm.Config;
import org.apache.storm.LocalCluster;
import org.apache.storm.generated.ExecutorSummary;
import org.apache.storm.generated.GlobalStreamId;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.topology.BasicOutputCollector;
import org.apache.storm.topology.OutputFieldsDeclarer;
import org.apache.storm.topology.TopologyBuilder;
import org.apache.storm.topology.base.BaseBasicBolt;
import org.apache.storm.tuple.Tuple;
import org.junit.jupiter.api.Test;

/** Bolts that compute all the time, ten on each core: none of them is busy for more than its part of the time. */
class PooledCapacityTest {

    private static final int CORES = Runtime.getRuntime().availableProcessors();
    private static final int BOLTS = 10 * CORES;
    private static final int MESSAGES = 1_000_000;
    private static final int EXECUTED_AT_LEAST = 2_000;
    private static final String WINDOW = "600";
    /** For times that Storm rounds to milliseconds, and for seconds that it counts late. */
    private static final double TOLERANCE = 1.3;

    @Test
    void shouldNotCountTheTimeInWhichAnExecutorWaitsForAThread() throws Exception {
        TopologyBuilder builder = new TopologyBuilder();
        builder.setSpout("messages", new CountedMessages(MESSAGES));
        builder.setBolt("computing", new Computing(), BOLTS).shuffleGrouping("messages");
        Config conf = new Config();
        conf.put(EngineConfiguration.EXECUTOR_THREADS, EngineConfiguration.POOL);
        conf.put(Config.TOPOLOGY_STATS_SAMPLE_RATE, 1.0);
        conf.put(Config.TOPOLOGY_ENABLE_MESSAGE_TIMEOUTS, false);
        conf.put(Config.EXECUTOR_METRICS_FREQUENCY_SECS, 1);
        conf.setMaxSpoutPending(10 * BOLTS);
        try (LocalCluster cluster = QuickCluster.of(1)) {
            cluster.submitTopology("computing", conf, builder.createTopology());
            String id = cluster.getClusterInfo().get_topologies().get(0).get_id();

            await().atMost(Duration.ofMinutes(3)).until(() -> bolts(cluster, id).stream().mapToLong(PooledCapacityTest::executed).sum()
                > EXECUTED_AT_LEAST);

            double capacity = bolts(cluster, id).stream().mapToDouble(PooledCapacityTest::capacity).sum();
            assertTrue(capacity <= TOLERANCE * CORES, () -> BOLTS + " executors are as busy as " + capacity + " of " + CORES + " cores");
            assertTrue(capacity > CORES / 4.0, () -> BOLTS + " executors are as busy as " + capacity + " of " + CORES + " cores");
        }
    }

    private static List<ExecutorSummary> bolts(LocalCluster cluster, String id) throws Exception {
        return cluster.getTopologyInfo(id).get_executors().stream()
            .filter(executor -> executor.get_component_id().equals("computing") && executor.is_set_stats()).toList();
    }

    private static long executed(ExecutorSummary executor) {
        return executor.get_stats().get_specific().get_bolt().get_executed().getOrDefault(WINDOW, Map.of()).values().stream()
            .mapToLong(Long::longValue).sum();
    }

    /** As Storm's UI computes it. */
    private static double capacity(ExecutorSummary executor) {
        Map<GlobalStreamId, Double> tookMs = executor.get_stats().get_specific().get_bolt().get_execute_ms_avg()
            .getOrDefault(WINDOW, Map.of());
        double busyMs = executor.get_stats().get_specific().get_bolt().get_executed().getOrDefault(WINDOW, Map.of()).entrySet().stream()
            .mapToDouble(stream -> stream.getValue() * tookMs.getOrDefault(stream.getKey(), 0.0)).sum();
        return busyMs / TimeUnit.SECONDS.toMillis(Math.max(1, executor.get_uptime_secs()));
    }

    /** Takes three milliseconds of CPU time. */
    private static final class Computing extends BaseBasicBolt {

        private static final long serialVersionUID = 1L;
        private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

        @Override
        public void prepare(Map<String, Object> conf, TopologyContext context) {
            assertTrue(THREADS.isCurrentThreadCpuTimeSupported());
        }

        @Override
        public void execute(Tuple tuple, BasicOutputCollector collector) {
            long untilNs = THREADS.getCurrentThreadCpuTime() + TimeUnit.MILLISECONDS.toNanos(3);
            while (THREADS.getCurrentThreadCpuTime() < untilNs) {
                Thread.onSpinWait();
            }
        }

        @Override
        public void declareOutputFields(OutputFieldsDeclarer declarer) {
            // It emits nothing.
        }
    }
}
