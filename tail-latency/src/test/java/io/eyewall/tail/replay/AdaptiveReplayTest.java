package io.eyewall.tail.replay;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.eyewall.client.engine.EngineConfiguration;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.storm.Config;
import org.apache.storm.LocalCluster;
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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Replays in a topology of one worker, whose bolt loses the first instance of every tenth message. */
class AdaptiveReplayTest {

    private static final Duration DEADLINE = Duration.ofMinutes(2);
    private static final int MESSAGES = 1_000;
    private static final int LOST_EVERY = 10;
    /** Just enough: an instance that is lost is pending until it times out, which none does here. */
    private static final int PENDING = MESSAGES / LOST_EVERY + 10;

    private static final Map<Object, AtomicInteger> ACKED = new ConcurrentHashMap<>();
    private static final Map<Object, AtomicInteger> EXECUTED = new ConcurrentHashMap<>();
    private static final AtomicInteger FAILED = new AtomicInteger();

    @ParameterizedTest
    @ValueSource(strings = {"ledger", "acker"})
    void shouldAckEachMessageOnceThoughItsFirstInstanceIsLost(String acking) throws Exception {
        ACKED.clear();
        EXECUTED.clear();
        FAILED.set(0);
        TopologyBuilder topology = new TopologyBuilder();
        topology.setSpout("numbers", new Numbers());
        topology.setBolt("work", new LosingBolt(), 2).shuffleGrouping("numbers");
        Config conf = new Config();
        conf.setNumWorkers(1);
        conf.setNumAckers(1);
        conf.setMaxSpoutPending(PENDING);
        conf.setMessageTimeoutSecs((int) DEADLINE.multipliedBy(5).toSeconds());
        conf.put(EngineConfiguration.ACKING, acking);
        conf.put(ReplayConfiguration.ADAPTIVE_TIMEOUT, true);
        conf.put(ReplayConfiguration.SAMPLES, 20);
        conf.put(ReplayConfiguration.PERCENT, 100);

        try (LocalCluster cluster = new LocalCluster()) {
            cluster.submitTopology("replay", conf, topology.createTopology());
            await().atMost(DEADLINE).until(() -> ACKED.size() == MESSAGES);
        }

        assertEquals(0, FAILED.get());
        assertTrue(ACKED.values().stream().allMatch(times -> times.get() == 1), "acked once");
        assertTrue(EXECUTED.values().stream().allMatch(times -> times.get() <= 2), "one extra instance at most");
    }

    /** Emits its messages once, then nothing. */
    private static final class Numbers extends BaseRichSpout {
        private static final long serialVersionUID = 1;

        private transient SpoutOutputCollector collector;
        private int emitted;

        @Override
        public void open(Map<String, Object> conf, TopologyContext context, SpoutOutputCollector spoutCollector) {
            collector = spoutCollector;
        }

        @Override
        public void nextTuple() {
            if (emitted < MESSAGES) {
                collector.emit(new Values(emitted), emitted);
                emitted++;
            }
        }

        @Override
        public void ack(Object messageId) {
            ACKED.computeIfAbsent(messageId, id -> new AtomicInteger()).incrementAndGet();
        }

        @Override
        public void fail(Object messageId) {
            FAILED.incrementAndGet();
        }

        @Override
        public void declareOutputFields(OutputFieldsDeclarer declarer) {
            declarer.declare(new Fields("number"));
        }
    }

    /** Neither acks nor fails the first instance of every tenth message. */
    private static final class LosingBolt extends BaseRichBolt {
        private static final long serialVersionUID = 1;

        private transient OutputCollector collector;

        @Override
        public void prepare(Map<String, Object> conf, TopologyContext context, OutputCollector outputCollector) {
            collector = outputCollector;
        }

        @Override
        public void execute(Tuple input) {
            int instance = EXECUTED.computeIfAbsent(input.getValue(0), number -> new AtomicInteger()).incrementAndGet();
            if (instance > 1 || input.getInteger(0) % LOST_EVERY != 0) {
                collector.ack(input);
            }
        }

        @Override
        public void declareOutputFields(OutputFieldsDeclarer declarer) {
            // Emits nothing.
        }
    }
}
