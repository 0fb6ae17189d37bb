package io.eyewall.client.deadline;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.storm.generated.StormTopology;
import org.apache.storm.testing.TestWordCounter;
import org.apache.storm.testing.TestWordSpout;
import org.apache.storm.topology.OutputFieldsDeclarer;
import org.apache.storm.topology.TopologyBuilder;
import org.apache.storm.topology.base.BaseWindowedBolt;
import org.apache.storm.tuple.Fields;
import org.junit.jupiter.api.Test;

class DeadlinesTest {

    private static final long OTHERS_MS = 30_000;

    private TopologyBuilder builder = new TopologyBuilder();
    private final Map<String, Object> topologyConf = new HashMap<>();

    @Test
    void shouldNotBeThereWithoutATarget() {
        builder.setSpout("spout", new TestWordSpout());
        assertTrue(Deadlines.of(builder.createTopology(), topologyConf, () -> 0).isEmpty());
        assertTrue(Deadlines.of(new StormTopology(), Map.of(DeadlineConfiguration.TARGET, 20), () -> 0).isEmpty());
    }

    @Test
    void shouldGiveAnOperatorTheShortestTargetOfTheSpoutsThatReachIt() {
        spout("orders", 20);
        spout("logs", 0);
        bolt("price", "orders");
        bolt("parse", "logs");
        bolt("both", "price", "parse");
        bolt("behind", "both");

        assertEquals(Map.of("orders", 20L, "price", 20L, "logs", OTHERS_MS, "parse", OTHERS_MS, "both", 20L, "behind", 20L, "__acker", 20L),
            targetsMs("orders", "price", "logs", "parse", "both", "behind", "__acker"));
    }

    @Test
    void shouldLetASpoutHaveAnotherTargetThanTheTopology() {
        topologyConf.put(DeadlineConfiguration.TARGET, 50);
        topologyConf.put(DeadlineConfiguration.OTHERS, 300);
        builder.setSpout("as-topology", new TestWordSpout());
        spout("own", 5);
        spout("none", 0);

        assertEquals(Map.of("as-topology", 50L, "own", 5L, "none", 300L), targetsMs("as-topology", "own", "none"));
    }

    @Test
    void shouldGiveAllMessagesTheLongestTargetWhileTargetsDoNotApply() {
        spout("orders", 20);
        spout("logs", 0);
        Deadlines deadlines = deadlines();
        AtomicBoolean apply = new AtomicBoolean();
        deadlines.follow(apply::get);
        Urgency orders = deadlines.of("orders", new TimedInput().newQueue("orders"));
        Urgency logs = deadlines.of("logs", new TimedInput().newQueue("logs"));

        orders.emittingMessage("default");
        logs.emittingMessage("default");
        assertEquals(logs.currentNs(), orders.currentNs() + 1, "each in the lane of its spout");
        assertEquals(logs.beginNs(), orders.beginNs());

        apply.set(true);
        orders.emittingMessage("default");
        assertEquals(TimeUnit.MILLISECONDS.toNanos(OTHERS_MS - 20), logs.currentNs() - 1 - orders.currentNs());
        assertEquals(0, Deadlines.laneOf(orders.currentNs()));
        assertEquals(1, Deadlines.laneOf(logs.currentNs()));
        assertTrue(orders.beginNs() < logs.beginNs());
    }

    @Test
    void shouldSayWhichPolicyTargetsAndTokensAreInForce() {
        spout("logs", 0);
        builder.setSpout("orders", new TestWordSpout()).addConfiguration(DeadlineConfiguration.TARGET, 20)
            .addConfiguration(DeadlineConfiguration.TOKENS, 500);
        assertEquals("by llf. Targets of spouts: logs 30000 ms (topology.deadline.others.ms), orders 20 ms for 500 messages/s of each"
            + " executor.", deadlines().inWords());
        topologyConf.put(DeadlineConfiguration.POLICY, "edf");
        assertTrue(deadlines().inWords().startsWith("by edf. "), deadlines()::inWords);
    }

