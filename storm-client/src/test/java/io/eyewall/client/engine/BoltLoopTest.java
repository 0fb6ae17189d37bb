package io.eyewall.client.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.eyewall.client.seam.QueueRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.apache.storm.generated.StormTopology;
import org.apache.storm.metrics2.StormMetricRegistry;
import org.apache.storm.policy.WaitStrategyPark;
import org.apache.storm.task.GeneralTopologyContext;
import org.apache.storm.testing.TestWordCounter;
import org.apache.storm.testing.TestWordSpout;
import org.apache.storm.topology.TopologyBuilder;
import org.apache.storm.tuple.AddressedTuple;
import org.apache.storm.tuple.Fields;
import org.apache.storm.tuple.TupleImpl;
import org.apache.storm.utils.JCQueue;
import org.junit.jupiter.api.Test;

class BoltLoopTest {

    private static final Map<Integer, String> TASKS = Map.of(1, "spout", 2, "there", 3, "back");
    private static final Map<String, Fields> STREAM = Map.of("default", new Fields("word"));
    private static final int CAPACITY = 4;

    private final StormTopology topology = topology();
    private final GeneralTopologyContext context = new GeneralTopologyContext(topology, Map.of(), TASKS,
        Map.of("spout", List.of(1), "there", List.of(2), "back", List.of(3)), Map.of("spout", STREAM, "there", STREAM, "back", STREAM),
        "topology");
    private final BoltLoop loop = BoltLoop.of(topology).get("there");
    private final WakingQueue queue = queue(2, 1);
    private final List<Object> taken = new ArrayList<>();

    @Test
    void shouldFindTheBoltsThatSendToEachOther() {
        Map<String, BoltLoop> loops = BoltLoop.of(topology);
        assertEquals(Set.of("there", "back", "again"), loops.keySet());
        assertSame(loops.get("there"), loops.get("back"));
        assertFalse(loops.get("again").hasEmitted(tuple(2, "word")));
        assertEquals(Map.of(), BoltLoop.of(new StormTopology()));
    }

    @Test
    void shouldTakeTuplesOfTheLoopBesideAFullQueueInOrder() {
        queue.join(loop);
        for (int i = 0; i < CAPACITY; i++) {
            assertTrue(queue.tryPublish(tuple(1, "outside")));
        }
        assertFalse(queue.tryPublish(tuple(1, "outside")), "full");
        for (int i = 0; i < CAPACITY; i++) {
            assertTrue(queue.tryPublish(tuple(3, "inside-" + i)));
        }
        take(1);
        assertTrue(queue.tryPublish(tuple(3, "inside-4")), "behind the others, although there is room in front of them");
        take(2 * CAPACITY);

        assertEquals(List.of("outside", "outside", "outside", "outside", "inside-0", "inside-1", "inside-2", "inside-3", "inside-4"),
            taken);
    }

    @Test
    void shouldLetNothingIntoTheLoopWhileItOverflowsAnywhere() {
        WakingQueue other = queue(3, 1);
        queue.join(loop);
        other.join(loop);
        overflow(other, 2);

        assertFalse(queue.tryPublish(tuple(1, "outside")));

        assertTrue(queue.tryPublish(tuple(3, "inside")));
        take(1);
        other.consume(new Taking());
        assertTrue(queue.tryPublish(tuple(1, "outside")));
    }

    @Test
    void shouldWakeAProducerFromOutsideWhenNoListHasTuplesAnyMore() {
        WakingQueue other = queue(3, 1);
        queue.join(loop);
        other.join(loop);
        overflow(other, 2);
        assertFalse(queue.tryPublish(tuple(1, "outside")));
        long beganNs = System.nanoTime();

        other.consume(new Taking());

        LockSupport.parkNanos(TimeUnit.MINUTES.toNanos(1));
        assertTrue(System.nanoTime() - beganNs < TimeUnit.SECONDS.toNanos(30), "the consumer of the other queue does not wake it");
    }

    @Test
    void shouldWakeAProducerInTheLoopWhenAListWithALimitHasSpaceAgain() {
        WakingQueue limited = queue(2, 1, 2);
        limited.join(loop);
        overflow(limited, 3);
        assertFalse(limited.tryPublish(tuple(3, "inside")), "half of the list is for other workers");
        assertTrue(limited.tryPublishToOverflow(tuple(1, "from another worker")));
        long beganNs = System.nanoTime();

        limited.consume(new Taking());

        LockSupport.parkNanos(TimeUnit.MINUTES.toNanos(1));
        assertTrue(System.nanoTime() - beganNs < TimeUnit.SECONDS.toNanos(30), "the consumer does not wake it");
        assertTrue(limited.tryPublish(tuple(3, "inside")));
    }

