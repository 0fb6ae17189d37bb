package io.eyewall.client.deadline;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.eyewall.client.engine.EngineConfiguration;
import io.eyewall.client.fuzz.LogLines;
import io.eyewall.client.seam.DeadlineHolder;
import io.eyewall.client.seam.woven.SeamEntry;
import io.eyewall.core.QuickCluster;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A tuple has the deadline of its message in another worker, too, whose connection is Storm's own. */
class CarriedDeadlineTest {

    private static final int TUPLES = 500;
    private static final long TARGET_MS = 20;
    private static final long OTHERS_MS = 600_000;
    /** How many messages may count from the first of them. */
    private static final int IN_A_ROW = 8;
    private static final long SOME_NS = TimeUnit.MILLISECONDS.toNanos(50);

    /** The deadlines of the worker of each spout. The topology runs in this process. */
    private static final Map<String, Deadlines> OF_SPOUTS = new ConcurrentHashMap<>();
    private static final Queue<Arrival> ARRIVALS = new ConcurrentLinkedQueue<>();

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldBeThatOfTheMessage(boolean frames) throws Exception {
        OF_SPOUTS.clear();
        ARRIVALS.clear();
        TopologyBuilder builder = new TopologyBuilder();
        builder.setSpout("urgent", new Emitting()).addConfiguration(DeadlineConfiguration.TARGET, TARGET_MS);
        builder.setSpout("other", new Emitting());
        builder.setBolt("noting", new Noting(), 2).allGrouping("urgent").allGrouping("other");
        Config conf = new Config();
        conf.setNumWorkers(2);
        conf.setNumAckers(0);
        conf.put(DeadlineConfiguration.OTHERS, OTHERS_MS);
        conf.put("topology.executor.threads", "auto");
        conf.put(EngineConfiguration.FRAMES, frames);
        try (LogLines lines = new LogLines(); LocalCluster cluster = QuickCluster.overNetty(2)) {
            cluster.submitTopology("carried", conf, builder.createTopology());
            await().atMost(Duration.ofMinutes(2)).until(() -> fromElsewhere("urgent").size() >= TUPLES
                && fromElsewhere("other").size() >= TUPLES);
            assertEquals(frames, lines.thatBegin("Tuples go in frames to the worker at") > 0);
            assertEquals(frames, lines.thatBegin("Tuples go to other workers in frames, by Netty.") > 0);
            assertEquals(2, lines.thatBegin("Deadlines order the turns of executors by llf. Targets of spouts: other " + OTHERS_MS
                + " ms (topology.deadline.others.ms), urgent " + TARGET_MS + " ms."), "each worker says so");
        }
        assertDeadlines("urgent", TARGET_MS);
        assertDeadlines("other", OTHERS_MS);
    }

    /** The time on the way does not count, and nothing else may be added. Some messages in a row count from the first of them. */
    private static void assertDeadlines(String spout, long targetMs) {
        List<Arrival> arrivals = fromElsewhere(spout);
        for (int i = IN_A_ROW - 1; i < arrivals.size(); i++) {
            Arrival arrival = arrivals.get(i);
            long sinceNs = arrival.deadlineAtNs - TimeUnit.MILLISECONDS.toNanos(targetMs);
            long firstNs = arrivals.get(i - IN_A_ROW + 1).emittedNs - Lanes.MOST;
            assertTrue(sinceNs >= firstNs && sinceNs <= arrival.executedNs, arrival::toString);
        }
        assertTrue(arrivals.stream().anyMatch(arrival ->
            arrival.deadlineAtNs - arrival.emittedNs - TimeUnit.MILLISECONDS.toNanos(targetMs) < SOME_NS), arrivals::toString);
    }

    private static List<Arrival> fromElsewhere(String spout) {
        return ARRIVALS.stream().filter(arrival -> arrival.spout.equals(spout) && arrival.deadlines != OF_SPOUTS.get(spout)).toList();
    }

    private static Deadlines deadlines(TopologyContext context) {
        return SeamEntry.of(context).common(Deadlines.class).orElseThrow();
    }

    /** A tuple at a bolt; times are those of the process. */
    private record Arrival(String spout, Deadlines deadlines, long emittedNs, long executedNs, long deadlineAtNs) {
    }

    private static final class Emitting extends BaseRichSpout {

        private static final long serialVersionUID = 1L;

        private transient SpoutOutputCollector collector;

        @Override
        public void open(Map<String, Object> conf, TopologyContext context, SpoutOutputCollector output) {
            OF_SPOUTS.put(context.getThisComponentId(), CarriedDeadlineTest.deadlines(context));
            collector = output;
        }

        @Override
        public void nextTuple() {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(2));
            collector.emit(new Values(System.nanoTime()));
        }

        @Override
        public void declareOutputFields(OutputFieldsDeclarer declarer) {
            declarer.declare(new Fields("emitted"));
        }
    }

    private static final class Noting extends BaseBasicBolt {

        private static final long serialVersionUID = 1L;

        private transient Deadlines deadlines;

        @Override
        public void prepare(Map<String, Object> conf, TopologyContext context) {
            deadlines = CarriedDeadlineTest.deadlines(context);
        }

        @Override
        public void execute(Tuple tuple, BasicOutputCollector collector) {
            long leftNs = ((DeadlineHolder) tuple).getEyewallDeadlineNs() - deadlines.nowNs();
            long nowNs = System.nanoTime();
            ARRIVALS.add(new Arrival(tuple.getSourceComponent(), deadlines, tuple.getLong(0), nowNs, nowNs + leftNs));
        }

        @Override
        public void declareOutputFields(OutputFieldsDeclarer declarer) {
            // It emits nothing.
        }
    }
}
