package io.eyewall.tail.balance;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.codahale.metrics.Gauge;
import io.eyewall.client.settings.tail.BalancingConfiguration;
import io.eyewall.client.settings.tail.TailConfiguration;
import io.eyewall.client.settings.tail.TechniqueOrders;
import io.eyewall.core.QuickCluster;
import io.eyewall.tail.recording.ObservedFeature;
import io.eyewall.tail.replay.ReplayConfiguration;
import io.eyewall.tail.shared.SharingConfiguration;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.apache.storm.Config;
import org.apache.storm.LocalCluster;
import org.apache.storm.cluster.ClusterUtils;
import org.apache.storm.cluster.IStateStorage;
import org.apache.storm.metrics2.StormMetricRegistry;
import org.apache.storm.shade.org.apache.zookeeper.ZooDefs;
import org.apache.storm.spout.SpoutOutputCollector;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.topology.BasicOutputCollector;
import org.apache.storm.topology.OutputFieldsDeclarer;
import org.apache.storm.topology.TopologyBuilder;
import org.apache.storm.topology.base.BaseBasicBolt;
import org.apache.storm.topology.base.BaseRichSpout;
import org.apache.storm.tuple.Fields;
import org.apache.storm.tuple.Tuple;
import org.apache.storm.tuple.Values;
import org.junit.jupiter.api.Test;

/** Balancing in topologies that run in two workers, with four tasks of one bolt, of which the first is twenty times as slow. */
class LatencyBalancingFeatureTest {

    private static final Duration DEADLINE = Duration.ofMinutes(2);
    private static final int WORKERS = 2;
    private static final int TASKS = 4;
    private static final long FAST_NS = TimeUnit.MICROSECONDS.toNanos(500);
    private static final long SLOW_NS = TimeUnit.MILLISECONDS.toNanos(10);

    @Test
    void shouldSendLessToTheSlowTaskFromBothWorkersWhenSwitchedOn() throws Exception {
        run(Map.of(BalancingConfiguration.BALANCING, true), () -> await().atMost(DEADLINE).until(() -> {
            List<Double> slow = gauges("balancing-share-default-work-" + firstTask());
            return slow.size() == WORKERS && slow.stream().allMatch(share -> share < 0.2);
        }));

        assertTrue(gauges("balancing-latency-ns").stream().anyMatch(latencyNs -> latencyNs >= SLOW_NS), "the slow one is known");
    }

    @Test
    void shouldShowNothingWhenSwitchedOff() throws Exception {
        run(Map.of(), () -> await().atMost(DEADLINE).until(() -> Work.EXECUTED.get() > 100));

        assertTrue(ObservedFeature.METRICS.stream().flatMap(metrics -> metrics.getRegistry().getNames().stream())
            .noneMatch(name -> name.contains("balancing")));
    }

    @Test
    void shouldBeSwitchedOnWhereATaskIsSlow() throws Exception {
        Map<String, Object> settings = Map.of(TailConfiguration.TAIL_LATENCY, "auto", SharingConfiguration.EXECUTOR_QUEUE, "own");
        run(settings, () -> await().atMost(DEADLINE).until(() -> {
            List<Double> slow = gauges("balancing-share-default-work-" + firstTask());
            return slow.size() == WORKERS && slow.stream().allMatch(share -> share < 0.2)
                && gauges("tail-balancing-default-work").equals(List.of(1.0, 1.0));
        }));
    }

