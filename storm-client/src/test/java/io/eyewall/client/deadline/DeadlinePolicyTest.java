package io.eyewall.client.deadline;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.storm.testing.TestWordCounter;
import org.apache.storm.testing.TestWordSpout;
import org.apache.storm.topology.TopologyBuilder;
import org.junit.jupiter.api.Test;

class DeadlinePolicyTest {

    private static final long LONGEST_NS = TimeUnit.SECONDS.toNanos(1);

    @Test
    void shouldBeginEarlierByCostsOrLaterByTheCostOfTheOperator() {
        assertEquals(5, DeadlinePolicy.LLF.leadNs(2, 3, LONGEST_NS));
        assertEquals(3, DeadlinePolicy.EDF.leadNs(2, 3, LONGEST_NS));
        assertEquals(0, DeadlinePolicy.SJF.leadNs(0, 3, LONGEST_NS));
        assertEquals(-LONGEST_NS / 101, DeadlinePolicy.SJF.leadNs(TimeUnit.MICROSECONDS.toNanos(10), 3, LONGEST_NS));
        assertEquals(-LONGEST_NS / 2, DeadlinePolicy.SJF.leadNs(TimeUnit.MILLISECONDS.toNanos(1), 3, LONGEST_NS));
        assertEquals(-LONGEST_NS + 12, DeadlinePolicy.SJF.leadNs(TimeUnit.DAYS.toNanos(1), 3, LONGEST_NS), "no later than that");
    }

    @Test
    void shouldBeginWhereTheLeastTimeIsLeftByDefault() {
        assertEquals("bolt", first(Map.of(), 50_000, 10_000));
        assertEquals("bolt", first(Map.of(DeadlineConfiguration.POLICY, "llf"), 50_000, 10_000));
        assertEquals("others", first(Map.of(DeadlineConfiguration.POLICY, "llf"), 1_000, 10_000));
    }

    @Test
    void shouldBeginByTheDeadlineWhateverTheOperatorCosts() {
        assertEquals("others", first(Map.of(DeadlineConfiguration.POLICY, "edf"), 50_000, 10_000));
        assertEquals("others", first(Map.of(DeadlineConfiguration.POLICY, "edf"), 1_000, 10_000));
    }

    @Test
    void shouldBeginWithTheShortestJobWhateverTheDeadline() {
        assertEquals("others", first(Map.of(DeadlineConfiguration.POLICY, "sjf"), 50_000, 10_000));
        assertEquals("bolt", first(Map.of(DeadlineConfiguration.POLICY, "sjf"), 1_000, 10_000));
    }

    @Test
    void shouldGiveAllMessagesTheLongestTargetAndOneLaneWhereTargetsDoNotCount() {
        TopologyBuilder builder = new TopologyBuilder();
        builder.setSpout("orders", new TestWordSpout()).addConfiguration(DeadlineConfiguration.TARGET, 20);
        builder.setSpout("logs", new TestWordSpout());
        builder.setBolt("store", new TestWordCounter()).shuffleGrouping("orders").shuffleGrouping("logs");
        Map<String, Object> conf = Map.of(DeadlineConfiguration.POLICY, "sjf", DeadlineConfiguration.OTHERS, 300);
        Deadlines deadlines = Deadlines.of(builder.createTopology(), conf, () -> 0).orElseThrow();
        Urgency orders = deadlines.of("orders", new TimedInput().newQueue("orders"));
        Urgency logs = deadlines.of("logs", new TimedInput().newQueue("logs"));
        orders.emittingMessage("default");
        logs.emittingMessage("default");

        assertEquals(Lanes.MOST + TimeUnit.MILLISECONDS.toNanos(300), orders.currentNs());
        assertEquals(orders.currentNs(), logs.currentNs());
        assertFalse(deadlines.needsLanes("store"));
        assertFalse(DeadlineConfiguration.differ(builder.createTopology(), conf), "switching targets would change nothing");
    }

    /** Which of two bolts begins, one with a tuple that is due after 100 us, the other one, "others", with one that is due after 80 us. */
    private static String first(Map<String, Object> settings, long costOfBoltNs, long costOfOthersNs) {
        TimedInput input = TimedInput.withOthers(settings);
        input.cost("bolt", costOfBoltNs);
        input.cost("others", costOfOthersNs);
        Urgency bolt = input.newUrgency("bolt");
        Urgency others = input.newUrgency("others");
        bolt.arrived(input.tuple(100_000));
        others.arrived(input.tuple(80_000));
        return bolt.beginNs() < others.beginNs() ? "bolt" : "others";
    }
}
