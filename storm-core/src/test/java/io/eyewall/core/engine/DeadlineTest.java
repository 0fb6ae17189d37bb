package io.eyewall.core.engine;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.eyewall.client.seam.DeadlineHolder;
import io.eyewall.core.QuickCluster;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import org.apache.storm.Config;
import org.apache.storm.LocalCluster;
import org.apache.storm.spout.SpoutOutputCollector;
import org.apache.storm.task.OutputCollector;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.topology.BasicOutputCollector;
import org.apache.storm.topology.OutputFieldsDeclarer;
import org.apache.storm.topology.TopologyBuilder;
import org.apache.storm.topology.base.BaseBasicBolt;
import org.apache.storm.topology.base.BaseRichBolt;
import org.apache.storm.topology.base.BaseRichSpout;
import org.apache.storm.topology.base.BaseWindowedBolt;
import org.apache.storm.tuple.Fields;
import org.apache.storm.tuple.Tuple;
import org.apache.storm.tuple.Values;
import org.apache.storm.windowing.TupleWindow;
import org.junit.jupiter.api.Test;

/** A topology with targets in a local cluster: which deadlines its tuples carry, and that each message is acked. */
class DeadlineTest {

    private static final int MESSAGES = 2_000;
    private static final int TARGET_MS = 200;
    private static final int OTHERS_MS = 60_000;

    /** The deadlines of the tuples at each bolt, by message. The topology runs in this process. */
    private static final Map<String, Map<String, Long>> DEADLINES_NS =
        Map.of("first", new ConcurrentHashMap<>(), "second", new ConcurrentHashMap<>());
    /** How many messages of each spout the busy bolt has executed. */
    private static final Map<String, Long> EXECUTED = new ConcurrentHashMap<>();
    private static final Queue<WindowResult> RESULTS = new ConcurrentLinkedQueue<>();

    @Test
    void shouldCarryTheDeadlineOfItsMessageThroughAllBolts() throws Exception {
        CountedMessages.ACKED.clear();
        DEADLINES_NS.values().forEach(Map::clear);
        TopologyBuilder builder = new TopologyBuilder();
        builder.setSpout("urgent", new CountedMessages(MESSAGES)).addConfiguration("topology.deadline.target.ms", TARGET_MS);
        builder.setSpout("other", new CountedMessages(MESSAGES));
        builder.setBolt("first", new Noting(), 2).shuffleGrouping("urgent").shuffleGrouping("other");
        builder.setBolt("second", new Noting(), 2).shuffleGrouping("first");
        submitAndAwaitAcks(builder, Map.of("topology.executor.threads", "auto", "topology.deadline.others.ms", OTHERS_MS), 2 * MESSAGES);

        assertEquals(2 * MESSAGES, DEADLINES_NS.get("first").size());
        assertEquals(DEADLINES_NS.get("first"), DEADLINES_NS.get("second"));
        long firstOther = least("other");
        long firstUrgent = least("urgent");
        assertTrue(firstUrgent >= TimeUnit.MILLISECONDS.toNanos(TARGET_MS));
        assertTrue(firstOther - firstUrgent > TimeUnit.MILLISECONDS.toNanos(OTHERS_MS) / 2, firstOther + " " + firstUrgent);
    }

    @Test
    void shouldGiveEachStreamOfASpoutItsTarget() throws Exception {
        CountedMessages.ACKED.clear();
        DEADLINES_NS.values().forEach(Map::clear);
        TopologyBuilder builder = new TopologyBuilder();
        builder.setSpout("spout", new CountedMessages(MESSAGES, "urgent", "other"))
            .addConfiguration("topology.deadline.target.ms", Map.of("urgent", TARGET_MS));
        builder.setBolt("first", new Noting(), 2).shuffleGrouping("spout", "urgent").shuffleGrouping("spout", "other");
        builder.setBolt("second", new Noting(), 2).shuffleGrouping("first");
        submitAndAwaitAcks(builder, Map.of("topology.deadline.others.ms", OTHERS_MS), MESSAGES);

        assertEquals(MESSAGES, DEADLINES_NS.get("first").size());
        assertEquals(DEADLINES_NS.get("first"), DEADLINES_NS.get("second"));
        long[] deadlinesNs = DEADLINES_NS.get("first").values().stream().mapToLong(deadline -> deadline).sorted().toArray();
        long betweenNs = deadlinesNs[MESSAGES / 2] - deadlinesNs[MESSAGES / 2 - 1];
        assertTrue(betweenNs > TimeUnit.MILLISECONDS.toNanos(OTHERS_MS) / 2, () -> "no half is urgent: " + betweenNs);
    }

