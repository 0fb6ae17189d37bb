package io.eyewall.tail;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.eyewall.client.settings.tail.BalancingConfiguration;
import io.eyewall.core.QuickCluster;
import io.eyewall.tail.replay.ReplayConfiguration;
import io.eyewall.tail.shared.SharingConfiguration;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.apache.storm.Config;
import org.apache.storm.LocalCluster;
import org.apache.storm.generated.StormTopology;
import org.apache.storm.spout.SpoutOutputCollector;
import org.apache.storm.task.OutputCollector;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.topology.OutputFieldsDeclarer;
import org.apache.storm.topology.TopologyBuilder;
import org.apache.storm.topology.base.BaseRichBolt;
import org.apache.storm.topology.base.BaseRichSpout;
import org.apache.storm.tuple.Fields;
import org.apache.storm.tuple.Tuple;
import org.apache.storm.tuple.Values;
import org.junit.jupiter.api.Test;

/**
 * A topology for every mix of the techniques, with trees of random size, random delays, and tuples that fail or are lost, as they are when
 * a worker is killed. Whatever becomes of its instances, each message is acked or failed, and that once.
 */
class EveryMixTest {

    private static final Duration DEADLINE = Duration.ofMinutes(3);
    private static final int MIXES = 8;
    private static final int MESSAGES = 400;
    private static final int TIMEOUT_SECS = 2;

    /** By topology, what became of its messages, in order. */
    private static final Map<String, Map<Object, List<String>>> OUTCOMES = new ConcurrentHashMap<>();
    /** By topology, how many instances were under way when its spout was last asked for more; nothing before it has emitted all. */
    private static final Map<String, Long> UNDER_WAY = new ConcurrentHashMap<>();

    @Test
    void shouldReportOneOutcomeOfEveryMessageUnderEveryMix() throws Exception {
        OUTCOMES.clear();
        UNDER_WAY.clear();
        try (LocalCluster cluster = QuickCluster.of(MIXES)) {
            for (int mix = 0; mix < MIXES; mix++) {
                cluster.submitTopology("mix-" + mix, conf(mix), topology());
            }
            // Then nothing can come any more: no instance is under way, and no message is left of which one could be sent.
            await().atMost(DEADLINE).until(() -> UNDER_WAY.size() == MIXES && UNDER_WAY.values().stream().allMatch(left -> left == 0)
                && OUTCOMES.values().stream().allMatch(outcomes -> outcomes.size() == MESSAGES));
        }

        OUTCOMES.forEach((topology, outcomes) -> {
            assertTrue(outcomes.values().stream().allMatch(outcome -> outcome.size() == 1), () -> topology + ": " + outcomes);
            long acked = outcomes.values().stream().filter(List.of("ack")::equals).count();
            assertTrue(acked > MESSAGES / 2, () -> topology + " has acked " + acked);
        });
        assertEquals(MIXES, OUTCOMES.size());
    }

    private static Config conf(int mix) {
        Config conf = new Config();
        conf.setNumWorkers(1);
        conf.setNumAckers(1);
        conf.setMaxSpoutPending(100);
        conf.setMessageTimeoutSecs(TIMEOUT_SECS);
        conf.put(Config.TOPOLOGY_ENABLE_MESSAGE_TIMEOUTS, true);
        conf.put(ReplayConfiguration.ADAPTIVE_TIMEOUT, (mix & 1) != 0);
        conf.put(ReplayConfiguration.SAMPLES, 20);
        conf.put(ReplayConfiguration.PERCENT, 50);
        conf.put(ReplayConfiguration.REPLAYS, 2);
        conf.put(SharingConfiguration.EXECUTOR_QUEUE, (mix & 2) != 0 ? "shared" : "own");
        conf.put(BalancingConfiguration.BALANCING, (mix & 4) != 0);
        conf.put(BalancingConfiguration.PERIOD_SECS, 1);
        return conf;
    }

    private static StormTopology topology() {
        TopologyBuilder topology = new TopologyBuilder();
        topology.setSpout("numbers", new Source());
        topology.setBolt("split", new RandomBolt(3), 2).shuffleGrouping("numbers");
        topology.setBolt("work", new RandomBolt(0), 3).shuffleGrouping("split");
        return topology.createTopology();
    }

    private static final class Source extends BaseRichSpout {
        private static final long serialVersionUID = 1;

        private transient SpoutOutputCollector collector;
        private transient String topology;
        private transient Map<Object, List<String>> outcomes;
        private int emitted;

        @Override
        public void open(Map<String, Object> conf, TopologyContext context, SpoutOutputCollector spoutCollector) {
            collector = spoutCollector;
            topology = (String) conf.get(Config.TOPOLOGY_NAME);
            outcomes = OUTCOMES.computeIfAbsent(topology, first -> new ConcurrentHashMap<>());
        }

        @Override
        public void nextTuple() {
            if (emitted < MESSAGES) {
                collector.emit(new Values(emitted), emitted);
                emitted++;
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
            } else {
                UNDER_WAY.put(topology, collector.getPendingCount());
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
            }
        }

        @Override
        public void ack(Object messageId) {
            record(messageId, "ack");
        }

        @Override
        public void fail(Object messageId) {
            record(messageId, "fail");
        }

        private void record(Object messageId, String what) {
            outcomes.computeIfAbsent(messageId, first -> new ArrayList<>()).add(what);
        }

        @Override
        public void declareOutputFields(OutputFieldsDeclarer declarer) {
            declarer.declare(new Fields("number"));
        }
    }

    /** Takes some time, emits some tuples, and acks; but loses one tuple in fifty and fails as many. */
    private static final class RandomBolt extends BaseRichBolt {
        private static final long serialVersionUID = 1;
        private static final AtomicInteger SEEDS = new AtomicInteger();
        private static final int RARELY = 50;

        private final int mostChildren;
        private transient OutputCollector collector;
        private transient Random random;

        RandomBolt(int mostChildren) {
            this.mostChildren = mostChildren;
        }

        @Override
        public void prepare(Map<String, Object> conf, TopologyContext context, OutputCollector outputCollector) {
            collector = outputCollector;
            random = new Random(SEEDS.incrementAndGet());
        }

        @Override
        public void execute(Tuple input) {
            LockSupport.parkNanos(TimeUnit.MICROSECONDS.toNanos(random.nextInt(RARELY) == 0 ? 50_000 : random.nextInt(1_000)));
            for (int children = mostChildren == 0 ? 0 : random.nextInt(mostChildren + 1); children > 0; children--) {
                collector.emit(input, new Values(input.getValue(0)));
            }
            int fate = random.nextInt(RARELY);
            if (fate == 0) {
                collector.fail(input);
            } else if (fate > 1) {
                collector.ack(input);
            }
        }

        @Override
        public void declareOutputFields(OutputFieldsDeclarer declarer) {
            declarer.declare(new Fields("number"));
        }
    }
}