    @Test
    void shouldKnowWhetherSpoutsHaveDifferentTargets() {
        spout("orders", 20);
        assertFalse(DeadlineConfiguration.differ(builder.createTopology(), topologyConf));
        spout("returns", 20);
        assertFalse(DeadlineConfiguration.differ(builder.createTopology(), topologyConf));
        spout("logs", 0);
        assertTrue(DeadlineConfiguration.differ(builder.createTopology(), topologyConf));
    }

    @Test
    void shouldLearnWhatATupleStillCostsFromTheOperatorsBehind() {
        spout("spout", 20);
        bolt("first", "spout");
        bolt("cheap", "first");
        bolt("dear", "first");
        Deadlines deadlines = deadlines();
        for (int hop = 0; hop < 3; hop++) {
            executed(deadlines, "first", 10);
            executed(deadlines, "cheap", 1);
            executed(deadlines, "dear", 100);
        }

        assertEquals(100, remainingNs(deadlines, "dear"));
        assertEquals(110, remainingNs(deadlines, "first"));
        assertEquals(0, remainingNs(deadlines, "__acker"));
        for (int more = 0; more < 400; more++) {
            executed(deadlines, "dear", 1_000);
        }
        assertTrue(remainingNs(deadlines, "dear") > 950, "follows the cost");
    }

    @Test
    void shouldNotCountACircleMoreThanOnce() {
        spout("spout", 20);
        bolt("first", "spout", "second");
        bolt("second", "first");
        Deadlines deadlines = deadlines();
        for (int round = 0; round < 1_000; round++) {
            executed(deadlines, "first", 10);
            executed(deadlines, "second", 10);
        }

        assertTrue(remainingNs(deadlines, "first") <= 20 && remainingNs(deadlines, "second") <= 20);
        assertFalse(remainingNs(deadlines, "first") == 0);
    }

    /** Whatever the order in which the bolts of a circle are visited, all of them are behind the spout. */
    @Test
    void shouldCountWhatIsBehindAnOperatorOfACircle() {
        for (String name : List.of("a", "b", "c", "d", "e", "f", "g", "h")) {
            builder = new TopologyBuilder();
            spout("spout", 20);
            bolt("entry-" + name, "spout", name);
            bolt(name, "entry-" + name);
            Deadlines deadlines = deadlines();
            executed(deadlines, name, 7);
            executed(deadlines, "entry-" + name, 10);

            assertEquals(17, remainingNs(deadlines, "entry-" + name));
            assertEquals(Map.of("entry-" + name, 20L, name, 20L), targetsMs("entry-" + name, name));
        }
    }

    @Test
    void shouldHaveLanesForTuplesThatComeBackInACircle() {
        spout("orders", 20);
        spout("logs", 0);
        bolt("first", "orders", "second");
        bolt("second", "first", "logs");
        Deadlines deadlines = deadlines();

        assertTrue(deadlines.needsLanes("first"));
        assertTrue(deadlines.needsLanes("second"));
    }

    @Test
    void shouldGiveBoltsThatNoSpoutReachesTheLongestTarget() {
        spout("orders", 20);
        spout("logs", 0);
        builder.setBolt("alone", new TestWordCounter());
        Deadlines deadlines = deadlines();

        assertEquals(Map.of("alone", OTHERS_MS), targetsMs("alone"));
        assertEquals(1, deadlines.lanes().lane(deadlines.operator("alone")));
    }

    @Test
    void shouldHaveLanesWhereTuplesWithDifferentTargetsMeet() {
        spout("orders", 20);
        spout("payments", 20);
        spout("logs", 0);
        bolt("price", "orders", "payments");
        bolt("both", "price", "logs");
        bolt("behind", "both");
        builder.setBolt("stateful", new TestWordCounter()).shuffleGrouping("both").shuffleGrouping("other", "$checkpoint");
        builder.setSpout("other", new TestWordSpout());
        Deadlines deadlines = deadlines();

        assertEquals(List.of("both", "behind"), Stream.of("orders", "payments", "logs", "price", "both", "behind", "stateful", "__acker")
            .filter(deadlines::needsLanes).toList());
        assertEquals(0, laneOf(deadlines, "orders"));
        assertEquals(1, laneOf(deadlines, "logs"));
    }

