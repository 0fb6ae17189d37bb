package io.eyewall.tail.shared;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.eyewall.client.engine.EngineConfiguration;
import io.eyewall.core.QuickCluster;
import io.eyewall.tail.Numbers;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.storm.Config;
import org.apache.storm.LocalCluster;
import org.apache.storm.task.OutputCollector;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.topology.OutputFieldsDeclarer;
import org.apache.storm.topology.TopologyBuilder;
import org.apache.storm.topology.base.BaseRichBolt;
import org.apache.storm.tuple.Tuple;
import org.apache.storm.utils.TupleUtils;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Shared queues in a topology of one worker. One task of the bolt holds its first tuple until all others have been executed. */
class SharedQueuesFeatureTest {

    private static final Duration DEADLINE = Duration.ofMinutes(2);
    private static final int EXECUTORS = 3;
    private static final int MESSAGES = 300;

    private static final AtomicInteger HOLDING = new AtomicInteger();
    private static final Map<Object, AtomicInteger> EXECUTED = new ConcurrentHashMap<>();
    private static final Set<Integer> TICKED = ConcurrentHashMap.newKeySet();
    private static volatile CountDownLatch held;

    @BeforeEach
    void forget() {
        Numbers.begin(MESSAGES);
        HOLDING.set(0);
        EXECUTED.clear();
        TICKED.clear();
        held = new CountDownLatch(1);
    }

    @AfterEach
    void letGo() {
        held.countDown();
    }

    @ParameterizedTest
    @CsvSource({"true,ledger", "false,acker"})
    void shouldExecuteAndAckEachTupleOnceThoughOneTaskHoldsItsOwn(boolean wakeOnArrival, String acking) throws Exception {
        TopologyBuilder topology = new TopologyBuilder();
        topology.setSpout("numbers", new Numbers());
        topology.setBolt("work", new Work(), EXECUTORS).shuffleGrouping("numbers");
        Config conf = new Config();
        conf.setNumWorkers(1);
        conf.setNumAckers(1);
        conf.setMessageTimeoutSecs((int) DEADLINE.multipliedBy(3).toSeconds());
        conf.put(SharingConfiguration.EXECUTOR_QUEUE, "shared");
        conf.put(EngineConfiguration.WAKE_ON_ARRIVAL, wakeOnArrival);
        conf.put(EngineConfiguration.ACKING, acking);
        conf.put(Config.TOPOLOGY_TICK_TUPLE_FREQ_SECS, 1);
        conf.put(Config.TOPOLOGY_DISABLE_LOADAWARE_MESSAGING, true);

        try (LocalCluster cluster = QuickCluster.of(1)) {
            cluster.submitTopology("shared", conf, topology.createTopology());
            await().atMost(DEADLINE).until(() -> HOLDING.get() == 1 && Numbers.acked() == MESSAGES - 1);
            await().atMost(DEADLINE).until(() -> TICKED.size() == EXECUTORS - 1);
            held.countDown();
            await().atMost(DEADLINE).until(Numbers::areAllAcked);
            await().atMost(DEADLINE).until(() -> TICKED.size() == EXECUTORS);
        }

        assertTrue(Numbers.isEachAckedOnce());
        assertEquals(MESSAGES, EXECUTED.size());
        assertTrue(EXECUTED.values().stream().allMatch(times -> times.get() == 1), "each once");
    }

    /** Notes what it executes; its first task to get a tuple holds it. */
    private static final class Work extends BaseRichBolt {
        private static final long serialVersionUID = 1;

        private transient OutputCollector collector;
        private transient int task;

        @Override
        public void prepare(Map<String, Object> conf, TopologyContext context, OutputCollector outputCollector) {
            collector = outputCollector;
            task = context.getThisTaskId();
        }

        @Override
        public void execute(Tuple input) {
            if (TupleUtils.isTick(input)) {
                TICKED.add(task);
            } else {
                EXECUTED.computeIfAbsent(input.getValue(0), number -> new AtomicInteger()).incrementAndGet();
                if (HOLDING.compareAndSet(0, 1)) {
                    hold();
                }
            }
            collector.ack(input);
        }

        private static void hold() {
            try {
                held.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }

        @Override
        public void declareOutputFields(OutputFieldsDeclarer declarer) {
            // Emits nothing.
        }
    }
}
