package io.eyewall.client.deadline;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.eyewall.client.engine.SpaceSignal;
import io.eyewall.client.seam.DeadlineHolder;
import io.eyewall.client.seam.QueueRequest;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.apache.storm.metrics2.StormMetricRegistry;
import org.apache.storm.policy.WaitStrategyPark;
import org.apache.storm.testing.TestWordCounter;
import org.apache.storm.testing.TestWordSpout;
import org.apache.storm.topology.TopologyBuilder;
import org.apache.storm.tuple.AddressedTuple;
import org.apache.storm.utils.JCQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Spouts with shares and a bolt that is always busy with their messages, in virtual time: the bolt executes one message each half of a
 * millisecond, and spouts emit as long as they have pending messages left, each in the order in which it should begin.
 */
class SharesTest {

    private static final long EXECUTED_EACH_NS = TimeUnit.MICROSECONDS.toNanos(500);
    private static final int CAPACITY = 4_096;
    private static final int OTHER_LANE = 7;
    /** The share of the largest of 3,000, 3,000 and 1,000, of 4,000 messages. */
    private static final int THREE_OF_SEVEN = 1_714;

    private final AtomicLong clockNs = new AtomicLong();
    private final TimedInput input = new TimedInput();
    private final Deadlines deadlines;
    private final Map<String, Spout> spouts = new HashMap<>();
    private final DeadlineQueue queue = new DeadlineQueue(new QueueRequest("queue", "metric", CAPACITY, 0, 1, new WaitStrategyPark(100),
        "topology", "bolt", List.of(2), 6700, new StormMetricRegistry()), new SpaceSignal(), () -> true);
    private int pendingAtMost;
    /** Whether a tuple of another worker is in the queue. */
    private boolean isOneThere;

    SharesTest() {
        TopologyBuilder builder = new TopologyBuilder();
        builder.setSpout("large", new TestWordSpout()).addConfiguration(DeadlineConfiguration.TOKENS, 3_000);
        builder.setSpout("small", new TestWordSpout()).addConfiguration(DeadlineConfiguration.TOKENS, 1_000);
        builder.setSpout("none", new TestWordSpout());
        builder.setBolt("bolt", new TestWordCounter()).shuffleGrouping("large").shuffleGrouping("small").shuffleGrouping("none");
        deadlines = Deadlines.of(builder.createTopology(), Map.of(DeadlineConfiguration.POLICY, "fair"), clockNs::get).orElseThrow();
        Stream.of("large", "small", "none").forEach(spout -> spouts.put(spout, new Spout(spout)));
    }

    /** A spout that always has a message, and how many of them are pending and executed. */
    private final class Spout {
        private final Urgency urgency;
        private final int lane;
        private int pending;
        private int executed;

        Spout(String name) {
            urgency = deadlines.of(name, input.newQueue(name));
            lane = deadlines.lanes().ofMessages(name).of("default").lane();
        }

        void emit() {
            urgency.emittingMessage("default");
            assertTrue(queue.tryPublish(input.tuple(urgency.currentNs())));
            pending++;
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 10, 100, 1_000})
    void shouldExecuteMessagesInTheRatioOfTokens(int pending) {
        pendingAtMost = pending;
        run(1, "large", "small");
        assertShares(Map.of("large", 1_500, "small", 500), run(5, "large", "small"), 5);
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
    void shouldLeaveAllTimeToWhoHasMessages() {
        pendingAtMost = 50;
        assertEquals(2_000, run(1, "none").get("none"));
        assertEquals(2_000, run(1, "small").get("small"));
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
    void shouldForgetExecutorsThatLeave() {
        pendingAtMost = 10;
        run(1, "large", "small");
        JCQueue left = input.newQueue("small");
        Urgency leaving = deadlines.of("small", left);
        leaving.emittingMessage("default");
        deadlines.forget(left);
        run(1, "large", "small");
        assertShares(Map.of("large", 1_500, "small", 500), run(1, "large", "small"), 1);
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
        for (int arrived = 0; arrived < 1_000; arrived++) {
            arriveAndBeExecuted();
        }
        int before = spouts.get("large").executed;
        int arrived = 0;
        for (int message = 0; message < 4_000; message++) {
            emitAll("large", "small");
            arrived += arriveAndBeExecuted() ? 1 : 0;
        }
        assertEquals(THREE_OF_SEVEN, arrived, 100);
        assertEquals(THREE_OF_SEVEN, spouts.get("large").executed - before, 100);
    }

    /** A tuple of another worker is always there; returns whether it is executed, and not one of the worker's own spouts. */
    private boolean arriveAndBeExecuted() {
        if (!isOneThere) {
            assertTrue(queue.tryPublish(input.tuple(deadlines.arrivingDeadlineNs(0, OTHER_LANE))));
            isOneThere = true;
        }
        isOneThere = executeOne() != OTHER_LANE;
        clockNs.addAndGet(EXECUTED_EACH_NS);
        return !isOneThere;
    }

    private void assertShares(Map<String, Integer> perSecond, Map<String, Integer> executed, int seconds) {
        assertShares(perSecond, executed, seconds, 10);
    }

    private void assertShares(Map<String, Integer> perSecond, Map<String, Integer> executed, int seconds, int tolerance) {
        perSecond.forEach((spout, expected) -> assertEquals(expected, executed.get(spout) / seconds, tolerance, executed::toString));
    }

    /** Lets so much time pass while these spouts have messages; returns how many messages of each have been executed. */
    private Map<String, Integer> run(int seconds, String... busy) {
        spouts.values().forEach(spout -> spout.executed = 0);
        for (int message = 0; message < TimeUnit.SECONDS.toNanos(seconds) / EXECUTED_EACH_NS; message++) {
            emitAll(busy);
            executeOne();
            clockNs.addAndGet(EXECUTED_EACH_NS);
        }
        Map<String, Integer> executed = new HashMap<>();
        spouts.forEach((name, spout) -> executed.put(name, spout.executed));
        return executed;
    }

    private void emitAll(String... busy) {
        Predicate<Spout> mayEmit = spout -> spout.pending < pendingAtMost;
        List<Spout> ready = Stream.of(busy).map(spouts::get).filter(mayEmit).toList();
        while (!ready.isEmpty()) {
            ready.stream().min(Comparator.comparingLong(spout -> spout.urgency.beginNs())).orElseThrow().emit();
            ready = ready.stream().filter(mayEmit).toList();
        }
    }

    /** Returns the lane of what is executed. */
    private int executeOne() {
        List<Object> taken = new ArrayList<>();
        queue.consume(new JCQueue.Consumer() {
            @Override
            public void accept(Object element) {
                taken.add(element);
            }

            @Override
            public void flush() {
                // Messages are taken one by one.
            }
        }, taken::isEmpty);
        assertEquals(1, taken.size());
        int lane = Deadlines.laneOf(((DeadlineHolder) ((AddressedTuple) taken.get(0)).getTuple()).getEyewallDeadlineNs());
        spouts.values().stream().filter(each -> each.lane == lane).forEach(spout -> {
            spout.pending--;
            spout.executed++;
        });
        return lane;
    }
}
