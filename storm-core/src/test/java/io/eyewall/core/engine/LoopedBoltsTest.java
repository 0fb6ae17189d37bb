package io.eyewall.core.engine;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.eyewall.client.deadline.DeadlineConfiguration;
import io.eyewall.client.engine.EngineConfiguration;
import io.eyewall.core.QuickCluster;
import java.time.Duration;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.apache.storm.Config;
import org.apache.storm.LocalCluster;
import org.apache.storm.spout.SpoutOutputCollector;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.topology.BasicOutputCollector;
import org.apache.storm.topology.OutputFieldsDeclarer;
import org.apache.storm.topology.SpoutDeclarer;
import org.apache.storm.topology.TopologyBuilder;
import org.apache.storm.topology.base.BaseBasicBolt;
import org.apache.storm.topology.base.BaseRichSpout;
import org.apache.storm.tuple.Fields;
import org.apache.storm.tuple.Tuple;
import org.apache.storm.tuple.Values;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Two bolts that send to each other, and spouts that fill their queues. Nothing but the queues holds the spouts back. */
class LoopedBoltsTest {

    private static final int MESSAGES = 20_000;
    private static final int MOST_ROUNDS = 20;
    private static final int ROOM = 64;
    private static final int EXECUTORS = 2;
    /** What the queues of both bolts, and their lanes, hold, and some that are at hand. */
    private static final int ON_THEIR_WAY_AT_MOST = 2 * EXECUTORS * (2 * ROOM + 8);
    private static final long SEED = 11;
    private static final Fields FIELDS = new Fields("message", "rounds");

    private static final AtomicInteger NEXT = new AtomicInteger();
    private static final AtomicLong EMITTED = new AtomicLong();
    private static final AtomicLong LEFT = new AtomicLong();
    private static final AtomicLong MOST_ON_THEIR_WAY = new AtomicLong();
    private static final AtomicIntegerArray TIMES = new AtomicIntegerArray(MESSAGES);

    @ParameterizedTest
    @CsvSource({"pool, false", "pool, true", "own, false"})
    void shouldGoOnWhenTheQueuesOfBothAreFull(String threads, boolean hasLanes) throws Exception {
        NEXT.set(0);
        EMITTED.set(0);
        LEFT.set(0);
        MOST_ON_THEIR_WAY.set(0);
        IntStream.range(0, MESSAGES).forEach(message -> TIMES.set(message, 0));
        TopologyBuilder builder = new TopologyBuilder();
        SpoutDeclarer spout = builder.setSpout("messages", new Messages());
        builder.setSpout("others", new Messages());
        if (hasLanes) {
            spout.addConfiguration(DeadlineConfiguration.TARGET, 20);
        }
        builder.setBolt("there", new Passing(), EXECUTORS).shuffleGrouping("messages").shuffleGrouping("others").shuffleGrouping("back");
        builder.setBolt("back", new Passing(), EXECUTORS).shuffleGrouping("there");
        Config conf = new Config();
        conf.put(EngineConfiguration.EXECUTOR_THREADS, threads);
        conf.put(Config.TOPOLOGY_EXECUTOR_RECEIVE_BUFFER_SIZE, ROOM);
        conf.setNumAckers(0);
        try (LocalCluster cluster = QuickCluster.of(1)) {
            cluster.submitTopology("loop", conf, builder.createTopology());

            await().atMost(Duration.ofMinutes(2)).until(() -> LEFT.get() >= MESSAGES);
        }

        assertEquals(MESSAGES, LEFT.get());
        assertTrue(IntStream.range(0, MESSAGES).allMatch(message -> TIMES.get(message) == 1), "each message leaves once");
        assertTrue(MOST_ON_THEIR_WAY.get() <= ON_THEIR_WAY_AT_MOST, () -> MOST_ON_THEIR_WAY + " messages on their way");
    }

    /** Emits messages as fast as it can. */
    private static final class Messages extends BaseRichSpout {

        private static final long serialVersionUID = 1L;

        private transient SpoutOutputCollector collector;
        private transient Random random;

        @Override
        public void open(Map<String, Object> conf, TopologyContext context, SpoutOutputCollector output) {
            collector = output;
            random = new Random(SEED + context.getThisTaskId());
        }

        @Override
        public void nextTuple() {
            int message = NEXT.getAndIncrement();
            if (message < MESSAGES) {
                collector.emit(new Values(message, random.nextInt(MOST_ROUNDS)));
                MOST_ON_THEIR_WAY.accumulateAndGet(EMITTED.incrementAndGet() - LEFT.get(), Math::max);
            }
        }

        @Override
        public void declareOutputFields(OutputFieldsDeclarer declarer) {
            declarer.declare(FIELDS);
        }
    }

    /** Passes a message on until it has made its rounds. */
    private static final class Passing extends BaseBasicBolt {

        private static final long serialVersionUID = 1L;

        @Override
        public void execute(Tuple tuple, BasicOutputCollector collector) {
            int rounds = tuple.getInteger(1);
            if (rounds == 0) {
                TIMES.incrementAndGet(tuple.getInteger(0));
                LEFT.incrementAndGet();
            } else {
                collector.emit(new Values(tuple.getInteger(0), rounds - 1));
            }
        }

        @Override
        public void declareOutputFields(OutputFieldsDeclarer declarer) {
            declarer.declare(FIELDS);
        }
    }
}