    @Test
    void shouldAckEachMessageWithFairShares() throws Exception {
        CountedMessages.ACKED.clear();
        DEADLINES_NS.values().forEach(Map::clear);
        TopologyBuilder builder = new TopologyBuilder();
        builder.setSpout("large", new CountedMessages(MESSAGES)).addConfiguration("topology.deadline.tokens.per.sec", 3_000);
        builder.setSpout("small", new CountedMessages(MESSAGES)).addConfiguration("topology.deadline.tokens.per.sec", 1_000);
        builder.setSpout("none", new CountedMessages(MESSAGES));
        builder.setBolt("first", new Noting(), 2).shuffleGrouping("large").shuffleGrouping("small").shuffleGrouping("none");
        builder.setBolt("second", new Noting(), 2).shuffleGrouping("first");
        submitAndAwaitAcks(builder, Map.of("topology.deadline.policy", "fair"), 3 * MESSAGES);

        assertEquals(3 * MESSAGES, DEADLINES_NS.get("second").size());
        assertEquals(DEADLINES_NS.get("first"), DEADLINES_NS.get("second"));
        assertEquals(3, DEADLINES_NS.get("first").values().stream().map(deadlineNs -> deadlineNs % 8).distinct().count(), "lanes");
    }

    /** A bolt that two spouts share is always busy. Executors have turns on real threads here, so the ratio is not exact. */
    @Test
    void shouldExecuteMoreOfWhoHasTheLargerShare() throws Exception {
        EXECUTED.clear();
        TopologyBuilder builder = new TopologyBuilder();
        builder.setSpout("large", new Endless()).addConfiguration("topology.deadline.tokens.per.sec", 4_000);
        builder.setSpout("small", new Endless()).addConfiguration("topology.deadline.tokens.per.sec", 1_000);
        builder.setBolt("busy", new Busy()).shuffleGrouping("large").shuffleGrouping("small");
        Map<String, Object> conf = Map.of("topology.deadline.policy", "fair", Config.TOPOLOGY_MAX_SPOUT_PENDING, 200);
        try (LocalCluster cluster = QuickCluster.of(1)) {
            cluster.submitTopology("shares", conf, builder.createTopology());
            await().atMost(Duration.ofMinutes(2)).until(() -> executed("small") >= 1_000 && executed("large") >= 1_000);
            long large = executed("large");
            long small = executed("small");
            await().atMost(Duration.ofMinutes(2)).until(() -> executed("large") - large >= 4_000);
            double ratio = (executed("large") - large) / (double) (executed("small") - small);
            assertTrue(ratio > 2 && ratio < 8, () -> ratio + " instead of 4");
        }
    }

    private static long executed(String spout) {
        return EXECUTED.getOrDefault(spout, 0L);
    }

    private static void submitAndAwaitAcks(TopologyBuilder builder, Map<String, Object> settings, int messages) throws Exception {
        Map<String, Object> conf = new HashMap<>(settings);
        conf.put(Config.TOPOLOGY_MAX_SPOUT_PENDING, 100);
        try (LocalCluster cluster = QuickCluster.of(1)) {
            cluster.submitTopology("deadlines", conf, builder.createTopology());
            await().atMost(Duration.ofMinutes(2)).until(() -> CountedMessages.ACKED.size() >= messages);
        }
        assertEquals(messages, CountedMessages.ACKED.stream().distinct().count());
    }

    @Test
    void shouldGiveTheResultsOfAWindowATargetFromItsEnd() throws Exception {
        assertTargetsOfResults(new Latest().withTumblingWindow(BaseWindowedBolt.Duration.of(300)));
    }

    @Test
    void shouldGiveTheResultsOfAWindowOfTuplesOwnTimesATargetFromItsEnd() throws Exception {
        assertTargetsOfResults(new Latest().withTumblingWindow(BaseWindowedBolt.Duration.of(300)).withTimestampField("at")
            .withLag(BaseWindowedBolt.Duration.of(50)).withWatermarkInterval(BaseWindowedBolt.Duration.of(50)));
    }

