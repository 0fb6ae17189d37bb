package io.eyewall.tail.replay;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.eyewall.client.engine.EngineConfiguration;
import io.eyewall.core.QuickCluster;
import io.eyewall.tail.Numbers;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.storm.Config;
import org.apache.storm.LocalCluster;
import org.apache.storm.task.OutputCollector;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.topology.OutputFieldsDeclarer;
import org.apache.storm.topology.TopologyBuilder;
import org.apache.storm.topology.base.BaseRichBolt;
import org.apache.storm.tuple.Tuple;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Replays in a topology of one worker, whose bolt loses the first instance of every tenth message. */
class AdaptiveReplayFeatureTest {

    private static final Duration DEADLINE = Duration.ofMinutes(2);
    private static final int MESSAGES = 1_000;
    private static final int LOST_EVERY = 10;
    /** Just enough: an instance that is lost is pending until it times out, which none does here. */
    private static final int PENDING = MESSAGES / LOST_EVERY + 10;

    private static final Map<Object, AtomicInteger> EXECUTED = new ConcurrentHashMap<>();

    @ParameterizedTest
    @ValueSource(strings = {"ledger", "acker"})
    void shouldAckEachMessageOnceThoughItsFirstInstanceIsLost(String acking) throws Exception {
        Numbers.begin(MESSAGES);
        EXECUTED.clear();
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

        try (LocalCluster cluster = QuickCluster.of(1)) {
            cluster.submitTopology("replay", conf, topology.createTopology());
            await().atMost(DEADLINE).until(Numbers::areAllAcked);
        }

        assertTrue(Numbers.isEachAckedOnce());
        assertTrue(EXECUTED.values().stream().allMatch(times -> times.get() <= 2), "one extra instance at most");
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