    @Test
    void shouldGiveEachStreamOfASpoutItsTarget() {
        streams("shop", Map.of("orders", 20, "audit", 500), "orders", "audit", "clicks");
        builder.setBolt("price", new TestWordCounter()).shuffleGrouping("shop", "orders");
        builder.setBolt("store", new TestWordCounter()).shuffleGrouping("shop", "audit");
        builder.setBolt("count", new TestWordCounter()).shuffleGrouping("shop", "clicks");
        builder.setBolt("both", new TestWordCounter()).shuffleGrouping("price").shuffleGrouping("count");
        builder.setBolt("behind", new TestWordCounter()).shuffleGrouping("both");
        Deadlines deadlines = deadlines();

        assertEquals(Map.of("shop", 20L, "price", 20L, "store", 500L, "count", OTHERS_MS, "both", 20L, "behind", 20L),
            targetsMs("shop", "price", "store", "count", "both", "behind"));
        assertEquals(List.of("both", "behind"),
            Stream.of("shop", "price", "store", "count", "both", "behind").filter(deadlines::needsLanes).toList());
        Urgency shop = deadlines.of("shop", new TimedInput().newQueue("shop"));
        assertEquals(20, untilDeadlineMs(shop, "orders"));
        assertEquals(500, untilDeadlineMs(shop, "audit"));
        assertEquals(OTHERS_MS, untilDeadlineMs(shop, "clicks"));
        assertTrue(DeadlineConfiguration.differ(builder.createTopology(), topologyConf));
        assertEquals("by llf. Targets of spouts: shop 500 ms in audit and 30000 ms (topology.deadline.others.ms) in clicks and 20 ms in"
            + " orders.", deadlines.inWords());
    }

    @Test
    void shouldTakeTokensForUrgentStreamsOnly() {
        topologyConf.put(DeadlineConfiguration.TOKENS, 10);
        streams("shop", Map.of("orders", 20, "audit", 50_000), "orders", "audit", "clicks");
        Urgency shop = deadlines().of("shop", new TimedInput().newQueue("shop"));
        for (int message = 0; message < 10; message++) {
            assertEquals(OTHERS_MS, untilDeadlineMs(shop, "clicks"));
            assertEquals(50_000, untilDeadlineMs(shop, "audit"), "without a token it would be sooner");
        }
        assertEquals(List.of(20L, 20L, OTHERS_MS), Stream.generate(() -> untilDeadlineMs(shop, "orders")).limit(3).toList());
    }

    @Test
    void shouldGiveEachSpoutALaneWithShares() {
        topologyConf.put(DeadlineConfiguration.POLICY, "fair");
        for (int spout = 0; spout < 10; spout++) {
            builder.setSpout("spout-" + spout, new TestWordSpout()).addConfiguration(DeadlineConfiguration.TOKENS, 10 * spout);
        }
        bolt("store", "spout-0", "spout-9");
        bolt("alone", "spout-5");
        Deadlines deadlines = deadlines();

        assertEquals(List.of(7, 7, 7, 6, 5, 4, 3, 2, 1, 0),
            IntStream.range(0, 10).map(spout -> laneOf(deadlines, "spout-" + spout)).boxed().toList());
        assertEquals(List.of("store"), Stream.of("store", "alone").filter(deadlines::needsLanes).toList());
        assertFalse(DeadlineConfiguration.differ(builder.createTopology(), topologyConf), "switching targets would change nothing");
        assertTrue(deadlines.inWords().startsWith("by fair. Tokens of spouts: spout-0 0, spout-1 10, spout-2 20,"), deadlines::inWords);
    }