    @Test
    void shouldFollowTheSchedulersOrdersWhileItRuns() throws Exception {
        run(Map.of(TailConfiguration.TAIL_LATENCY, "slo", ReplayConfiguration.ADAPTIVE_TIMEOUT, false), () -> {
            await().atMost(DEADLINE).until(() -> Work.EXECUTED.get() > 100 && gauges("tail-balancing").size() == WORKERS);
            assertEquals(List.of(0.0, 0.0), gauges("tail-balancing"));
            assertEquals(List.of(), gauges("balancing-latency-ns"), "nothing is measured while it is off");

            IStateStorage storage = ObservedFeature.STORAGES.get(0);
            String path = TechniqueOrders.path(topologyId(storage));
            storage.mkdirs(TechniqueOrders.ROOT, ZooDefs.Ids.OPEN_ACL_UNSAFE);
            storage.set_data(path, TechniqueOrders.encode(List.of(BalancingConfiguration.BALANCING)), ZooDefs.Ids.OPEN_ACL_UNSAFE);
            await().atMost(DEADLINE).until(() -> {
                List<Double> slow = gauges("balancing-share-default-work-" + firstTask());
                return slow.size() == WORKERS && slow.stream().allMatch(share -> share < 0.2)
                    && gauges("tail-balancing").equals(List.of(1.0, 1.0));
            });

            storage.delete_node(path);
            await().atMost(DEADLINE).until(() -> gauges("tail-balancing").equals(List.of(0.0, 0.0))
                && gauges("balancing-share-default-work-" + firstTask()).stream().allMatch(share -> share == 0.25));
        });
    }

    private static String topologyId(IStateStorage storage) {
        return storage.get_children(ClusterUtils.ASSIGNMENTS_SUBTREE, false).get(0);
    }

    private static void run(Map<String, Object> settings, Runnable whileItRuns) throws Exception {
        ObservedFeature.METRICS.clear();
        ObservedFeature.STORAGES.clear();
        Work.EXECUTED.set(0);
        TopologyBuilder topology = new TopologyBuilder();
        topology.setSpout("words", new Words(), WORKERS);
        topology.setBolt("work", new Work(), TASKS).shuffleGrouping("words");
        Config conf = new Config();
        conf.setNumWorkers(WORKERS);
        conf.setNumAckers(0);
        conf.putAll(settings);
        conf.put(BalancingConfiguration.PERIOD_SECS, 1);
        try (LocalCluster cluster = QuickCluster.of(WORKERS)) {
            cluster.submitTopology("uneven", conf, topology.createTopology());
            whileItRuns.run();
        }
    }

    private static int firstTask() {
        return Work.firstTask;
    }

    /** The values of the gauges of all workers whose name ends so. */
    private static List<Double> gauges(String name) {
        List<Double> values = new ArrayList<>();
        for (StormMetricRegistry metrics : ObservedFeature.METRICS) {
            metrics.getRegistry().getGauges((each, gauge) -> each.endsWith(name)).values()
                .forEach(gauge -> values.add(((Number) ((Gauge<?>) gauge).getValue()).doubleValue()));
        }
        return values;
    }

    /** Emits a word every five milliseconds. */
    private static final class Words extends BaseRichSpout {
        private static final long serialVersionUID = 1;

        private transient SpoutOutputCollector collector;

        @Override
        public void open(Map<String, Object> conf, TopologyContext context, SpoutOutputCollector spoutCollector) {
            collector = spoutCollector;
        }

        @Override
        public void nextTuple() {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
            collector.emit(new Values("word"));
        }

        @Override
        public void declareOutputFields(OutputFieldsDeclarer declarer) {
            declarer.declare(new Fields("word"));
        }
    }

    /** Sleeps, its first task for longer than the others. */
    private static final class Work extends BaseBasicBolt {
        private static final long serialVersionUID = 1;

        private static volatile int firstTask;
        private static final AtomicLong EXECUTED = new AtomicLong();

        private transient long workNs;

        @Override
        public void prepare(Map<String, Object> conf, TopologyContext context) {
            boolean slow = context.getThisTaskIndex() == 0;
            if (slow) {
                firstTask = context.getThisTaskId();
            }
            workNs = slow ? SLOW_NS : FAST_NS;
        }

        @Override
        public void execute(Tuple input, BasicOutputCollector collector) {
            LockSupport.parkNanos(workNs);
            EXECUTED.incrementAndGet();
        }

        @Override
        public void declareOutputFields(OutputFieldsDeclarer declarer) {
            // Emits nothing.
        }
    }
}
