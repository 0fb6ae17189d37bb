package io.eyewall.client.deadline;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertNotSame;

import io.eyewall.client.seam.woven.SeamEntry;
import io.eyewall.core.QuickCluster;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
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

/** A spout in one worker and a bolt in another: the spout's worker learns what a tuple costs in the other one. */
class TwoWorkersTest {

    /** The deadlines of the worker of each component. The topology runs in this process. */
    private static final Map<String, Deadlines> DEADLINES = new ConcurrentHashMap<>();

    @Test
    void shouldLearnTheCostsOfAnotherWorker() throws Exception {
        TopologyBuilder builder = new TopologyBuilder();
        builder.setSpout("orders", new Orders());
        builder.setBolt("price", new Price()).shuffleGrouping("orders");
        Config conf = new Config();
        conf.setNumWorkers(2);
        conf.setNumAckers(0);
        conf.setMaxSpoutPending(10);
        conf.put(DeadlineConfiguration.TARGET, 20);
        conf.put("topology.executor.threads", "auto");
        try (LocalCluster cluster = QuickCluster.of(2)) {
            cluster.submitTopology("orders", conf, builder.createTopology());
            await().atMost(Duration.ofMinutes(2)).until(() -> DEADLINES.size() == 2
                && remainingNs(DEADLINES.get("orders")) >= TimeUnit.MILLISECONDS.toNanos(1));
            assertNotSame(DEADLINES.get("orders"), DEADLINES.get("price"), "two workers");
        }
    }

    private static long remainingNs(Deadlines deadlines) {
        return deadlines.remainingNs(deadlines.operator("price"));
    }

    private static void note(TopologyContext context) {
        DEADLINES.put(context.getThisComponentId(), SeamEntry.of(context).common(Deadlines.class).orElseThrow());
    }

    private static final class Orders extends BaseRichSpout {

        private static final long serialVersionUID = 1L;

        private transient SpoutOutputCollector collector;
        private int next;

        @Override
        public void open(Map<String, Object> conf, TopologyContext context, SpoutOutputCollector output) {
            note(context);
            collector = output;
        }

        @Override
        public void nextTuple() {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(2)); // Slower than the bolt: nothing else holds it back.
            collector.emit(new Values(next), next);
            next++;
        }

        @Override
        public void declareOutputFields(OutputFieldsDeclarer declarer) {
            declarer.declare(new Fields("order"));
        }
    }

    /** Costs a millisecond. */
    private static final class Price extends BaseBasicBolt {

        private static final long serialVersionUID = 1L;

        @Override
        public void prepare(Map<String, Object> conf, TopologyContext context) {
            note(context);
        }

        @Override
        public void execute(Tuple order, BasicOutputCollector collector) {
            long untilNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(1);
            for (long leftNs = untilNs - System.nanoTime(); leftNs > 0; leftNs = untilNs - System.nanoTime()) {
                LockSupport.parkNanos(leftNs);
            }
        }

        @Override
        public void declareOutputFields(OutputFieldsDeclarer declarer) {
            // It emits nothing.
        }
    }
}
