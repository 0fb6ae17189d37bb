package io.eyewall.tail.auto;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;

import com.codahale.metrics.Gauge;
import io.eyewall.client.deadline.DeadlineConfiguration;
import io.eyewall.client.seam.DeadlineHolder;
import io.eyewall.client.settings.tail.TailConfiguration;
import io.eyewall.client.settings.tail.TechniqueOrders;
import io.eyewall.core.QuickCluster;
import io.eyewall.tail.recording.ObservedFeature;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.apache.storm.Config;
import org.apache.storm.LocalCluster;
import org.apache.storm.cluster.ClusterUtils;
import org.apache.storm.cluster.IStateStorage;
import org.apache.storm.shade.org.apache.zookeeper.ZooDefs;
import org.apache.storm.testing.TestWordSpout;
import org.apache.storm.topology.BasicOutputCollector;
import org.apache.storm.topology.OutputFieldsDeclarer;
import org.apache.storm.topology.TopologyBuilder;
import org.apache.storm.topology.base.BaseBasicBolt;
import org.apache.storm.tuple.Tuple;
import org.junit.jupiter.api.Test;

/** A bolt that gets the tuples of two spouts, of which one has a target. */
class DeadlineTargetsFeatureTest {

    private static final Duration DEADLINE = Duration.ofMinutes(2);
    /** The lowest bits of a deadline are the lane of its target. */
    private static final int LANE_BITS = 7;

    @Test
    void shouldApplyTargetsWhileTheSchedulerOrdersIt() throws Exception {
        TopologyBuilder topology = new TopologyBuilder();
        topology.setSpout("orders", new TestWordSpout()).addConfiguration(DeadlineConfiguration.TARGET, 20);
        topology.setSpout("logs", new TestWordSpout());
        topology.setBolt("both", new Noting()).shuffleGrouping("orders").shuffleGrouping("logs");
        Config conf = new Config();
        conf.setNumAckers(0);
        conf.put(TailConfiguration.TAIL_LATENCY, "slo");
        conf.put(DeadlineConfiguration.OTHERS, 1_000);
        conf.put("topology.executor.threads", "pool");
        ObservedFeature.METRICS.clear();
        ObservedFeature.STORAGES.clear();
        try (LocalCluster cluster = QuickCluster.of(1)) {
            cluster.submitTopology("dated", conf, topology.createTopology());
            await().atMost(DEADLINE).until(() -> Noting.apartSecs() == 0 && gauges().equals(Set.of(0)));

            IStateStorage storage = ObservedFeature.STORAGES.get(0);
            String path = TechniqueOrders.path(storage.get_children(ClusterUtils.ASSIGNMENTS_SUBTREE, false).get(0));
            storage.mkdirs(TechniqueOrders.ROOT, ZooDefs.Ids.OPEN_ACL_UNSAFE);
            storage.set_data(path, TechniqueOrders.encode(List.of(TechniqueOrders.DEADLINES)), ZooDefs.Ids.OPEN_ACL_UNSAFE);
            await().atMost(DEADLINE).until(() -> Noting.apartSecs() == 1 && gauges().equals(Set.of(1)));

            storage.delete_node(path);
            await().atMost(DEADLINE).until(() -> Noting.apartSecs() == 0 && gauges().equals(Set.of(0)));
            assertEquals(Map.of("orders", Set.of(0L), "logs", Set.of(1L)), Noting.LANES, "the messages of a spout keep their order");
        }
    }

    private static Set<Object> gauges() {
        return ObservedFeature.METRICS.stream().flatMap(metrics -> metrics.getRegistry()
            .getGauges((name, gauge) -> name.endsWith("tail-deadline-targets")).values().stream())
            .map(gauge -> ((Gauge<?>) gauge).getValue()).collect(Collectors.toSet());
    }

    /** Notes the deadline of the last tuple of each spout, and in which lanes its tuples were. */
    private static final class Noting extends BaseBasicBolt {
        private static final long serialVersionUID = 1;

        private static final Map<String, Long> LAST_NS = new ConcurrentHashMap<>();
        private static final Map<String, Set<Long>> LANES = new ConcurrentHashMap<>();

        @Override
        public void execute(Tuple input, BasicOutputCollector collector) {
            long deadlineNs = ((DeadlineHolder) input).getEyewallDeadlineNs();
            LAST_NS.put(input.getSourceComponent(), deadlineNs);
            LANES.computeIfAbsent(input.getSourceComponent(), first -> ConcurrentHashMap.newKeySet()).add(deadlineNs & LANE_BITS);
        }

        /** How much later the deadline of the last log is than that of the last order, about; -1 before there is one of each. */
        static long apartSecs() {
            return LAST_NS.size() < 2 ? -1
                : Math.round((LAST_NS.get("logs") - LAST_NS.get("orders")) / (double) TimeUnit.SECONDS.toNanos(1));
        }

        @Override
        public void declareOutputFields(OutputFieldsDeclarer declarer) {
            // Emits nothing.
        }
    }
}
