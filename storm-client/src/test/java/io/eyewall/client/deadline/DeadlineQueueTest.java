package io.eyewall.client.deadline;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.eyewall.client.engine.SpaceSignal;
import io.eyewall.client.seam.DeadlineHolder;
import io.eyewall.client.seam.QueueRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.apache.storm.metrics2.StormMetricRegistry;
import org.apache.storm.policy.WaitStrategyPark;
import org.apache.storm.testing.TestWordCounter;
import org.apache.storm.testing.TestWordSpout;
import org.apache.storm.topology.TopologyBuilder;
import org.apache.storm.tuple.AddressedTuple;
import org.apache.storm.utils.JCQueue;
import org.junit.jupiter.api.Test;

class DeadlineQueueTest {

    private static final int CAPACITY = 64;
    private static final int PRODUCERS = 3;
    private static final int ELEMENTS = 20_000;

    private final TimedInput input = new TimedInput();
    private boolean targetsApply = true;
    private final DeadlineQueue queue = new DeadlineQueue(new QueueRequest("queue", "metric", CAPACITY, 0, 1, new WaitStrategyPark(100),
        "topology", "bolt", List.of(2), 6700, new StormMetricRegistry()), new SpaceSignal(), () -> targetsApply);
    private final Taken taken = new Taken();

    /** Notes what it gets. */
    private static class Taken implements JCQueue.Consumer {
        final List<Object> elements = new ArrayList<>();

        @Override
        public void accept(Object element) {
            elements.add(element);
        }

        @Override
        public void flush() {
            // Elements are taken one by one.
        }
    }

    @Test
    void shouldHandOutTheTupleWithTheEarliestDeadlineFirstAndKeepTheOrderOfEachLane() {
        publish(1_000 + 1, 2_000 + 1, 100, 900 + 2, 1_500 + 1 - 1_000 + 4, 96);
        queue.consume(taken);
        assertEquals(List.of(96L, 100L, 902L, 1_001L, 2_001L, 505L), sorted(taken.elements));
    }

    @Test
    void shouldHandOutAnElementWithoutADeadlineAfterAllBeforeIt() {
        Object flush = new Object();
        publish(1_001, 2_001);
        assertTrue(queue.tryPublish(flush));
        publish(3_001, 8);
        AddressedTuple tick = input.tick();
        assertTrue(queue.tryPublish(tick));
        publish(4_001);
        queue.consume(taken);
        assertEquals(8, deadlineNs(taken.elements.get(0)), "a more urgent one overtakes it");
        assertEquals(List.of(1_001L, 2_001L), sorted(taken.elements.subList(1, 3)));
        assertEquals(flush, taken.elements.get(3));
        assertEquals(3_001, deadlineNs(taken.elements.get(4)), "one of the same lane does not");
        assertEquals(tick, taken.elements.get(5));
        assertEquals(4_001, deadlineNs(taken.elements.get(6)));
        assertEquals(0, queue.size());
    }

    @Test
    void shouldHandOutAnElementWithoutADeadlineAtOnceWhenNothingIsBeforeIt() {
        AddressedTuple tick = input.tick();
        assertTrue(queue.tryPublish(tick));
        publish(8, 1_001);
        queue.consume(taken);
        assertEquals(tick, taken.elements.get(0));
        assertEquals(3, taken.elements.size());
    }

    @Test
    void shouldKeepThePlaceOfAnElementWithoutADeadlineWhileTargetsDoNotApply() {
        targetsApply = false;
        AddressedTuple tick = input.tick();
        publish(1_001);
        assertTrue(queue.tryPublish(tick));
        publish(8);
        queue.consume(taken);
        assertEquals(tick, taken.elements.get(1));
    }

    /** A pipeline with more tuples than the bolt can execute. */
    @Test
    void shouldRefuseOnlyTuplesOfALaneThatIsFull() {
        fill();
        assertEquals(1, queue.getQueueLoad());
        assertFalse(queue.tryReceive(input.tuple(1_001)));
        assertFalse(queue.tryReceive(input.tuple(0)), "one of an upstream worker");
        ArrayList<Object> group = new ArrayList<>(List.of(input.tuple(1_001)));
        queue.receive(group);
        assertEquals(1, group.size());

        taken.elements.clear();
        assertTrue(queue.tryPublishDirect(input.tick()));
        publish(8);
        assertTrue(queue.tryReceive(input.tuple(16)));
        consume(2);
        assertEquals(List.of(8L, 16L), deadlinesNs(), "the urgent ones are next");

        IntStream.range(1, 2 * CAPACITY).forEach(i -> consume(1));
        assertTrue(queue.tryPublish(input.tuple(1_001)), "there is room again");
    }

