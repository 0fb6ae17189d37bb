package io.eyewall.client.deadline;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.eyewall.client.engine.SpaceSignal;
import io.eyewall.client.seam.DeadlineHolder;
import io.eyewall.client.seam.QueueRequest;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.storm.metrics2.StormMetricRegistry;
import org.apache.storm.policy.WaitStrategyPark;
import org.apache.storm.spout.CheckpointSpout;
import org.apache.storm.testing.TestWordCounter;
import org.apache.storm.testing.TestWordSpout;
import org.apache.storm.topology.BoltDeclarer;
import org.apache.storm.topology.TopologyBuilder;
import org.apache.storm.tuple.AddressedTuple;
import org.apache.storm.utils.JCQueue;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Spouts with shares and a bolt that is always busy with their messages, message by message: spouts emit as long as they have pending
 * messages left, each in the order in which it should begin, and the bolt executes one.
 */
class SharesTest {

    private static final int CAPACITY = 1 << 16;
    /** How many messages are executed in what the tests call a second. */
    private static final int PER_SECOND = 2_000;
    private static final int OTHER_LANE = 7;
    /** The share of the largest of 3,000, 3,000 and 1,000, of 4,000 messages. */
    private static final int THREE_OF_SEVEN = 1_714;

    private final TimedInput input = new TimedInput();
    private final Map<String, Spout> spouts = new TreeMap<>();
    /** The deadlines of what is in the queue. */
    private final PriorityQueue<Long> waitingNs = new PriorityQueue<>();
    private Deadlines deadlines;
    private final DeadlineQueue queue = new DeadlineQueue(new QueueRequest("queue", "metric", CAPACITY, 0, 1, new WaitStrategyPark(100),
        "topology", "bolt", List.of(2), 6700, new StormMetricRegistry()), new SpaceSignal(), () -> true);
    private final IdentityHashMap<AddressedTuple, Spout> emittedBy = new IdentityHashMap<>();
    private int pendingAtMost;
    /** How many tuples of another worker are in the queue. */
    private int fromElsewhere;

    @BeforeEach
    void begin() {
        begin(Map.of("large", 3_000, "small", 1_000, "none", 0));
    }

    /** Begins with spouts of those tokens. */
    private void begin(Map<String, Integer> tokens) {
        TopologyBuilder builder = new TopologyBuilder();
        BoltDeclarer bolt = builder.setBolt("bolt", new TestWordCounter());
        tokens.forEach((spout, its) -> {
            builder.setSpout(spout, new TestWordSpout()).addConfiguration(DeadlineConfiguration.TOKENS, its);
            bolt.shuffleGrouping(spout);
        });
        deadlines = Deadlines.of(builder.createTopology(), Map.of(DeadlineConfiguration.POLICY, "fair"), () -> 0).orElseThrow();
        spouts.clear();
        tokens.keySet().forEach(spout -> spouts.put(spout, new Spout(spout)));
    }

    /** A spout that always has a message, and how many of them are pending and executed. */
    private final class Spout {
        private final Urgency urgency;
        private int pending;
        private int executed;

        Spout(String name) {
            urgency = deadlines.of(name, input.newQueue(name));
        }

        void emit() {
            urgency.emittingMessage("default");
            publish(urgency.currentNs(), this);
            pending++;
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {10, 100, 1_000, 10_000})
    void shouldExecuteMessagesInTheRatioOfTokens(int pending) {
        pendingAtMost = pending;
        run(1, "large", "small");
        assertShares(Map.of("large", 1_500, "small", 500), run(50, "large", "small"), 50);
    }

    /** One that begins when others have much pending does not wait for that. */
    @ParameterizedTest
    @ValueSource(ints = {10, 100, 1_000, 10_000})
    void shouldExecuteMessagesInTheRatioOfTokensWhoeverBegins(int pending) {
        pendingAtMost = pending;
        run(5, "small");
        assertTrue(run(1, "large", "small").get("large") >= 1_500);
        run(50, "large", "small");
        assertShares(Map.of("large", 1_500, "small", 500), run(50, "large", "small"), 50);
    }

    @Test
    void shouldLeaveAlmostNothingToWhoHasNoTokens() {
        pendingAtMost = 50;
        run(1, "large", "small", "none");
        Map<String, Integer> executed = run(20, "large", "small", "none");
        assertShares(Map.of("large", 1_500, "small", 500), executed, 20);
        assertTrue(executed.get("none") > 0, "nobody starves");
    }

    @Test
    void shouldGiveEqualSharesWithoutTokens() {
        begin(Map.of("one", 0, "other", 0));
        pendingAtMost = 50;
        assertShares(Map.of("one", 1_000, "other", 1_000), run(20, "one", "other"), 20);
    }

    @Test
    void shouldKeepARatioThatIsNoWholeNumber() {
        begin(Map.of("one", 1_000, "other", 950));
        pendingAtMost = 50;
        assertShares(Map.of("one", 1_026, "other", 974), run(100, "one", "other"), 100, 3);
    }

    @Test
    void shouldLeaveAllTimeToWhoHasMessages() {
        pendingAtMost = 50;
        assertEquals(PER_SECOND, run(1, "none").get("none"));
        assertTrue(run(1, "small").get("small") >= PER_SECOND - pendingAtMost, "all except what was pending");
    }

    /** Neither the one that was away nor those that went on have a turn for much longer than their share afterwards. */
    @Test
    void shouldKeepNothingForWhoPauses() {
        pendingAtMost = 100;
        run(1, "large", "small");
        run(10, "small");
        for (int second = 0; second < 3; second++) {
            assertShares(Map.of("large", 1_500, "small", 500), run(1, "large", "small"), 1, 200);
        }
        run(10, "large");
        for (int second = 0; second < 3; second++) {
            assertShares(Map.of("large", 1_500, "small", 500), run(1, "large", "small"), 1, 200);
        }
    }

