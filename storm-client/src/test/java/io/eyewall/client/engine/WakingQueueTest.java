package io.eyewall.client.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertIterableEquals;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.eyewall.client.seam.QueueRequest;
import io.eyewall.client.seam.ReceivingQueue;
import io.eyewall.client.seam.WakingEmits;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.apache.storm.metrics2.StormMetricRegistry;
import org.apache.storm.policy.WaitStrategyPark;
import org.apache.storm.tuple.AddressedTuple;
import org.apache.storm.utils.JCQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WakingQueueTest {

    private static final int ELEMENTS = 20_000;
    private static final int PRODUCERS = 2;
    private static final int CAPACITY = 1024;
    private static final int FEW = 8;
    /** Longer than the test may take: a consumer that is not woken fails it. */
    private static final long PARKED_NS = Duration.ofMinutes(10).toNanos();
    private static final long NAP_NS = 1_000;

    @ParameterizedTest
    @ValueSource(ints = {1, 8})
    void shouldWakeTheConsumerWheneverAnElementArrives(int producerBatch) {
        JCQueue queue = queue(producerBatch);
        Collector consumed = new Collector();
        ParkingWaitStrategy wait = new ParkingWaitStrategy(NAP_NS, PARKED_NS, System::nanoTime) { };
        assertTimeoutPreemptively(Duration.ofMinutes(1), () -> {
            List<Thread> producers = new ArrayList<>();
            for (int producer = 0; producer < PRODUCERS; producer++) {
                int number = producer;
                Thread thread = new Thread(() -> produce(queue, number), "producer-" + producer);
                producers.add(thread);
                thread.start();
            }
            int idle = 0;
            while (consumed.elements.size() < PRODUCERS * ELEMENTS) {
                idle = queue.consume(consumed) == 0 ? wait.idle(idle) : 0;
            }
            for (Thread thread : producers) {
                thread.join();
            }
        });
        for (int producer = 0; producer < PRODUCERS; producer++) {
            assertInOrder(consumed.elements, producer);
        }
    }

    @Test
    void shouldWakeTheConsumerAfterAsManyNapsAsItTakes() {
        WakingQueue queue = (WakingQueue) queue(1);
        queue.napFor(3);
        Collector consumed = new Collector();
        for (int nap = 0; nap < 3; nap++) {
            queue.consume(consumed);
            assertTrue(queue.tryPublish(nap));
            assertFalse(queue.wake(), "nobody waits in nap " + nap);
            queue.consume(consumed);
        }

        for (int look = 0; look < 4; look++) {
            assertFalse(queue.wake(), "before look " + look);
            assertEquals(0, queue.consume(consumed));
        }

        assertTrue(queue.wake());
        assertEquals(List.of(0, 1, 2), consumed.elements);
    }

    @Test
    void shouldTakeWhatLiesBesideItAlthoughProducersKeepItFull() {
        JCQueue queue = queue(1);
        fill(queue);
        assertTrue(queue.tryPublishToOverflow("beside"));
        int[] taken = {0};
        boolean[] found = {false};
        queue.consume(new Collector() {
            @Override
            public void accept(Object element) {
                taken[0]++;
                found[0] |= "beside".equals(element);
                queue.tryPublish(taken[0]);
            }
        }, () -> !found[0] && taken[0] < 10 * CAPACITY);

        assertTrue(found[0]);
        assertTrue(taken[0] > CAPACITY, "after what was in the queue before");
        assertTrue(taken[0] <= CAPACITY + CAPACITY / 4, () -> "soon after that, and not after " + taken[0]);
    }

    @Test
    void shouldTakeWhatLiesBesideItAtOnceWhenItIsEmptyHoweverMuchItHasTaken() {
        JCQueue queue = queue(1);
        for (int before = 0; before < CAPACITY; before++) {
            for (int element = 0; element < before; element++) {
                assertTrue(queue.tryPublish(element));
            }
            assertEquals(before, queue.consume(new Collector()));
            assertTrue(queue.tryPublishToOverflow("beside"));

            assertEquals(1, queue.consume(new Collector()), before + " were taken before");
        }
    }

    @Test
    void shouldEndItsOwnWaitWhenAnEmitWaitsForSpace() {
        WakingQueue queue = (WakingQueue) queue(1);
        WakingEmits emits = new WakingEmits(2, 8);
        queue.wakeForEmits(emits);
        queue.consume(new Collector());
        emits.add(new AddressedTuple(1, null));

        assertTimeoutPreemptively(Duration.ofMinutes(1), () -> {
            queue.consume(new Collector()); // Raises the flag and finds the emit.
            LockSupport.parkNanos(PARKED_NS);
        });
        assertFalse(queue.wake(), "it does not wait");
    }

    @Test
    void shouldWakeTheConsumerWhenAnotherThreadAddsAnEmitThatWaitsForSpace() {
        WakingQueue queue = (WakingQueue) queue(1);
        WakingEmits emits = new WakingEmits(2, 8);
        queue.wakeForEmits(emits);

        assertTimeoutPreemptively(Duration.ofMinutes(1), () -> {
            queue.consume(new Collector());
            queue.consume(new Collector());
            Thread other = new Thread(() -> emits.add(new AddressedTuple(1, null)), "thread of a bolt");
            other.start();
            LockSupport.parkNanos(PARKED_NS);
            other.join();
        });
        assertEquals(1, emits.size());
    }

    @Test
    void shouldDrainWhatProducersInsertAfterTheConsumerHasEnded() {
        WakingQueue queue = (WakingQueue) queue(1);
        List<Object> drained = new ArrayList<>();
        int[] more = {0};
        assertTrue(queue.tryPublish("before"));
        assertTrue(queue.tryPublishToOverflow("beside"));
        queue.askToReturn();

        assertEquals(2, queue.drain(drained::add, () -> more[0]++));
        assertEquals(0, more[0]);
        assertTrue(queue.tryPublish("later"));
        assertEquals(1, more[0]);
        assertEquals(1, queue.drain(drained::add, () -> more[0]++));
        assertEquals(List.of("before", "beside", "later"), drained);
        assertTrue(queue.tryPublishToOverflow("last"));
        assertEquals(2, more[0]);
    }

    /** As before a slow bolt that takes one tuple a look, with a fast spout in its worker and another one in another worker. */
    @Test
    void shouldTakeWhatLiesBesideAQueueThatIsNeverEmptyInTheOrderOfItsProducer() {
        JCQueue queue = queue(1);
        Collector collector = new Collector();
        int received = 0;
        fill(queue);
        while (collector.elements.size() < 40 * CAPACITY) {
            int size = collector.elements.size();
            queue.consume(collector, () -> collector.elements.size() == size);
            if (queue.isEmptyOverflow() && queue.tryPublishDirect(new Remote(received))) {
                assertTrue(queue.tryPublishToOverflow(new Remote(received + 1)));
                received += 2;
            }
            fill(queue);
        }
        List<Remote> remote = collector.elements.stream().filter(Remote.class::isInstance).map(Remote.class::cast).toList();
        assertTrue(remote.size() > 20, () -> remote.size() + " came");
        assertEquals(IntStream.range(0, remote.size()).mapToObj(Remote::new).toList(), remote);
    }

    /** The same with many tuples beside the queue: each look takes one. */
    @Test
    void shouldTakeAllThatLiesBesideItOnceItIsDueAlthoughEachLookTakesOne() {
        JCQueue queue = queue(1);
        Collector collector = new Collector();
        fill(queue);
        for (int number = 0; number < CAPACITY / 2; number++) {
            assertTrue(queue.tryPublishToOverflow(new Remote(number)));
        }
        for (int look = 0; look < 2 * CAPACITY; look++) {
            int size = collector.elements.size();
            queue.consume(collector, () -> collector.elements.size() == size);
            fill(queue);
        }

        assertEquals(IntStream.range(0, CAPACITY / 2).mapToObj(Remote::new).toList(),
            collector.elements.stream().filter(Remote.class::isInstance).toList());
    }

    private record Remote(int number) {
    }

    /** Producers overflow while the consumer goes from the queue to what lies beside it. */
    @Test
    void shouldKeepTheOrderOfEachProducerWhoseElementsOverflow() {
        WakingQueue queue = queue(1, FEW);
        Collector consumed = new Collector();
        assertTimeoutPreemptively(Duration.ofMinutes(1), () -> {
            List<Thread> producers = IntStream.range(0, PRODUCERS).mapToObj(number -> new Thread(() -> receive(queue, number))).toList();
            producers.forEach(Thread::start);
            while (consumed.elements.size() < PRODUCERS * ELEMENTS) {
                queue.consume(consumed);
            }
            for (Thread producer : producers) {
                producer.join();
            }
        });
        IntStream.range(0, PRODUCERS).forEach(producer -> assertInOrder(consumed.elements, producer));
    }

    /** As upstream inserts what comes from another worker, with pauses in which the consumer may take all. */
    private static void receive(WakingQueue queue, int producer) {
        for (int i = 0; i < ELEMENTS; i++) {
            long element = (long) producer * ELEMENTS + i;
            assertTrue((queue.isEmptyOverflow() && queue.tryReceive(element)) || queue.tryPublishToOverflow(element));
            if (i % (2 * FEW) == 0) {
                LockSupport.parkNanos(NAP_NS);
            }
        }
    }

    @Test
    void shouldLoseNothingWhenProducersInsertWhileItIsDrained() {
        WakingQueue queue = (WakingQueue) queue(1);
        AtomicInteger announced = new AtomicInteger(1);
        List<Object> drained = new ArrayList<>();
        assertTimeoutPreemptively(Duration.ofMinutes(1), () -> {
            List<Thread> producers = IntStream.range(0, PRODUCERS).mapToObj(number -> new Thread(() -> produce(queue, number))).toList();
            producers.forEach(Thread::start);
            while (drained.size() < PRODUCERS * ELEMENTS) {
                if (announced.getAndSet(0) > 0) {
                    queue.drain(drained::add, announced::incrementAndGet);
                }
            }
            for (Thread producer : producers) {
                producer.join();
            }
        });
        IntStream.range(0, PRODUCERS).forEach(producer -> assertInOrder(drained, producer));
    }

    @Test
    void shouldTakeATupleOfAnotherWorkerAtOnceWhateverTheProducersBatch() {
        JCQueue queue = queue(8);
        Collector consumed = new Collector();
        assertTrue(queue.tryPublish("waits for its batch"));
        assertTrue(((ReceivingQueue) queue).tryReceive("came in one"));
        queue.consume(consumed);
        assertEquals(List.of("came in one"), consumed.elements);
    }

    /** Upstream's flush leaves what finds no room. */
    @Test
    void shouldFlushAWholeBatchIntoAQueueThatHasRoomForAPartOfIt() {
        JCQueue queue = queue(CAPACITY / 2);
        for (int element = 0; element < CAPACITY - 2; element++) {
            assertTrue(((ReceivingQueue) queue).tryReceive(element));
        }
        Collector consumed = new Collector();
        assertTimeoutPreemptively(Duration.ofMinutes(1), () -> {
            Thread producer = new Thread(() -> {
                for (int more = -2; more < 3; more++) {
                    assertTrue(queue.tryPublish(CAPACITY + more));
                }
                flush(queue);
            }, "producer");
            producer.start();
            while (queue.size() < CAPACITY) {
                LockSupport.parkNanos(NAP_NS);
            }
            queue.consume(consumed);
            producer.join();
            queue.consume(consumed);
        });
        assertIterableEquals(IntStream.range(0, CAPACITY + 3).boxed().toList(), consumed.elements);
    }

    /** Of a queue that is empty upstream's flush leaves a part, too, until it looks anew how far the consumer is. */
    @Test
    void shouldFlushAWholeBatchIntoAnEmptyQueue() throws InterruptedException {
        JCQueue queue = queue(CAPACITY / 2);
        Collector consumed = new Collector();
        for (int element = 0; element < CAPACITY - 2; element++) {
            assertTrue(((ReceivingQueue) queue).tryReceive(element));
        }
        queue.consume(consumed);
        for (int more = 0; more < CAPACITY / 2; more++) {
            assertTrue(queue.tryPublish(CAPACITY - 2 + more));
        }
        queue.flush();
        assertEquals(CAPACITY / 2, queue.size());
    }

    @Test
    void shouldGiveBackTheConsumerThatIsAskedToReturnUntilItGoesOn() {
        WakingQueue queue = (WakingQueue) queue(1);
        for (int element = 0; element < 10; element++) {
            assertTrue(queue.tryPublish(element));
        }
        Collector consumed = new Collector() {
            @Override
            public void accept(Object element) {
                super.accept(element);
                if (elements.size() == 3) {
                    queue.askToReturn();
                }
            }
        };

        assertEquals(3, queue.consume(consumed));
        assertEquals(0, queue.consume(consumed));
        queue.goOn();
        assertEquals(7, queue.consume(consumed));
        assertEquals(IntStream.range(0, 10).boxed().toList(), consumed.elements);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 8})
    void shouldWakeAProducerWhenHalfOfAFullQueueIsTaken(int producerBatch) {
        JCQueue queue = queue(producerBatch);
        for (int element = 0; element < CAPACITY; element++) {
            assertTrue(queue.tryPublish(element));
        }
        assertTrue(queue.tryFlush());
        CountDownLatch published = new CountDownLatch(1);
        assertTimeoutPreemptively(Duration.ofMinutes(1), () -> {
            Thread producer = new Thread(() -> {
                for (int more = 0; more < CAPACITY / 4; more++) {
                    while (!queue.tryPublish(CAPACITY + more)) {
                        LockSupport.parkNanos(PARKED_NS);
                    }
                }
                while (!queue.tryFlush()) {
                    LockSupport.parkNanos(PARKED_NS);
                }
                published.countDown();
            }, "producer");
            producer.start();
            while (producer.getState() != Thread.State.TIMED_WAITING) {
                LockSupport.parkNanos(NAP_NS);
            }
            Collector consumed = new Collector() {
                @Override
                public void accept(Object element) {
                    super.accept(element);
                    if (elements.size() == CAPACITY * 3 / 4) {
                        awaitUninterrupted(published);
                    }
                }
            };
            queue.consume(consumed);
            producer.join();
            queue.consume(consumed);
            assertIterableEquals(IntStream.range(0, CAPACITY + CAPACITY / 4).boxed().toList(), consumed.elements);
        });
    }

    private static void awaitUninterrupted(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Publishes one element at a time, waiting at every hundredth until the consumer may have gone to sleep. */
    private static void produce(JCQueue queue, int producer) {
        try {
            for (int i = 0; i < ELEMENTS; i++) {
                queue.publish((long) producer * ELEMENTS + i);
                if (i % 100 == 0) {
                    queue.flush();
                    LockSupport.parkNanos(20_000);
                }
            }
            queue.flush();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void assertInOrder(List<Object> elements, int producer) {
        long expected = (long) producer * ELEMENTS;
        for (Object element : elements) {
            long value = (Long) element;
            if (value / ELEMENTS == producer) {
                assertEquals(expected, value);
                expected++;
            }
        }
        assertEquals((long) (producer + 1) * ELEMENTS, expected);
    }

    private static void flush(JCQueue queue) {
        try {
            queue.flush();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void fill(JCQueue queue) {
        int element = 0;
        while (queue.tryPublish(element)) {
            element++;
        }
    }

    private static JCQueue queue(int producerBatch) {
        return queue(producerBatch, CAPACITY);
    }

    private static WakingQueue queue(int producerBatch, int capacity) {
        WaitStrategyPark backPressure = new WaitStrategyPark(100);
        WakingQueue queue = new WakingQueue(new QueueRequest("queue", "metric", capacity, 0, producerBatch, backPressure, "topology",
            "component", List.of(1), 6700, new StormMetricRegistry()), true, new SpaceSignal());
        assertTrue(queue.isEmptyOverflow());
        return queue;
    }

    private static class Collector implements JCQueue.Consumer {
        final List<Object> elements = new ArrayList<>();

        @Override
        public void accept(Object element) {
            elements.add(element);
        }

        @Override
        public void flush() {
            // Elements are collected one by one.
        }
    }
}
