package io.eyewall.core.engine;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.storm.Config;
import org.apache.storm.generated.StormTopology;
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

/** A spout that emits as fast as it can, without acks, for a bolt that stands still until it is let go. One at a time in a JVM. */
final class HeldTopology {

    /** The places in the queue of an executor of the bolt. */
    static final int ROOM = 16;
    private static final int WAIT_SECS = 120;
    static final AtomicInteger EMITTED = new AtomicInteger();
    static final AtomicInteger EXECUTED = new AtomicInteger();
    /** The ports of the workers that have a task of the bolt. */
    static final Set<Integer> PORTS = ConcurrentHashMap.newKeySet();

    private static volatile CountDownLatch deactivated;
    private static volatile CountDownLatch released;

    private HeldTopology() {
    }

    /** A new one, whose bolt stands still. */
    static StormTopology ofBolts(int executors) {
        EMITTED.set(0);
        EXECUTED.set(0);
        PORTS.clear();
        deactivated = new CountDownLatch(1);
        hold();
        TopologyBuilder topology = new TopologyBuilder();
        topology.setSpout("numbers", new Numbers());
        topology.setBolt("held", new Held(), executors).directGrouping("numbers");
        return topology.createTopology();
    }

    static Config configuration() {
        Config conf = new Config();
        conf.setNumAckers(0);
        conf.put(Config.TOPOLOGY_EXECUTOR_RECEIVE_BUFFER_SIZE, ROOM);
        return conf;
    }

    static void hold() {
        released = new CountDownLatch(1);
    }

    static void letGo() {
        released.countDown();
    }

    static void awaitDeactivation() throws InterruptedException {
        assertTrue(deactivated.await(WAIT_SECS, TimeUnit.SECONDS), "the spout is not deactivated");
    }

    private static final class Numbers extends BaseRichSpout {
        private static final long serialVersionUID = 1;

        private transient SpoutOutputCollector collector;
        /** A task in another worker, if there is one. */
        private transient int receiver;

        @Override
        public void open(Map<String, Object> conf, TopologyContext context, SpoutOutputCollector spoutCollector) {
            collector = spoutCollector;
            List<Integer> tasks = context.getComponentTasks("held");
            receiver = tasks.stream().filter(task -> !context.getThisWorkerTasks().contains(task)).findFirst().orElse(tasks.get(0));
        }

        @Override
        public void nextTuple() {
            collector.emitDirect(receiver, new Values(EMITTED.incrementAndGet()));
        }

        @Override
        public void deactivate() {
            deactivated.countDown();
        }

        @Override
        public void declareOutputFields(OutputFieldsDeclarer declarer) {
            declarer.declare(true, new Fields("number"));
        }
    }

    private static final class Held extends BaseBasicBolt {
        private static final long serialVersionUID = 1;

        @Override
        public void prepare(Map<String, Object> conf, TopologyContext context) {
            PORTS.add(context.getThisWorkerPort());
        }

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
