package io.eyewall.tail.shared;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.eyewall.client.engine.SpaceSignal;
import io.eyewall.client.seam.QueueRequest;
import io.eyewall.tail.TestTuples;
import io.eyewall.tail.auto.TechniqueSwitch;
import io.eyewall.tail.auto.TestSwitch;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.apache.storm.metrics2.StormMetricRegistry;
import org.apache.storm.policy.WaitStrategyPark;
import org.apache.storm.tuple.AddressedTuple;
import org.apache.storm.utils.JCQueue;
import org.junit.jupiter.api.Test;

/** Tuples that come from another worker, in groups, or to overflow lists. */
class SharingQueueGroupsTest {

    private static final int CAPACITY = 4;

    private final List<Object> taken = new ArrayList<>();
    private final JCQueue.Consumer collector = new JCQueue.Consumer() {
        @Override
        public void accept(Object element) {
            taken.add(((AddressedTuple) element).tuple.getValue(0));
        }

        @Override
        public void flush() {
            // Tuples are taken one by one.
        }
    };

    @Test
    void shouldShareWhatFitsAndLeaveTheRest() {
        SharedTuples tuples = new SharedTuples(CAPACITY, 0, null, new SpaceSignal());
        SharingQueue one = member(tuples, 10);
        SharingQueue other = member(tuples, 11);
        ArrayList<Object> group = group(CAPACITY + 2);

        one.receive(group);

        assertEquals(List.of(4, 5), numbers(group));
        assertEquals(CAPACITY, other.consume(collector));
        assertEquals(List.of(0, 1, 2, 3), taken);
    }

    @Test
    void shouldKeepForItsExecutorWhatIsForThatAlone() {
        SharedTuples tuples = new SharedTuples(CAPACITY, 0, null, new SpaceSignal());
        SharingQueue one = member(tuples, 10);
        SharingQueue other = member(tuples, 11);
        ArrayList<Object> group = group(1);
        group.add(TestTuples.tuple(10, "__tick", "own"));

        one.receive(group);

        assertEquals(List.of(), numbers(group));
        assertEquals(1, other.consume(collector));
        assertEquals(1, one.consume(collector));
        assertEquals(List.of(0, "own"), taken);
    }

    @Test
    void shouldKeepAGroupTogetherWhileSharingIsOff() {
        TechniqueSwitch control = TestSwitch.off();
        SharedTuples tuples = new SharedTuples(CAPACITY, 0, control, new SpaceSignal());
        SharingQueue one = member(tuples, 10);
        SharingQueue other = member(tuples, 11);
        ArrayList<Object> group = group(CAPACITY + 1);

        one.receive(group);

        assertEquals(List.of(4), numbers(group));
        assertEquals(0, other.consume(collector));
        assertEquals(CAPACITY, one.consume(collector));
    }

    @Test
    void shouldReportOnceThatTheOverflowListIsEmptyWhicheverExecutorTookItsLastTuple() {
        AtomicInteger reports = new AtomicInteger();
        SharedTuples tuples = new SharedTuples(CAPACITY, 0, null, new SpaceSignal(reports::incrementAndGet));
        SharingQueue one = member(tuples, 10);
        SharingQueue other = member(tuples, 11);
        assertTrue(one.tryPublish(TestTuples.tuple(10, "default", 1)));
        assertTrue(one.tryPublishToOverflow(TestTuples.tuple(10, "default", 2)));
        assertTrue(one.tryPublishToOverflow(TestTuples.tuple(10, "default", 3)));

        assertEquals(3, other.consume(collector));
        assertEquals(1, reports.get());

        assertTrue(one.tryPublish(TestTuples.tuple(10, "default", 4)));
        assertEquals(1, one.consume(collector));
        assertEquals(1, reports.get());
    }

    /** Each executor has a list of its own then. */
    @Test
    void shouldReportThatAnOverflowListIsEmptyForEachExecutorWhileSharingIsOff() {
        AtomicInteger reports = new AtomicInteger();
        SharedTuples tuples = new SharedTuples(CAPACITY, 0, TestSwitch.off(), new SpaceSignal(reports::incrementAndGet));
        SharingQueue one = member(tuples, 10);
        SharingQueue other = member(tuples, 11);
        assertTrue(one.tryPublishToOverflow(TestTuples.tuple(10, "default", 1)));
        assertTrue(other.tryPublishToOverflow(TestTuples.tuple(11, "default", 2)));

        assertEquals(1, other.consume(collector));
        assertEquals(1, reports.get());
        assertFalse(one.isEmptyOverflow());

        assertEquals(1, one.consume(collector));
        assertEquals(2, reports.get());
    }

    private static List<Object> numbers(List<Object> group) {
        return group.stream().map(tuple -> ((AddressedTuple) tuple).tuple.getValue(0)).toList();
    }

    @SuppressWarnings("NonApiType") // As a queue takes it.
    private static ArrayList<Object> group(int tuples) {
        ArrayList<Object> group = new ArrayList<>();
        IntStream.range(0, tuples).forEach(number -> group.add(TestTuples.tuple(10, "default", number)));
        return group;
    }

    private static SharingQueue member(SharedTuples tuples, int task) {
        SharingQueue queue = new SharingQueue(new QueueRequest("queue", "metric", CAPACITY, 0, 1, new WaitStrategyPark(100), "topology",
            "component", List.of(task), 6700, new StormMetricRegistry()), tuples, true);
        tuples.join(queue);
        return queue;
    }
}
