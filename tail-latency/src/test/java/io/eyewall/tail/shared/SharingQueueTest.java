package io.eyewall.tail.shared;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.eyewall.client.engine.ParkingWaitStrategy;
import io.eyewall.client.engine.SpaceSignal;
import io.eyewall.client.seam.QueueRequest;
import io.eyewall.tail.TestTuples;
import io.eyewall.tail.auto.TechniqueSwitch;
import io.eyewall.tail.auto.TestSwitch;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntConsumer;
import java.util.stream.IntStream;
import org.apache.storm.metrics2.StormMetricRegistry;
import org.apache.storm.policy.WaitStrategyPark;
import org.apache.storm.tuple.AddressedTuple;
import org.apache.storm.utils.JCQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SharingQueueTest {

    private static final int TUPLES = 20_000;
    private static final int CAPACITY = 128;
    /** Longer than the test may take: an executor that is not woken fails it. */
    private static final long PARKED_NS = Duration.ofMinutes(10).toNanos();
    private static final long NAP_NS = 1_000;
    /** As many threads come and go. */
    private static final int MAX_EXECUTORS = 50;

    private final SharedTuples shared = new SharedTuples(CAPACITY, 2, null, new SpaceSignal());
    private final SharingQueue first = member(10, 11);
    private final SharingQueue second = member(12, 12);

    @Test
    void shouldLetAnyExecutorRunATupleAsItsOwnTask() {
        Executed executed = new Executed();
        assertTrue(first.tryPublish(TestTuples.tuple(10, "default", 1)));
        assertTrue(first.tryPublish(TestTuples.tuple(11, "default", 2)));
        assertTrue(first.tryPublish(TestTuples.tuple(12, "default", 3)));

        assertEquals(3, second.consume(executed));

        assertEquals(List.of(1, 2, 3), executed.words);
        assertEquals(List.of(12, 12, 12), executed.tasks);
        assertEquals(0, first.consume(executed));
    }

    @Test
    void shouldKeepTheTaskOfATupleThatItsOwnExecutorTakesAndShareOthersOut() {
        Executed executed = new Executed();
        for (int task : new int[] {10, 11, 12, 12, 12, 12}) {
            first.tryPublish(TestTuples.tuple(task, "default", task));
        }

        first.consume(executed);

        assertEquals(List.of(10, 11, 11, 10, 11, 10), executed.tasks);
    }

    @Test
    void shouldKeepTicksAndFlushesForTheExecutorThatTheyAreFor() throws InterruptedException {
        Executed executed = new Executed();
        first.publish(TestTuples.tuple(10, "__tick", 1));
        first.tryPublishDirect(TestTuples.tuple(AddressedTuple.BROADCAST_DEST, "default", 2));

        assertEquals(0, second.consume(executed));
        assertEquals(2, first.consume(executed));
        assertEquals(List.of(10, AddressedTuple.BROADCAST_DEST), executed.tasks);
    }

    @Test
    void shouldReportOneLoadAndRefuseTuplesWhenFullAndOverflowing() {
        for (int i = 0; i < CAPACITY; i++) {
            assertTrue((i % 2 == 0 ? first : second).tryPublish(TestTuples.tuple(10, "default", i)));
        }

        assertFalse(first.tryPublish(TestTuples.tuple(10, "default", CAPACITY)));
        assertEquals(1.0, first.getQueueLoad());
        assertEquals(1.0, second.getQueueLoad());
        assertEquals(CAPACITY, second.getQueuedCount());
        assertTrue(second.isEmptyOverflow());

        assertTrue(first.tryPublishToOverflow(TestTuples.tuple(10, "default", CAPACITY)));
        assertTrue(second.tryPublishToOverflow(TestTuples.tuple(10, "default", CAPACITY + 1)));
        assertFalse(second.tryPublishToOverflow(TestTuples.tuple(10, "default", CAPACITY + 2)));
        assertFalse(second.isEmptyOverflow());
        assertEquals(2, first.getOverflowCount());

        Executed executed = new Executed();
        while (first.consume(executed) > 0) {
            assertTrue(first.getQueueLoad() < 1);
        }
        assertEquals(CAPACITY + 2, executed.words.size());
        assertEquals(executed.words.stream().sorted().toList(), executed.words);
        assertTrue(first.isEmptyOverflow());
    }

    @Test
    void shouldTakeNothingWhileTheExecutorCannotEmit() {
        first.tryPublish(TestTuples.tuple(10, "default", 1));

        assertEquals(0, first.consume(new Executed(), () -> false));
        assertEquals(1, first.size());
    }

    @Test
    void shouldSayWhoWasInterruptedAndLeaveTheThreadInterrupted() {
        first.tryPublish(TestTuples.tuple(10, "default", 1));

        IllegalStateException error = assertThrows(IllegalStateException.class, () -> first.consume(new Executed() {
            @Override
            public void flush() throws InterruptedException {
                throw new InterruptedException();
            }
        }));

        assertTrue(Thread.interrupted());
        assertTrue(error.getMessage().startsWith("The executor of tasks [10, 11] was interrupted"), error.getMessage());
        assertInstanceOf(InterruptedException.class, error.getCause());
    }

    @Test
    void shouldWakeAnotherOneWhileItExecutesWhatItFoundJustBeforeItWaited() {
        waitWithNothingToDo(first);
        second.consume(new Executed());
        List<Boolean> woken = new ArrayList<>();
        AtomicInteger asked = new AtomicInteger();
        second.consume(new Executed() {
            @Override
            public void accept(Object element) {
                woken.add(second.wake());
            }
        }, () -> {
            if (asked.incrementAndGet() == 6) { // In its second look; the tuple wakes the first one, but the second one takes it.
                first.tryPublish(TestTuples.tuple(10, "default", 1));
            }
            return true;
        });

        assertEquals(List.of(false), woken, "the second one is busy");
        assertFalse(first.wake(), "the first one has been woken");
    }

    @Test
    void shouldWakeAnotherOneForATupleThatItCannotTake() {
        waitWithNothingToDo(first);
        waitWithNothingToDo(second);
        first.tryPublish(TestTuples.tuple(12, "default", 1));

        assertEquals(0, first.consume(new Executed(), () -> false));

        assertFalse(second.wake(), "the second one has been woken");
    }

    @Test
    void shouldLeaveWhatIsSharedToTheOthersWhenItsExecutorIsToEnd() {
        waitWithNothingToDo(second);
        first.tryPublish(TestTuples.tuple(12, "default", 1));
        first.retire();
        first.tryPublish(TestTuples.tuple(10, "default", 2));
        first.tryPublish(TestTuples.tuple(10, "__tick", 3));

        Executed own = new Executed();
        first.consume(own);
        assertEquals(List.of(3), own.words);
        assertEquals(0, first.size());
        Executed others = new Executed();
        second.consume(others);
        assertEquals(List.of(1, 2), others.words);
        assertEquals(List.of(12, 12), others.tasks);
    }

    @Test
    void shouldExecuteWhatIsSharedWhenTheLastExecutorIsToEnd() {
        first.tryPublish(TestTuples.tuple(12, "default", 1));
        second.retire();
        first.retire();
        assertEquals(1, first.size());
        first.tryPublish(TestTuples.tuple(10, "default", 2));

        Executed executed = new Executed();
        first.consume(executed);

        assertEquals(List.of(1, 2), executed.words);
        assertEquals(0, first.size());
    }

    @Test
    void shouldDrainAllThatIsSharedWhenTheLastExecutorHasEnded() {
        SharedTuples tuples = new SharedTuples(CAPACITY, 0, null, new SpaceSignal());
        SharingQueue last = new SharingQueue(request(10, 11), tuples, true);
        tuples.join(last);
        for (int i = 0; i < CAPACITY; i++) {
            assertTrue(last.tryPublish(TestTuples.tuple(10, "default", i)));
        }
        assertTrue(last.tryPublishToOverflow(TestTuples.tuple(11, "default", CAPACITY)));
        last.retire();
        last.askToReturn();
        List<Object> drained = new ArrayList<>();
        AtomicInteger later = new AtomicInteger();
        assertEquals(CAPACITY + 1, last.drain(drained::add, later::incrementAndGet));
        assertEquals(0, last.size());
        assertTrue(last.tryPublish(TestTuples.tuple(10, "default", 1)));
        assertEquals(1, later.get());
        assertEquals(1, last.drain(drained::add, later::incrementAndGet));
        last.close();
        later.set(0);
        assertTrue(last.tryPublish(TestTuples.tuple(10, "default", 2)));
        assertEquals(1, later.get(), "closing does not end it");
    }

    @Test
    void shouldDrainOnlyItsOwnTuplesWhileOthersShare() {
        waitWithNothingToDo(second);
        first.tryPublish(TestTuples.tuple(12, "default", 1));
        first.tryPublish(TestTuples.tuple(10, "__tick", 2));
        List<Object> drained = new ArrayList<>();
        AtomicInteger later = new AtomicInteger();

        assertEquals(1, first.drain(drained::add, later::incrementAndGet));
        first.tryPublish(TestTuples.tuple(10, "default", 3));
        assertEquals(0, later.get(), "the second one takes it");
        first.tryPublish(TestTuples.tuple(10, "__tick", 4));
        assertEquals(1, later.get());
        assertEquals(2, second.consume(new Executed()));
    }

    @Test
    void shouldLeaveWhatIsSharedToAnExecutorThatComesAfterTheLastOneHasEnded() {
        SharedTuples tuples = new SharedTuples(CAPACITY, 0, null, new SpaceSignal());
        SharingQueue last = new SharingQueue(request(10, 10), tuples, true);
        tuples.join(last);
        AtomicInteger later = new AtomicInteger();
        last.drain(new ArrayList<>()::add, later::incrementAndGet);
        SharingQueue next = new SharingQueue(request(11, 11), tuples, true);
        tuples.join(next);

        assertTrue(last.tryPublish(TestTuples.tuple(10, "default", 1)));

        assertEquals(0, later.get());
        Executed executed = new Executed();
        next.consume(executed);
        assertEquals(List.of(1), executed.words);
    }

    @Test
    void shouldWakeAnotherOneForWhatItWasWokenForWhenItsExecutorIsToEnd() {
        waitWithNothingToDo(first);
        waitWithNothingToDo(second);
        first.tryPublish(TestTuples.tuple(12, "default", 1));

        first.retire();

        assertFalse(second.wake(), "the second one has been woken");
    }

    @Test
    void shouldWakeNobodyWhoIsToEndForWhatIsShared() {
        first.retire();
        waitWithNothingToDo(first);
        waitWithNothingToDo(second);
        first.tryPublish(TestTuples.tuple(10, "default", 1));

        assertFalse(second.wake(), "the second one has been woken");
    }

    @Test
    void shouldRunEachTupleOnceAndWakeWhoWaitsWhileExecutorsComeAndGo() {
        SharedTuples tuples = new SharedTuples(CAPACITY, 0, null, new SpaceSignal());
        List<SharingQueue> queues = new CopyOnWriteArrayList<>();
        List<Executed> executed = new ArrayList<>();
        List<Thread> executors = new ArrayList<>();
        AtomicInteger remaining = new AtomicInteger(TUPLES);
        IntConsumer come = at -> {
            SharingQueue queue = new SharingQueue(request(10, 10), tuples, true);
            tuples.join(queue);
            SharingQueue leaving = at < queues.size() ? queues.set(at, queue) : null;
            if (leaving == null) {
                queues.add(queue);
            }
            Executed words = new Executed();
            executed.add(words);
            Thread executor = new Thread(() -> execute(queue, words, remaining), "executor-" + executed.size());
            executors.add(executor);
            executor.start();
            if (leaving != null) {
                leaving.retire();
            }
        };
        come.accept(0);
        come.accept(1);

        assertTimeoutPreemptively(Duration.ofMinutes(1), () -> {
            Thread producer = new Thread(() -> produce(queues, 0), "producer");
            producer.start();
            for (int i = 0; remaining.get() > 0; i = 1 - i) {
                LockSupport.parkNanos(1_000_000);
                if (executors.size() < MAX_EXECUTORS) {
                    come.accept(i);
                }
            }
            producer.join();
            for (Thread executor : executors) {
                LockSupport.unpark(executor);
                executor.join();
            }
        });

        assertEquals(TUPLES, executed.stream().flatMap(each -> each.words.stream()).distinct().count());
        assertEquals(TUPLES, executed.stream().mapToInt(each -> each.words.size()).sum());
    }

    @Test
    void shouldKeepWhatComesWhileSharingIsOffAndStillTakeWhatWasSharedBefore() {
        TechniqueSwitch control = TestSwitch.switched(TestSwitch.off());
        SharedTuples tuples = new SharedTuples(CAPACITY, 2, control, new SpaceSignal());
        SharingQueue one = new SharingQueue(request(10, 11), tuples, true);
        SharingQueue other = new SharingQueue(request(12, 12), tuples, true);
        tuples.join(one);
        tuples.join(other);
        one.tryPublish(TestTuples.tuple(10, "default", 1));
        TestSwitch.switched(control);
        one.tryPublish(TestTuples.tuple(10, "default", 2));
        Executed byOther = new Executed();
        other.consume(byOther);
        Executed byOne = new Executed();
        one.consume(byOne);

        assertEquals(List.of(1), byOther.words, "shared when it came");
        assertEquals(List.of(2), byOne.words);
        assertEquals(0, one.size());
    }

    @Test
    void shouldReportTheLoadOfTheFullerQueueWhileSharingIsOff() {
        SharingQueue one = new SharingQueue(request(10, 11), new SharedTuples(CAPACITY, 2, TestSwitch.off(), new SpaceSignal()), true);
        for (int i = 0; i < CAPACITY; i++) {
            assertTrue(one.tryPublish(TestTuples.tuple(10, "default", i)));
        }

        assertFalse(one.tryPublish(TestTuples.tuple(10, "default", CAPACITY)));
        assertEquals(1.0, one.getQueueLoad());
        assertEquals(CAPACITY, one.getQueuedCount());
    }

    @Test
    void shouldRunEachTupleOnceAndWakeWhoWaitsWhileSharingIsSwitchedOnAndOff() {
        TechniqueSwitch control = TestSwitch.off();
        List<Executed> executed = run(new SharedTuples(CAPACITY, 0, control, new SpaceSignal()), 2, 3, () -> TestSwitch.switched(control));

        assertEquals(2 * TUPLES, executed.stream().flatMap(each -> each.words.stream()).distinct().count());
        assertEquals(2 * TUPLES, executed.stream().mapToInt(each -> each.words.size()).sum());
    }

    @ParameterizedTest
    @CsvSource({"1,1", "1,4", "3,2", "3,4"})
    void shouldRunEachTupleOnceInItsProducersOrderAndWakeWhoWaits(int producers, int executors) {
        List<Executed> executed = run(new SharedTuples(CAPACITY, 0, null, new SpaceSignal()), producers, executors, () -> { });

        assertEquals((long) producers * TUPLES, executed.stream().flatMap(each -> each.words.stream()).distinct().count());
        assertEquals(producers * TUPLES, executed.stream().mapToInt(each -> each.words.size()).sum());
        executed.forEach(each -> assertInOrder(each.words, producers));
    }

    /** Lets producers insert {@link #TUPLES} each, and executors take them, and something else happen meanwhile. */
    private static List<Executed> run(SharedTuples tuples, int producers, int executors, Runnable meanwhile) {
        List<SharingQueue> queues = new ArrayList<>();
        List<Executed> executed = new ArrayList<>();
        for (int i = 0; i < executors; i++) {
            SharingQueue queue = new SharingQueue(request(10 + i, 10 + i), tuples, true);
            tuples.join(queue);
            queues.add(queue);
            executed.add(new Executed());
        }
        AtomicInteger remaining = new AtomicInteger(producers * TUPLES);
        assertTimeoutPreemptively(Duration.ofMinutes(1), () -> {
            List<Thread> threads = new ArrayList<>();
            for (int i = 0; i < executors; i++) {
                int executor = i;
                threads.add(new Thread(() -> execute(queues.get(executor), executed.get(executor), remaining), "executor-" + i));
            }
            for (int i = 0; i < producers; i++) {
                int producer = i;
                threads.add(new Thread(() -> produce(queues, producer), "producer-" + i));
            }
            threads.forEach(Thread::start);
            while (remaining.get() > 0) {
                LockSupport.parkNanos(1_000_000);
                meanwhile.run();
            }
            threads.forEach(LockSupport::unpark);
            for (Thread thread : threads) {
                thread.join();
            }
        });

        return executed;
    }

    private static void waitWithNothingToDo(SharingQueue queue) {
        assertEquals(0, queue.consume(new Executed()));
        assertEquals(0, queue.consume(new Executed()));
    }

    private static void execute(SharingQueue queue, Executed executed, AtomicInteger remaining) {
        ParkingWaitStrategy wait = new ParkingWaitStrategy(NAP_NS, PARKED_NS, System::nanoTime) { };
        int idle = 0;
        while (remaining.get() > 0) {
            int consumed = queue.consume(executed);
            remaining.addAndGet(-consumed);
            idle = consumed == 0 && remaining.get() > 0 ? wait.idle(idle) : 0;
        }
    }

    /** Inserts tuples one after the other, waiting at every hundredth until executors may have gone to sleep. */
    private static void produce(List<SharingQueue> queues, int producer) {
        for (int i = 0; i < TUPLES; i++) {
            int to = i % queues.size();
            AddressedTuple tuple = TestTuples.tuple(10 + to, "default", producer * TUPLES + i);
            while (!queues.get(to).tryPublish(tuple)) {
                LockSupport.parkNanos(1_000);
            }
            if (i % 100 == 0) {
                LockSupport.parkNanos(20_000);
            }
        }
    }

    private static void assertInOrder(List<Integer> words, int producers) {
        int[] last = new int[producers];
        Arrays.fill(last, -1);
        for (int word : words) {
            int producer = word / TUPLES;
            assertTrue(word > last[producer], word + " came after " + last[producer]);
            last[producer] = word;
        }
    }

    private SharingQueue member(int firstTask, int lastTask) {
        SharingQueue queue = new SharingQueue(request(firstTask, lastTask), shared, true);
        shared.join(queue);
        return queue;
    }

    private static QueueRequest request(int firstTask, int lastTask) {
        List<Integer> tasks = IntStream.rangeClosed(firstTask, lastTask).boxed().toList();
        return new QueueRequest("queue", "metric", CAPACITY, 0, 1, new WaitStrategyPark(100), "topology", "component", tasks, 6700,
            new StormMetricRegistry());
    }

    private static class Executed implements JCQueue.Consumer {
        private final List<Integer> words = new ArrayList<>();
        private final List<Integer> tasks = new ArrayList<>();

        @Override
        public void accept(Object element) {
            AddressedTuple tuple = (AddressedTuple) element;
            words.add((Integer) tuple.tuple.getValue(0));
            tasks.add(tuple.dest);
        }

        @Override
        public void flush() throws InterruptedException {
            // Tuples are noted one by one.
        }
    }
}
