package io.eyewall.tail.auto;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.codahale.metrics.Gauge;
import io.eyewall.client.tail.BalancingConfiguration;
import io.eyewall.client.tail.TailConfiguration;
import io.eyewall.tail.recording.ObservedFeature;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
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
import org.junit.jupiter.api.Test;

/** A topology of one worker that keeps three executors of one bolt busy until their queue is switched to a shared one. */
class AutomaticTailTest {

    private static final Duration DEADLINE = Duration.ofMinutes(2);
    private static final int PENDING = 30;
    private static final int EXECUTORS = 3;
    private static final long WORK_NS = TimeUnit.MILLISECONDS.toNanos(4);
    /** How many messages come after it was switched. */
    private static final int MORE = 500;

    private static final AtomicInteger EMITTED = new AtomicInteger();
    private static final Map<Object, AtomicInteger> ACKED = new ConcurrentHashMap<>();
    private static final AtomicInteger FAILED = new AtomicInteger();
    private static volatile int last;

    @Test
    void shouldShareTheQueueOfABusyBoltWhileItRunsAndAckEachMessageOnce() throws Exception {
        ObservedFeature.METRICS.clear();
        last = Integer.MAX_VALUE;
        TopologyBuilder topology = new TopologyBuilder();
        topology.setSpout("numbers", new Numbers());
        topology.setBolt("work", new Work(), EXECUTORS).shuffleGrouping("numbers");
        Config conf = new Config();
        conf.setNumWorkers(1);
        conf.setNumAckers(1);
        conf.setMaxSpoutPending(PENDING);
        conf.setMessageTimeoutSecs((int) DEADLINE.multipliedBy(5).toSeconds());
        conf.put(TailConfiguration.TAIL_LATENCY, "auto");
        conf.put(BalancingConfiguration.PERIOD_SECS, 1);

        try (LocalCluster cluster = new LocalCluster()) {
            cluster.submitTopology("busy", conf, topology.createTopology());
            await().atMost(DEADLINE).until(() -> gauge("work\\..*tail-shared-queue") == 1);
            last = EMITTED.get() + MORE;
            await().atMost(DEADLINE).until(() -> ACKED.size() >= last);
        }

        assertEquals(EMITTED.get(), ACKED.size());
        assertEquals(0, FAILED.get());
        assertTrue(ACKED.values().stream().allMatch(times -> times.get() == 1), "acked once");
    }

    private static int gauge(String name) {
        return ObservedFeature.METRICS.stream()
            .flatMap(metrics -> metrics.getRegistry().getGauges((each, gauge) -> each.matches(".*" + name)).values().stream())
            .mapToInt(gauge -> (Integer) ((Gauge<?>) gauge).getValue()).findFirst().orElse(-1);
    }

    /** Emits as fast as it may, until the last one. */
    private static final class Numbers extends BaseRichSpout {
        private static final long serialVersionUID = 1;

        private transient SpoutOutputCollector collector;

        @Override
        public void open(Map<String, Object> conf, TopologyContext context, SpoutOutputCollector spoutCollector) {
            collector = spoutCollector;
        }

        @Override
        public void nextTuple() {
            if (EMITTED.get() < last) {
                int number = EMITTED.incrementAndGet();
                collector.emit(new Values(number), number);
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

    private static final class Work extends BaseBasicBolt {
        private static final long serialVersionUID = 1;

        @Override
        public void execute(Tuple input, BasicOutputCollector collector) {
            LockSupport.parkNanos(WORK_NS);
        }

        @Override
        public void declareOutputFields(OutputFieldsDeclarer declarer) {
            // Emits nothing.
        }
    }
}
