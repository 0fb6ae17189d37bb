package io.eyewall.core.engine;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.eyewall.client.CapturedLog;
import io.eyewall.client.engine.EngineConfiguration;
import io.eyewall.client.pool.ExecutorPoolFeature;
import io.eyewall.core.QuickCluster;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.logging.log4j.Level;
import org.apache.storm.Config;
import org.apache.storm.LocalCluster;
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
import org.apache.storm.utils.Utils;
import org.junit.jupiter.api.Test;

/** Spouts that sleep in {@code nextTuple}, as in Storm's tutorials, beside a spout and bolts with which they share threads. */
class SleepingSpoutTest {

    private static final int CORES = Runtime.getRuntime().availableProcessors();
    /** More than there are threads in the pool. */
    private static final int SLEEPING = 2 * CORES;
    private static final int BOLTS = 2;
    private static final int SLEEP_MS = 100;
    private static final int MESSAGES = 3_000;
    /** Even on a busy machine a message waits for less than a tenth of a sleep, on average. */
    private static final int SLEEPS_AT_MOST = SLEEPING * MESSAGES / 10;

    private static final AtomicInteger SLEPT = new AtomicInteger();
    private static final AtomicInteger EXECUTED = new AtomicInteger();

    @Test
    void shouldNotDelayExecutorsBesideSpoutsThatSleepInEachCall() throws Exception {
        CountedMessages.ACKED.clear();
        TopologyBuilder builder = new TopologyBuilder();
        builder.setSpout("sleeping", new Sleeping(), SLEEPING);
        builder.setSpout("messages", new CountedMessages(MESSAGES));
        builder.setBolt("first", new Passing(), BOLTS).shuffleGrouping("messages").shuffleGrouping("sleeping");
        builder.setBolt("second", new Passing(), BOLTS).shuffleGrouping("first");
        Config conf = new Config();
        conf.put(EngineConfiguration.EXECUTOR_THREADS, EngineConfiguration.POOL);
        conf.put(Config.TOPOLOGY_ENABLE_MESSAGE_TIMEOUTS, false);
        conf.setNumAckers(1);
        conf.setMaxSpoutPending(1); // One after the other, so that each delay counts.
        try (CapturedLog log = new CapturedLog(Level.INFO, ExecutorPoolFeature.class); LocalCluster cluster = QuickCluster.of(1)) {
            cluster.submitTopology("sleeping", conf, builder.createTopology());
            await().atMost(Duration.ofMinutes(2)).until(() -> !CountedMessages.ACKED.isEmpty());
            int before = SLEPT.get();
            await().atMost(Duration.ofMinutes(4)).until(() -> CountedMessages.ACKED.size() >= MESSAGES);
            int slept = SLEPT.get() - before;
            assertTrue(slept < SLEEPS_AT_MOST, () -> slept + " sleeps during " + MESSAGES + " messages");
            await().atMost(Duration.ofMinutes(1)).until(() -> EXECUTED.get() > 2 * MESSAGES);
            assertEquals(MESSAGES, CountedMessages.ACKED.stream().distinct().count());
            assertEquals(List.of("Executors that share threads: " + (SLEEPING + 1 + 2 * BOLTS + 1) + "; threads: " + CORES + "."),
                log.lines());
        }
    }

    /** Emits a word, and sleeps. */
    private static final class Sleeping extends BaseRichSpout {

        private static final long serialVersionUID = 1L;

        private transient SpoutOutputCollector collector;

        @Override
        public void open(Map<String, Object> conf, TopologyContext context, SpoutOutputCollector output) {
            collector = output;
        }

        @Override
        public void nextTuple() {
            Utils.sleep(SLEEP_MS);
            SLEPT.incrementAndGet();
            collector.emit(new Values("word", 0L));
        }

        @Override
        public void declareOutputFields(OutputFieldsDeclarer declarer) {
            declarer.declare(CountedMessages.FIELDS);
        }
    }

    /** Emits what it gets. */
    private static final class Passing extends BaseBasicBolt {

        private static final long serialVersionUID = 1L;

        @Override
        public void execute(Tuple tuple, BasicOutputCollector collector) {
            EXECUTED.incrementAndGet();
            collector.emit(tuple.getValues());
        }

        @Override
        public void declareOutputFields(OutputFieldsDeclarer declarer) {
            declarer.declare(new Fields("message", "at"));
        }
    }
}