    @Test
    void shouldHoldOtherWorkersBackUntilNoListHasTuplesAnyMore() {
        AtomicInteger reports = new AtomicInteger();
        WakingQueue fast = queue(2, 1, 0, new SpaceSignal(reports::incrementAndGet));
        WakingQueue slow = queue(3, 1, 0, new SpaceSignal(reports::incrementAndGet));
        fast.join(loop);
        slow.join(loop);
        overflow(slow, 2);

        assertFalse(fast.isEmptyOverflow(), "another worker must not send to it, although there is room");
        assertTrue(fast.tryPublishToOverflow(tuple(1, "from another worker")));
        fast.consume(new Taking());
        assertFalse(fast.isEmptyOverflow());
        assertEquals(0, reports.get());

        slow.consume(new Taking());

        assertTrue(fast.isEmptyOverflow());
        assertEquals(1, reports.get(), "other workers learn of it at once");
    }

    @Test
    void shouldKeepNothingBesideQueuesOfWhichOneCannotRefuse() {
        queue.join(loop);
        queue(3, 2).join(loop);
        for (int i = 0; i < CAPACITY; i++) {
            assertTrue(queue.tryPublish(tuple(3, "inside")));
        }

        assertFalse(queue.tryPublish(tuple(3, "inside")));
    }

    @Test
    void shouldForgetTheQueueOfAnExecutorThatHasLeft() {
        WakingQueue other = queue(3, 1);
        queue.join(loop);
        other.join(loop);
        overflow(other, 2);

        loop.remove(other);

        assertTrue(queue.tryPublish(tuple(1, "outside")));
    }

    @Test
    void shouldNotHaveTuplesOvertakeABatch() {
        WakingQueue batched = queue(2, 2);
        batched.join(loop);
        int published = 0;
        while (batched.tryPublish(tuple(3, "inside"))) {
            published++;
            assertTrue(published <= 2 * CAPACITY, "the queue has no limit");
        }
        assertTrue(batched.isEmptyOverflow());
    }

    /** Fills a queue with tuples of a bolt in the loop, and one more. */
    private void overflow(WakingQueue full, int from) {
        for (int i = 0; i <= CAPACITY; i++) {
            assertTrue(full.tryPublish(tuple(from, "inside")));
        }
    }

    private void take(int atMost) {
        int before = taken.size();
        queue.consume(new Taking(), () -> taken.size() < before + atMost);
    }

    private AddressedTuple tuple(int from, String word) {
        return new AddressedTuple(2, new TupleImpl(context, List.of(word), TASKS.get(from), from, "default"));
    }

    private static WakingQueue queue(int task, int batch) {
        return queue(task, batch, 0);
    }

    private static WakingQueue queue(int task, int batch, int overflowLimit) {
        return queue(task, batch, overflowLimit, new SpaceSignal());
    }

    private static WakingQueue queue(int task, int batch, int overflowLimit, SpaceSignal space) {
        return new WakingQueue(new QueueRequest("queue", "metric", CAPACITY, overflowLimit, batch, new WaitStrategyPark(100), "topology",
            TASKS.get(task), List.of(task), 6700, new StormMetricRegistry()), true, space);
    }

    private static StormTopology topology() {
        TopologyBuilder builder = new TopologyBuilder();
        builder.setSpout("spout", new TestWordSpout());
        builder.setBolt("there", new TestWordCounter()).shuffleGrouping("spout").shuffleGrouping("back");
        builder.setBolt("back", new TestWordCounter()).shuffleGrouping("there");
        builder.setBolt("again", new TestWordCounter()).shuffleGrouping("again").shuffleGrouping("back");
        builder.setBolt("last", new TestWordCounter()).shuffleGrouping("again");
        return builder.createTopology();
    }

    /** Notes the words. */
    private final class Taking implements JCQueue.Consumer {
        @Override
        public void accept(Object element) {
            taken.add(((AddressedTuple) element).getTuple().getValue(0));
        }

        @Override
        public void flush() {
            // Elements are taken one by one.
        }
    }
}