    @Test
    void shouldKeepNothingForWhoHasSeldomUsedItsShare() {
        pendingAtMost = 100;
        for (int second = 0; second < 60; second++) {
            spouts.get("small").emit();
            assertTrue(run(1, "large").get("small") >= 1);
        }
        assertShares(Map.of("large", 1_500, "small", 500), run(1, "large", "small"), 1, 200);
    }

    /** Those with the fewest tokens share a lane. */
    @Test
    void shouldStarveNoneOfManySpouts() {
        Map<String, Integer> tokens = new TreeMap<>();
        IntStream.range(0, 12).forEach(spout -> tokens.put("spout-" + spout, 10 * spout));
        begin(tokens);
        pendingAtMost = 20;
        String[] all = tokens.keySet().toArray(String[]::new);
        run(5, all);
        Map<String, Integer> executed = run(60, all);
        assertTrue(executed.values().stream().allMatch(its -> its > 0), executed::toString);
        assertEquals(11.0 / 6, executed.get("spout-11") / (double) executed.get("spout-6"), 0.02);
    }

    @Test
    void shouldKeepTheOrderOfTuplesFromOtherWorkers() {
        List<Long> deadlinesNs = Stream.generate(() -> deadlines.arrivingDeadlineNs(0, 1)).limit(100).toList();
        assertEquals(deadlinesNs.stream().distinct().sorted().toList(), deadlinesNs);
    }

    /** They come all the time, and neither wait for the worker's own spouts for long nor do those wait for them. */
    @Test
    void shouldTakeOtherWorkersForASpoutWithTheLargestShare() {
        pendingAtMost = 50;
        int arrived = 0;
        for (int message = 0; message < 1_000; message++) {
            arrived = arriveAndExecute(arrived);
        }
        int before = spouts.get("large").executed;
        int executed = arrived;
        for (int message = 0; message < 4_000; message++) {
            emitAll("large", "small");
            arrived = arriveAndExecute(arrived, "large", "small");
        }
        assertEquals(THREE_OF_SEVEN, arrived - executed, 100);
        assertEquals(THREE_OF_SEVEN, spouts.get("large").executed - before, 100);
    }

    @Test
    void shouldNotHaveCheckpointsWait() {
        begin(Map.of("large", 3_000, CheckpointSpout.CHECKPOINT_COMPONENT_ID, 0));
        pendingAtMost = 10;
        assertEquals(PER_SECOND / 2, run(2, "large", CheckpointSpout.CHECKPOINT_COMPONENT_ID)
            .get(CheckpointSpout.CHECKPOINT_COMPONENT_ID) / 2, 10);
    }

    /** Some tuples of another worker are always there; returns how many have arrived. */
    private int arriveAndExecute(int arrived, String... busy) {
        int now = arrived;
        for (; fromElsewhere < pendingAtMost; fromElsewhere++) {
            publish(deadlines.arrivingDeadlineNs(0, OTHER_LANE), null);
            now++;
        }
        if (executeOne(busy) == null) {
            fromElsewhere--;
        }
        return now;
    }

    private void assertShares(Map<String, Integer> perSecond, Map<String, Integer> executed, int seconds) {
        assertShares(perSecond, executed, seconds, 10);
    }

    private void assertShares(Map<String, Integer> perSecond, Map<String, Integer> executed, int seconds, int tolerance) {
        perSecond.forEach((spout, expected) -> assertEquals(expected, executed.get(spout) / seconds, tolerance, executed::toString));
    }

    /** Lets so many seconds pass while these spouts have messages; returns how many messages of each have been executed. */
    private Map<String, Integer> run(int seconds, String... busy) {
        spouts.values().forEach(spout -> spout.executed = 0);
        for (int message = 0; message < seconds * PER_SECOND; message++) {
            emitAll(busy);
            executeOne(busy);
        }
        Map<String, Integer> executed = new HashMap<>();
        spouts.forEach((name, spout) -> executed.put(name, spout.executed));
        return executed;
    }

    private void emitAll(String... busy) {
        List<Spout> ready = ready(busy);
        while (!ready.isEmpty()) {
            ready.stream().min(Comparator.comparingLong(spout -> spout.urgency.beginNs())).orElseThrow().emit();
            ready = ready(busy);
        }
    }

    private List<Spout> ready(String... busy) {
        return Stream.of(busy).map(spouts::get).filter(spout -> spout.pending < pendingAtMost).toList();
    }

    private void publish(long deadlineNs, Spout from) {
        AddressedTuple tuple = input.tuple(deadlineNs);
        emittedBy.put(tuple, from);
        assertTrue(queue.tryPublish(tuple));
        waitingNs.add(deadlineNs);
    }

    /** Returns the spout whose message is executed; null for a tuple of another worker. */
    private Spout executeOne(String... busy) {
        List<AddressedTuple> taken = new ArrayList<>();
        queue.consume(new JCQueue.Consumer() {
            @Override
            public void accept(Object element) {
                taken.add((AddressedTuple) element);
            }

            @Override
            public void flush() {
                // Messages are taken one by one.
            }
        }, taken::isEmpty);
        assertEquals(1, taken.size());
        assertTrue(waitingNs.remove(((DeadlineHolder) taken.get(0).getTuple()).getEyewallDeadlineNs()));
        Stream.concat(waitingNs.stream().limit(1), ready(busy).stream().map(spout -> spout.urgency.beginNs())).min(Long::compare)
            .ifPresent(deadlines::passed);
        Spout spout = emittedBy.remove(taken.get(0));
        if (spout != null) {
            spout.pending--;
            spout.executed++;
        }
        return spout;
    }
}
