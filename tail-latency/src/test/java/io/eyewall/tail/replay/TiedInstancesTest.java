package io.eyewall.tail.replay;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.codahale.metrics.Gauge;
import io.eyewall.core.QuickCluster;
import io.eyewall.tail.Numbers;
import io.eyewall.tail.recording.ObservedFeature;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.storm.Config;
import org.apache.storm.LocalCluster;
import org.apache.storm.spout.SpoutOutputCollector;
import org.apache.storm.task.OutputCollector;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.topology.OutputFieldsDeclarer;
import org.apache.storm.topology.TopologyBuilder;
import org.apache.storm.topology.base.BaseRichBolt;
import org.apache.storm.tuple.Fields;
import org.apache.storm.tuple.Tuple;
import org.apache.storm.tuple.Values;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Two tasks of one bolt. One, in another worker than the spout, holds the first tuple that it gets until most messages are acked, by
 * what the other one has executed of their first or second instances.
 */
class TiedInstancesTest {

    private static final Duration DEADLINE = Duration.ofMinutes(2);
    private static final String MARKER = "marker";
    private static final int WORKERS = 2;
    private static final int MESSAGES = 200;
    private static final int MOST = 150;

    private static final AtomicInteger HOLDING_PORT = new AtomicInteger();
    private static final AtomicInteger EXECUTED_BY_HOLDER = new AtomicInteger();
    private static volatile int spoutPort;
    private static volatile CountDownLatch held;

    @AfterEach
    void letGo() {
        held.countDown();
    }

    @Test
    void shouldDropWhatHasNotBegunWhenAnotherInstanceIsComplete() throws Exception {
        run(Map.of(), () -> dropped() >= MOST / 4);
    }

    @Test
    void shouldDropNothingWhenSwitchedOff() throws Exception {
        run(Map.of(ReplayConfiguration.CANCEL, false), () -> EXECUTED_BY_HOLDER.get() >= MESSAGES / 2);

        assertEquals(0, dropped());
    }

    private static void run(Map<String, Object> settings, Callable<Boolean> atLast) throws Exception {
        ObservedFeature.METRICS.clear();
        Numbers.begin(MESSAGES);
        HOLDING_PORT.set(0);
        EXECUTED_BY_HOLDER.set(0);
        held = new CountDownLatch(1);
        TopologyBuilder topology = new TopologyBuilder();
        topology.setSpout("numbers", new MarkedNumbers());
        topology.setBolt("work", new Work(), 2).shuffleGrouping("numbers");
        topology.setBolt("release", new Release(), 2 * WORKERS).allGrouping("numbers", MARKER);
        Config conf = new Config();
        conf.setNumWorkers(WORKERS);
        conf.setNumAckers(1);
        conf.setMessageTimeoutSecs((int) DEADLINE.multipliedBy(5).toSeconds());
        conf.put(Config.TOPOLOGY_DISABLE_LOADAWARE_MESSAGING, true);
        conf.put(ReplayConfiguration.ADAPTIVE_TIMEOUT, true);
        conf.put(ReplayConfiguration.SAMPLES, 20);
        conf.put(ReplayConfiguration.PERCENT, 100);
        conf.put(ReplayConfiguration.REPLAYS, 10);
        conf.putAll(settings);
        try (LocalCluster cluster = QuickCluster.of(WORKERS)) {
            cluster.submitTopology("tied", conf, topology.createTopology());
            await().atMost(DEADLINE).until(() -> held.getCount() == 0 && Numbers.areAllAcked());
            await().atMost(DEADLINE).until(atLast);
        }

        assertTrue(Numbers.isEachAckedOnce());
    }

    private static long dropped() {
        return ObservedFeature.METRICS.stream()
            .flatMap(metrics -> metrics.getRegistry().getGauges((name, gauge) -> name.endsWith("cancelled-tuples")).values().stream())
            .mapToLong(gauge -> (Long) ((Gauge<?>) gauge).getValue()).sum();
    }

    /** When most numbers are acked, and workers have been informed which, it emits the marker. */
    private static final class MarkedNumbers extends Numbers {
        private static final long serialVersionUID = 1;

        /** How often it was asked for a tuple since most numbers are acked. */
        private int asked;

        @Override
        public void open(Map<String, Object> conf, TopologyContext context, SpoutOutputCollector spoutCollector) {
            super.open(conf, context, spoutCollector);
            spoutPort = context.getThisWorkerPort();
        }

        @Override
        public void nextTuple() {
            super.nextTuple();
            if (acked() >= MOST && ++asked == 2) {
                collector().emit(MARKER, new Values(MESSAGES));
            }
        }

        @Override
        public void declareOutputFields(OutputFieldsDeclarer declarer) {
            super.declareOutputFields(declarer);
            declarer.declareStream(MARKER, new Fields("number"));
        }
    }

    /** Holds its first tuple, if it is the one that does so. */
    private static final class Work extends BaseRichBolt {
        private static final long serialVersionUID = 1;

        private transient OutputCollector collector;
        private transient int port;
        private transient boolean holder;

        @Override
        public void prepare(Map<String, Object> conf, TopologyContext context, OutputCollector outputCollector) {
            collector = outputCollector;
            port = context.getThisWorkerPort();
        }

        @Override
        public void execute(Tuple input) {
            if (port != spoutPort && HOLDING_PORT.compareAndSet(0, port)) {
                holder = true;
                try {
                    held.await();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            }
            if (holder) {
                EXECUTED_BY_HOLDER.incrementAndGet();
            }
            collector.ack(input);
        }

        @Override
        public void declareOutputFields(OutputFieldsDeclarer declarer) {
            // Emits nothing.
        }
    }

    /** Lets it go when the marker has come to its worker, by the way of all notices that were sent before. */
    private static final class Release extends BaseRichBolt {
        private static final long serialVersionUID = 1;

        private transient int port;

        @Override
        public void prepare(Map<String, Object> conf, TopologyContext context, OutputCollector outputCollector) {
            port = context.getThisWorkerPort();
        }

        @Override
        public void execute(Tuple input) {
            if (HOLDING_PORT.get() == port) {
                held.countDown();
            }
        }

        @Override
        public void declareOutputFields(OutputFieldsDeclarer declarer) {
            // Emits nothing.
        }
    }
}
