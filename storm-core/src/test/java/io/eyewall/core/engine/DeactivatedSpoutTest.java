package io.eyewall.core.engine;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
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
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A spout is deactivated while a bolt that stands still has filled the queue before it. */
class DeactivatedSpoutTest {

    private static final Duration DEADLINE = Duration.ofMinutes(1);
    private static final int ROOM = 16;

    private static final AtomicInteger EMITTED = new AtomicInteger();
    private static final AtomicInteger EXECUTED = new AtomicInteger();
    private static volatile CountDownLatch deactivated;
    private static volatile CountDownLatch released;

    @BeforeEach
    void begin() {
        EMITTED.set(0);
        EXECUTED.set(0);
        deactivated = new CountDownLatch(1);
        released = new CountDownLatch(1);
    }

    @AfterEach
    void letGo() {
        released.countDown();
    }

    @Test
    void shouldSendWhatItHadEmittedWhenThereIsRoomAgain() throws Exception {
        TopologyBuilder topology = new TopologyBuilder();
        topology.setSpout("numbers", new Numbers());
        topology.setBolt("held", new Held()).shuffleGrouping("numbers");
        Config conf = new Config();
        conf.setNumAckers(0);
        conf.put(Config.TOPOLOGY_EXECUTOR_RECEIVE_BUFFER_SIZE, ROOM);

        try (LocalCluster cluster = new LocalCluster.Builder().withSupervisors(1).withPortsPerSupervisor(1).build()) {
            cluster.submitTopology("held", conf, topology.createTopology());
            await().atMost(DEADLINE).until(() -> EMITTED.get() > ROOM + 1);
            cluster.deactivate("held");
            deactivated.await();
            released.countDown();
            await().atMost(DEADLINE).untilAsserted(() -> assertEquals(EMITTED.get(), EXECUTED.get()));
        }
    }

    private static final class Numbers extends BaseRichSpout {
        private static final long serialVersionUID = 1;

        private transient SpoutOutputCollector collector;

        @Override
        public void open(Map<String, Object> conf, TopologyContext context, SpoutOutputCollector spoutCollector) {
            collector = spoutCollector;
        }

        @Override
        public void nextTuple() {
            collector.emit(new Values(EMITTED.incrementAndGet()));
        }

        @Override
        public void deactivate() {
            deactivated.countDown();
        }

        @Override
        public void declareOutputFields(OutputFieldsDeclarer declarer) {
            declarer.declare(new Fields("number"));
        }
    }

    private static final class Held extends BaseBasicBolt {
        private static final long serialVersionUID = 1;

        @Override
        public void execute(Tuple input, BasicOutputCollector collector) {
            try {
                released.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            EXECUTED.incrementAndGet();
        }

        @Override
        public void declareOutputFields(OutputFieldsDeclarer declarer) {
            // Emits nothing.
        }
    }
}