    private static void assertTargetsOfResults(BaseWindowedBolt windows) throws Exception {
        RESULTS.clear();
        TopologyBuilder builder = new TopologyBuilder();
        builder.setSpout("urgent", new CountedMessages(MESSAGES)).addConfiguration("topology.deadline.target.ms", TARGET_MS);
        builder.setBolt("windows", windows).shuffleGrouping("urgent");
        builder.setBolt("results", new Result()).shuffleGrouping("windows");
        Map<String, Object> conf = Map.of("topology.executor.threads", "auto", Config.TOPOLOGY_MAX_SPOUT_PENDING, 100);
        try (LocalCluster cluster = QuickCluster.of(1)) {
            cluster.submitTopology("windows", conf, builder.createTopology());
            await().atMost(Duration.ofMinutes(2)).until(() -> RESULTS.size() >= 5);
        }

        RESULTS.forEach(result -> assertTrue(result.deadlineNs > result.latestNs, result::toString));
    }

    private static long least(String spout) {
        return DEADLINES_NS.get("first").entrySet().stream().filter(entry -> entry.getKey().startsWith(spout))
            .mapToLong(Map.Entry::getValue).min().orElseThrow();
    }

    /** Emits a message whenever it may. */
    private static final class Endless extends BaseRichSpout {

        private static final long serialVersionUID = 1L;
        private transient SpoutOutputCollector collector;
        private long emitted;

        @Override
        public void open(Map<String, Object> conf, TopologyContext context, SpoutOutputCollector output) {
            collector = output;
        }

        @Override
        public void nextTuple() {
            collector.emit(new Values("message"), emitted++);
        }

        @Override
        public void declareOutputFields(OutputFieldsDeclarer declarer) {
            declarer.declare(new Fields("message"));
        }
    }

    /** Computes for some time with each tuple, and counts them. */
    private static final class Busy extends BaseBasicBolt {

        private static final long serialVersionUID = 1L;
        private static final long FOR_NS = TimeUnit.MICROSECONDS.toNanos(100);

        @Override
        public void execute(Tuple tuple, BasicOutputCollector collector) {
            for (long sinceNs = System.nanoTime(); System.nanoTime() - sinceNs < FOR_NS;) {
                Thread.onSpinWait();
            }
            EXECUTED.merge(tuple.getSourceComponent(), 1L, Long::sum);
        }

        @Override
        public void declareOutputFields(OutputFieldsDeclarer declarer) {
            // It emits nothing.
        }
    }

    /** The result of a window: its deadline, and the latest one of the tuples of the window. */
    private record WindowResult(long deadlineNs, long latestNs) {
    }

    /** Emits the latest deadline of the tuples of each window. */
    private static final class Latest extends BaseWindowedBolt {

        private transient OutputCollector collector;

        @Override
        public void prepare(Map<String, Object> conf, TopologyContext context, OutputCollector output) {
            collector = output;
        }

        @Override
        public void execute(TupleWindow window) {
            window.getNew().stream().mapToLong(tuple -> ((DeadlineHolder) tuple).getEyewallDeadlineNs()).max()
                .ifPresent(latestNs -> collector.emit(window.getNew(), new Values(latestNs)));
        }

        @Override
        public void declareOutputFields(OutputFieldsDeclarer declarer) {
            declarer.declare(new Fields("latest"));
        }
    }

    /** Notes results. */
    private static final class Result extends BaseBasicBolt {

        @Override
        public void execute(Tuple tuple, BasicOutputCollector collector) {
            RESULTS.add(new WindowResult(((DeadlineHolder) tuple).getEyewallDeadlineNs(), tuple.getLong(0)));
        }

        @Override
        public void declareOutputFields(OutputFieldsDeclarer declarer) {
            // It emits nothing.
        }
    }

    /** Notes the deadline of each tuple, and emits it again. */
    private static final class Noting extends BaseRichBolt {

        private transient OutputCollector collector;
        private transient String component;

        @Override
        public void prepare(Map<String, Object> conf, TopologyContext context, OutputCollector output) {
            collector = output;
            component = context.getThisComponentId();
        }

        @Override
        public void execute(Tuple tuple) {
            DEADLINES_NS.get(component).put(tuple.getString(0), ((DeadlineHolder) tuple).getEyewallDeadlineNs());
            collector.emit(tuple, tuple.getValues());
            collector.ack(tuple);
        }

        @Override
        public void declareOutputFields(OutputFieldsDeclarer declarer) {
            declarer.declare(new Fields("message", "at"));
        }
    }
}
