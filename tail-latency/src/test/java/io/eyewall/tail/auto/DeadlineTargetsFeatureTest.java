package io.eyewall.tail.auto;

import static org.awaitility.Awaitility.await;

import com.codahale.metrics.Gauge;
import io.eyewall.client.deadline.DeadlineConfiguration;
import io.eyewall.client.seam.DeadlineHolder;
import io.eyewall.client.settings.tail.TailConfiguration;
import io.eyewall.client.settings.tail.TechniqueOrders;
import io.eyewall.tail.QuickCluster;
import io.eyewall.tail.recording.ObservedFeature;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
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
        topology.setBolt("both", new Lanes()).shuffleGrouping("orders").shuffleGrouping("logs");
        Config conf = new Config();
        conf.setNumAckers(0);
        conf.put(TailConfiguration.TAIL_LATENCY, "slo");
        conf.put("topology.executor.threads", "pool");
        ObservedFeature.METRICS.clear();
        ObservedFeature.STORAGES.clear();
        try (LocalCluster cluster = QuickCluster.of(1)) {
            cluster.submitTopology("dated", conf, topology.createTopology());
            await().atMost(DEADLINE).until(() -> Lanes.LAST.equals(Map.of("orders", 1L, "logs", 1L)) && gauges().equals(Set.of(0)));

            IStateStorage storage = ObservedFeature.STORAGES.get(0);
            String path = TechniqueOrders.path(storage.get_children(ClusterUtils.ASSIGNMENTS_SUBTREE, false).get(0));
            storage.mkdirs(TechniqueOrders.ROOT, ZooDefs.Ids.OPEN_ACL_UNSAFE);
            storage.set_data(path, TechniqueOrders.encode(List.of(TechniqueOrders.DEADLINES)), ZooDefs.Ids.OPEN_ACL_UNSAFE);
            await().atMost(DEADLINE).until(() -> Lanes.LAST.equals(Map.of("orders", 0L, "logs", 1L)) && gauges().equals(Set.of(1)));

            storage.delete_node(path);
            await().atMost(DEADLINE).until(() -> Lanes.LAST.equals(Map.of("orders", 1L, "logs", 1L)) && gauges().equals(Set.of(0)));
        }
    }

    private static Set<Object> gauges() {
        return ObservedFeature.METRICS.stream().flatMap(metrics -> metrics.getRegistry()
            .getGauges((name, gauge) -> name.endsWith("tail-deadline-targets")).values().stream())
            .map(gauge -> ((Gauge<?>) gauge).getValue()).collect(Collectors.toSet());
    }

    /** Notes in which lane the last tuple of each spout was. */
    private static final class Lanes extends BaseBasicBolt {
        private static final long serialVersionUID = 1;

        private static final Map<String, Long> LAST = new ConcurrentHashMap<>();

        @Override
        public void execute(Tuple input, BasicOutputCollector collector) {
            LAST.put(input.getSourceComponent(), ((DeadlineHolder) input).getEyewallDeadlineNs() & LANE_BITS);
        }

        @Override
        public void declareOutputFields(OutputFieldsDeclarer declarer) {
            // Emits nothing.
        }
    }
}