    @Test
    void shouldRefuseAllTuplesWhenTheQueueIsFullAndTargetsDoNotApply() {
        targetsApply = false;
        fill();
        assertFalse(queue.tryPublish(input.tuple(8)));
        consume(CAPACITY + 1);
        assertTrue(queue.tryPublish(input.tuple(8)));
    }

    /** Those without a deadline, as of an upstream worker, are as many as the queue has room for. */
    @Test
    void shouldBoundElementsWithoutADeadline() {
        int accepted = 0;
        while (queue.tryPublishDirect(input.tuple(0))) {
            accepted++;
            queue.consume(taken, () -> queue.getQueuedCount() > 0 && taken.elements.isEmpty());
        }
        assertTrue(queue.size() <= 2 * CAPACITY, "the queue took " + accepted);
    }

    /** A producer of this worker inserts whenever it can. */
    @Test
    void shouldExecuteTuplesInTheOverflowListAlthoughAProducerKeepsTheirLaneFull() {
        fill();
        IntStream.rangeClosed(1, 3).forEach(i -> assertTrue(queue.tryPublishToOverflow(input.tuple(8_000_001 + 8L * i))));
        taken.elements.clear();
        int turns = 0;
        while (sorted(taken.elements).stream().filter(deadline -> deadline > 8_000_000).count() < 3) {
            assertTrue(turns++ < 4 * CAPACITY, "the overflow list does not become empty");
            consume(1);
            while (queue.tryPublish(input.tuple(1_001))) {
                assertTrue(queue.size() < 3 * CAPACITY);
            }
        }
        assertEquals(0, queue.getOverflowCount());
    }

    /** Inserts tuples of lane 1 until it is full. */
    private void fill() {
        while (queue.tryPublish(input.tuple(1_001))) {
            consume(0);
        }
        assertTrue(queue.size() >= CAPACITY && queue.size() <= 2 * CAPACITY, "the queue took " + queue.size());
    }

    /** Takes at most so many elements; with 0, the queue only looks for what has come. */
    private void consume(int most) {
        int before = taken.elements.size();
        AtomicInteger looks = new AtomicInteger();
        queue.consume(taken, () -> taken.elements.size() < before + most || (most == 0 && looks.getAndIncrement() == 0));
    }

    @Test
    void shouldKeepTheOrderOfAllTuplesWhileTargetsDoNotApply() {
        targetsApply = false;
        publish(1_001, 2_000, 96, 902);
        queue.consume(taken);
        assertEquals(List.of(1_001L, 2_000L, 96L, 902L), deadlinesNs());
    }

    @Test
    void shouldExecuteWhatItHoldsBeforeItSortsByTargetsThatBeginToApply() {
        targetsApply = false;
        publish(1_001, 1_009, 2_001);
        assertEquals(1, queue.consume(taken, () -> taken.elements.isEmpty()));
        targetsApply = true;
        publish(3_001, 8);
        assertEquals(4, queue.size());
        queue.consume(taken);
        assertEquals(List.of(1_001L, 1_009L, 2_001L, 8L, 3_001L), deadlinesNs());

        taken.elements.clear();
        publish(1_001, 2_001, 8);
        assertEquals(1, queue.consume(taken, () -> taken.elements.isEmpty()));
        targetsApply = false;
        publish(3_001, 16);
        queue.consume(taken);
        assertEquals(List.of(8L, 1_001L, 2_001L, 3_001L, 16L), deadlinesNs());
    }

    @Test
    void shouldKeepTheOrderOfASpoutWhoseTargetBeginsToApply() {
        TopologyBuilder builder = new TopologyBuilder();
        builder.setSpout("orders", new TestWordSpout()).addConfiguration(DeadlineConfiguration.TARGET, 20);
        builder.setSpout("logs", new TestWordSpout());
        builder.setBolt("store", new TestWordCounter()).shuffleGrouping("orders").shuffleGrouping("logs");
        Deadlines deadlines = Deadlines.of(builder.createTopology(), Map.of(), () -> 0).orElseThrow();
        deadlines.follow(() -> targetsApply);
        Urgency orders = deadlines.of("orders", input.newQueue("orders"));
        List<Long> emitted = new ArrayList<>();
        for (boolean apply : new boolean[] {false, true, false, true}) {
            targetsApply = apply;
            orders.emittingMessage("default");
            emitted.add(orders.currentNs());
            publish(orders.currentNs());
        }
        queue.consume(taken);
        assertEquals(emitted, deadlinesNs());
    }