    @Test
    void shouldKnowWindowsThatEndByTime() {
        spout("spout", 20);
        builder.setBolt("tumbling", new UnfiredWindows().withTumblingWindow(BaseWindowedBolt.Duration.seconds(3))).shuffleGrouping("spout");
        builder.setBolt("sliding", new UnfiredWindows().withWindow(BaseWindowedBolt.Count.of(5), BaseWindowedBolt.Duration.of(70)))
            .shuffleGrouping("spout");
        builder.setBolt("by-count", new UnfiredWindows().withWindow(BaseWindowedBolt.Duration.seconds(3), BaseWindowedBolt.Count.of(5)))
            .shuffleGrouping("spout");
        builder.setBolt("stateful", new UnfiredWindows().withTumblingWindow(BaseWindowedBolt.Duration.seconds(3))).shuffleGrouping("spout")
            .shuffleGrouping("spout", "$checkpoint");
        bolt("plain", "spout");
        Deadlines deadlines = deadlines();

        Map<String, Long> slidesMs = new HashMap<>();
        for (String operator : List.of("spout", "tumbling", "sliding", "by-count", "stateful", "plain", "__acker")) {
            slidesMs.put(operator, TimeUnit.NANOSECONDS.toMillis(deadlines.slideNs(deadlines.operator(operator))));
        }
        assertEquals(Map.of("tumbling", 3_000L, "sliding", 70L, "spout", 0L, "by-count", 0L, "stateful", 0L, "plain", 0L, "__acker", 0L),
            slidesMs);
    }

    @Test
    void shouldPutTheLongestTargetsIntoOneLaneWhenThereAreMany() {
        for (int spout = 1; spout <= 2 * Lanes.MOST; spout++) {
            spout("spout-" + spout, spout);
        }
        Deadlines deadlines = deadlines();
        assertEquals(2, laneOf(deadlines, "spout-3"));
        assertEquals(Lanes.MOST - 1, laneOf(deadlines, "spout-" + 2 * Lanes.MOST));
    }

    private void spout(String name, long targetMs) {
        builder.setSpout(name, new TestWordSpout()).addConfiguration(DeadlineConfiguration.TARGET, targetMs);
    }

    private void streams(String name, Map<String, Object> targetsMs, String... streams) {
        builder.setSpout(name, new Streams(streams)).addConfiguration(DeadlineConfiguration.TARGET, targetsMs);
    }

    private static long untilDeadlineMs(Urgency spout, String stream) {
        spout.emittingMessage(stream);
        return TimeUnit.NANOSECONDS.toMillis(spout.currentNs());
    }

    private static int laneOf(Deadlines deadlines, String spout) {
        return deadlines.lanes().ofMessages(spout).of("default").lane();
    }

    private void bolt(String name, String... senders) {
        var declarer = builder.setBolt(name, new TestWordCounter());
        for (String sender : senders) {
            declarer.shuffleGrouping(sender);
        }
    }

    private Deadlines deadlines() {
        return Deadlines.of(builder.createTopology(), topologyConf, () -> 0).orElseThrow();
    }

    private Map<String, Long> targetsMs(String... components) {
        Deadlines deadlines = deadlines();
        Map<String, Long> targets = new HashMap<>();
        for (String component : components) {
            targets.put(component, TimeUnit.NANOSECONDS.toMillis(deadlines.lanes().targetNs(deadlines.operator(component))));
        }
        return targets;
    }

    private static void executed(Deadlines deadlines, String component, long tookNs) {
        deadlines.executed(deadlines.operator(component), tookNs);
    }

    private static long remainingNs(Deadlines deadlines, String component) {
        return deadlines.remainingNs(deadlines.operator(component));
    }

    /** A spout with several streams. */
    private static final class Streams extends TestWordSpout {

        private static final long serialVersionUID = 1L;
        private final String[] streams;

        Streams(String... streams) {
            this.streams = streams;
        }

        @Override
        public void declareOutputFields(OutputFieldsDeclarer declarer) {
            for (String stream : streams) {
                declarer.declareStream(stream, new Fields("word"));
            }
        }
    }
}
