package io.eyewall.core.engine;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.eyewall.core.QuickCluster;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
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
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A spout fills the queue of a bolt that another spout shares. Without acks, only the queue limits what is under way. */
class OverloadedBoltTest {

    private static final int CAPACITY = 1_024;
    private static final int URGENT = 200;
    /** How many tuples of the other spout may be executed before an urgent one, in the median: without lanes it is the whole queue. */
    private static final int FEW = CAPACITY / 4;

    private static final AtomicLong BULK_EXECUTED = new AtomicLong();
    /** For each urgent tuple, how many others were executed after it was emitted. The topology runs in this process. */
    private static final Queue<Long> PASSED_OVER = new ConcurrentLinkedQueue<>();

    @BeforeEach
    void clear() {
        BULK_EXECUTED.set(0);
        PASSED_OVER.clear();
    }

    @Test
    void shouldExecuteUrgentTuplesBeforeThoseThatFillTheQueue() throws Exception {
        assertUrgentTuplesPass("topology.deadline.target.ms", 20, Map.of());
    }

    @Test
    void shouldExecuteTuplesWithALargeShareBeforeThoseThatFillTheQueue() throws Exception {
        assertUrgentTuplesPass("topology.deadline.tokens.per.sec", 3_000, Map.of("topology.deadline.policy", "fair"));
    }

    private static void assertUrgentTuplesPass(String key, int value, Map<String, Object> policy) throws Exception {
        TopologyBuilder builder = new TopologyBuilder();
        builder.setSpout("urgent", new Emitting(TimeUnit.MILLISECONDS.toNanos(5))).addConfiguration(key, value);
        builder.setSpout("bulk", new Emitting(0));
        builder.setBolt("busy", new Busy()).shuffleGrouping("urgent").shuffleGrouping("bulk");
        Config conf = new Config();
        conf.putAll(policy);
        conf.put(Config.TOPOLOGY_EXECUTOR_RECEIVE_BUFFER_SIZE, CAPACITY);
        try (LocalCluster cluster = QuickCluster.of(1)) {
            cluster.submitTopology("overloaded", conf, builder.createTopology());
            await().atMost(Duration.ofMinutes(2)).until(() -> BULK_EXECUTED.get() > 4 * CAPACITY);
            PASSED_OVER.clear();
            await().atMost(Duration.ofMinutes(2)).until(() -> PASSED_OVER.size() >= URGENT);
        }
        List<Long> sorted = PASSED_OVER.stream().sorted().toList();
        long median = sorted.get(sorted.size() / 2);
        assertTrue(median <= FEW, () -> "urgent tuples wait for " + sorted);
    }

    /** Emits the number of bulk tuples that have been executed, at intervals or whenever it may. */
    private static final class Emitting extends BaseRichSpout {

        private static final long serialVersionUID = 1L;
        private final long intervalNs;
        private transient SpoutOutputCollector collector;

        Emitting(long intervalNs) {
            this.intervalNs = intervalNs;
        }

        @Override
        public void open(Map<String, Object> conf, TopologyContext context, SpoutOutputCollector output) {
            collector = output;
        }

        @Override
        public void nextTuple() {
            if (intervalNs > 0) {
                Utils.sleep(TimeUnit.NANOSECONDS.toMillis(intervalNs));
            }
            collector.emit(new Values(BULK_EXECUTED.get()));
        }

        @Override
        public void declareOutputFields(OutputFieldsDeclarer declarer) {
            declarer.declare(new Fields("executed"));
        }
    }

    /** Computes for some time with each tuple. */
    private static final class Busy extends BaseBasicBolt {

        private static final long serialVersionUID = 1L;
        private static final long FOR_NS = TimeUnit.MICROSECONDS.toNanos(100);

        @Override
        public void execute(Tuple tuple, BasicOutputCollector collector) {
            for (long sinceNs = System.nanoTime(); System.nanoTime() - sinceNs < FOR_NS;) {
                Thread.onSpinWait();
            }
            if (tuple.getSourceComponent().equals("bulk")) {
                BULK_EXECUTED.incrementAndGet();
            } else {
                PASSED_OVER.add(BULK_EXECUTED.get() - tuple.getLong(0));
            }
        }

        @Override
        public void declareOutputFields(OutputFieldsDeclarer declarer) {
            // It emits nothing.
        }
    }
}