    private List<Long> deadlinesNs() {
        return taken.elements.stream().map(DeadlineQueueTest::deadlineNs).toList();
    }

    @Test
    void shouldSeeAMoreUrgentTupleThatComesMeanwhile() {
        IntStream.range(0, 20).forEach(i -> publish(1_001));
        JCQueue.Consumer publishing = new Taken() {
            @Override
            public void accept(Object element) {
                if (taken.elements.isEmpty()) {
                    publish(8);
                }
                taken.accept(element);
            }
        };
        queue.consume(publishing);
        assertEquals(21, taken.elements.size());
        assertTrue(IntStream.range(1, 10).anyMatch(i -> deadlineNs(taken.elements.get(i)) == 8), "not after all others");
    }

    @Test
    void shouldKeepWhatItHoldsWhenALookEndsEarly() {
        publish(1_001, 8, 16);
        assertEquals(1, queue.consume(taken, () -> taken.elements.isEmpty()));
        assertEquals(2, queue.size());
        assertEquals(2, queue.consume(taken));
        assertEquals(List.of(8L, 16L, 1_001L), taken.elements.stream().map(DeadlineQueueTest::deadlineNs).toList());
        assertEquals(0, queue.size());
        assertEquals(0, queue.consume(taken));
    }

    @Test
    void shouldLeaveWhatItHoldsToTheOneThatDrainsIt() {
        publish(1_001, 8, 16);
        queue.consume(taken, () -> taken.elements.isEmpty());
        publish(24);
        List<Object> drained = new ArrayList<>();
        assertEquals(3, queue.drain(drained::add, () -> { }));
        assertEquals(3, drained.size());
        assertEquals(0, queue.size());
    }

    @Test
    void shouldNotTakeMoreThanTheQueueHasRoomFor() {
        IntStream.range(0, CAPACITY).forEach(i -> publish(1_001));
        queue.consume(taken, () -> taken.elements.isEmpty());
        int more = 0;
        while (queue.tryPublish(input.tuple(1_001))) {
            more++;
            queue.consume(taken, () -> false);
        }
        assertTrue(more <= CAPACITY + 1, () -> "the queue took another " + queue.size());
        assertTrue(queue.size() <= 2 * CAPACITY);
    }

    @Test
    void shouldLoseNothingAndKeepTheOrderOfEachProducersLaneWhenManyProduce() {
        assertTimeoutPreemptively(Duration.ofMinutes(2), () -> {
            List<Thread> producers = new ArrayList<>();
            for (int producer = 0; producer < PRODUCERS; producer++) {
                int number = producer;
                Thread thread = new Thread(() -> produce(number), "producer-" + producer);
                producers.add(thread);
                thread.start();
            }
            Random stops = new Random(5);
            while (taken.elements.size() < PRODUCERS * ELEMENTS) {
                int until = taken.elements.size() + 1 + stops.nextInt(100);
                queue.consume(taken, () -> taken.elements.size() < until);
            }
            for (Thread thread : producers) {
                thread.join();
            }
        });
        long[] last = new long[PRODUCERS * Lanes.MOST];
        for (Object element : taken.elements) {
            AddressedTuple addressed = (AddressedTuple) element;
            int lane = addressed.getDest() * Lanes.MOST + Deadlines.laneOf(deadlineNs(element));
            assertTrue(last[lane] < deadlineNs(element), "in the order of its producer");
            last[lane] = deadlineNs(element);
        }
    }

    /** Each tuple of a lane has a later deadline than the one before it. */
    private void produce(int producer) {
        Random random = new Random(producer);
        for (int element = 1; element <= ELEMENTS; element++) {
            AddressedTuple tuple = new AddressedTuple(producer, input.tuple(element * 8L + random.nextInt(3)).getTuple());
            while (!queue.tryPublish(tuple)) {
                Thread.onSpinWait();
            }
        }
    }

    private void publish(long... deadlinesNs) {
        for (long deadlineNs : deadlinesNs) {
            assertTrue(queue.tryPublish(input.tuple(deadlineNs)));
        }
    }

    private static List<Long> sorted(List<Object> elements) {
        return elements.stream().map(DeadlineQueueTest::deadlineNs).toList();
    }

    private static long deadlineNs(Object element) {
        return element instanceof AddressedTuple addressed ? ((DeadlineHolder) addressed.getTuple()).getEyewallDeadlineNs() : -1;
    }
}
