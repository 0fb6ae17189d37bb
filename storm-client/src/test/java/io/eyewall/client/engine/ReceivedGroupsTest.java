package io.eyewall.client.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.eyewall.client.seam.ProbedQueue;
import io.eyewall.client.seam.QueueProbe;
import io.eyewall.client.seam.QueueRequest;
import io.eyewall.client.seam.woven.ReceivedGroups;
import io.eyewall.client.substitute.ReceivedMessages;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.apache.storm.generated.StormTopology;
import org.apache.storm.metrics2.StormMetricRegistry;
import org.apache.storm.policy.WaitStrategyPark;
import org.apache.storm.task.GeneralTopologyContext;
import org.apache.storm.tuple.AddressedTuple;
import org.apache.storm.tuple.Fields;
import org.apache.storm.tuple.TupleImpl;
import org.apache.storm.utils.JCQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a queue promises about tuples that come from another worker in groups. */
class ReceivedGroupsTest {

    private static final int CAPACITY = 8;
    private static final int MARKER = ReceivedMessages.MARKER_TASK;
    private static final int TASKS = 3;
    private static final int RECEIVERS = 2;
    private static final int TUPLES = 60_000;
    /** Longer than the test may take: a consumer that is not woken fails it. */
    private static final long PARKED_NS = Duration.ofMinutes(10).toNanos();
    private static final GeneralTopologyContext CONTEXT = context();

    private final ReceivedGroups groups = new ReceivedGroups();
    private final Taken taken = new Taken();

    @Test
    void shouldTakeATasksTuplesInOrderAndWakeItsConsumerOnce() {
        List<Object> seen = new ArrayList<>();
        int[] woken = {0};
        WakingQueue queue = queue(0);
        ((ProbedQueue) queue).addEyewallProbe(element -> seen.add("probe " + number(element)));
        queue.announceTo(element -> seen.add("arrived " + number(element)));
        queue.wakeBy(() -> woken[0]++);
        queue.consume(taken);
        queue.consume(taken);
        WakingQueue other = queue(0);

        assertEquals(List.of(), insert(Map.of(1, queue, 2, other), tuple(1, 0), tuple(2, 1), tuple(1, 2), tuple(2, 3), tuple(1, 4)));

        assertEquals(1, woken[0]);
        assertEquals(List.of("probe 0", "probe 2", "probe 4", "arrived 0", "arrived 2", "arrived 4"), seen);
        assertEquals(List.of(0, 2, 4), taken.from(queue));
        assertEquals(List.of(1, 3), taken.from(other));
    }

    @Test
    void shouldLeaveWhatDoesNotFit() {
        WakingQueue queue = queue(0);
        IntStream.range(0, CAPACITY - 2).forEach(number -> assertTrue(queue.tryPublish(tuple(1, number))));

        assertEquals(List.of(8, 9), insert(Map.of(1, queue), tuple(1, 6), tuple(1, 7), tuple(1, 8), tuple(1, 9)));
        assertEquals(List.of(10), insert(Map.of(1, queue), tuple(1, 10)));

        assertEquals(List.of(0, 1, 2, 3, 4, 5, 6, 7), taken.from(queue));
    }

    /** Upstream's insertion takes only what fits from where the queue last saw its consumer. */
    @Test
    void shouldTakeAsMuchAsAnEmptyQueueHolds() {
        WakingQueue queue = queue(0);
        IntStream.range(0, CAPACITY - 2).forEach(number -> assertTrue(queue.tryPublish(tuple(1, number))));
        queue.consume(taken);

        AddressedTuple[] batch = IntStream.range(0, CAPACITY).mapToObj(number -> tuple(1, number)).toArray(AddressedTuple[]::new);
        assertEquals(List.of(), insert(Map.of(1, queue), batch));

        assertEquals(CAPACITY, queue.size());
    }

    @Test
    void shouldOvertakeNothingThatHasOverflowed() {
        WakingQueue queue = queue(0);
        assertTrue(queue.tryPublishToOverflow(tuple(1, 0)));

        assertEquals(List.of(1, 2), insert(Map.of(1, queue), tuple(1, 1), tuple(1, 2)));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 2})
    void shouldKeepTheOrderOfWhatOverflowsUpToItsLimit(int limit) {
        WakingQueue queue = queue(limit);
        List<Integer> expected = new ArrayList<>();
        for (int batch = 0; batch < 3; batch++) {
            AddressedTuple[] tuples = IntStream.range(5 * batch, 5 * batch + 5).mapToObj(number -> tuple(1, number))
                .toArray(AddressedTuple[]::new);
            int kept = transfer(groups, new ArrayList<>(Arrays.asList(tuples)), Map.of(1, queue));
            IntStream.range(5 * batch, 5 * batch + kept).forEach(expected::add);
        }

        assertEquals(limit == 0 ? 15 : CAPACITY + limit, expected.size());
        assertEquals(expected, taken.from(queue));
    }

    @Test
    void shouldLeaveMarkersBehindAllThatCameBeforeThemAndWhatIsForOtherQueues() {
        WakingQueue queue = queue(0);
        JCQueue detour = new JCQueue("detour", "detour", 2, 0, 1, new WaitStrategyPark(100), "topology", "component", List.of(), 6700,
            new StormMetricRegistry());
        Map<Integer, JCQueue> queues = new HashMap<>(Map.of(1, queue, 2, detour));

        assertEquals(List.of(1, 4, 2), insert(queues, tuple(1, 0), tuple(2, 1), tuple(MARKER, 2), tuple(1, 3), tuple(2, 4)));

        assertEquals(List.of(0, 3), taken.from(queue));
        assertEquals(List.of(7, 6, 8), insert(queues, tuple(MARKER, 6), tuple(2, 7), tuple(MARKER, 8)), "several markers");
        assertEquals(List.of(5), insert(queues, tuple(3, 5)), "for a task without a queue");
    }

    @Test
    void shouldForgetATaskWhoseQueueHasFailed() {
        WakingQueue failing = queue(0);
        ((ProbedQueue) failing).addEyewallProbe(new QueueProbe() {
            @Override
            public void inserting(Object element) {
                throw new IllegalStateException("as no probe does");
            }
        });
        ArrayList<AddressedTuple> batch = new ArrayList<>(List.of(tuple(1, 0), tuple(2, 1), tuple(MARKER, 2)));
        boolean failed = false;
        try {
            groups.insert(batch, Map.of(1, failing, 2, queue(0)));
        } catch (IllegalStateException e) {
            failed = true;
        }
        WakingQueue queue = queue(0);

        assertTrue(failed);
        assertEquals(List.of(), insert(Map.of(1, queue, 2, queue), tuple(1, 3), tuple(2, 4)));
        assertEquals(List.of(3, 4), taken.from(queue));
    }

    /** Two receiving threads, and an executor that inserts one by one, into queues whose consumers park. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void shouldTakeEachTupleOnceInTheOrderOfItsProducerAndWakeWhoWaits(long seed) {
        Map<Integer, JCQueue> queues = new HashMap<>();
        IntStream.rangeClosed(1, TASKS).forEach(task -> queues.put(task, queue(0)));
        List<Taken> consumers = new ArrayList<>();
        List<Thread> threads = new ArrayList<>();
        queues.values().forEach(queue -> {
            Taken each = new Taken();
            consumers.add(each);
            threads.add(new Thread(() -> each.takeAll(queue, (RECEIVERS + 1) * TUPLES / TASKS), "consumer"));
        });
        IntStream.range(0, RECEIVERS).forEach(receiver ->
            threads.add(new Thread(() -> receive(new Random(seed + receiver), receiver * TUPLES, queues), "receiver")));
        threads.add(new Thread(() -> publish(RECEIVERS * TUPLES, queues), "executor"));
        assertTimeoutPreemptively(Duration.ofMinutes(1), () -> {
            threads.forEach(Thread::start);
            for (Thread thread : threads) {
                thread.join();
            }
        });
        for (int task = 1; task <= TASKS; task++) {
            int[] next = IntStream.rangeClosed(0, RECEIVERS).map(producer -> producer * TUPLES).toArray();
            for (int number : consumers.get(task - 1).numbers()) {
                int producer = number / TUPLES;
                while (taskOf(next[producer]) != task) {
                    next[producer]++;
                }
                assertEquals(next[producer]++, number, "for task " + task);
            }
        }
    }

    /** Batches of up to twice as many tuples as all queues hold. */
    private static void receive(Random random, int from, Map<Integer, JCQueue> queues) {
        ReceivedGroups own = new ReceivedGroups();
        int next = from;
        while (next < from + TUPLES) {
            ArrayList<AddressedTuple> batch = new ArrayList<>();
            for (int size = 1 + random.nextInt(2 * TASKS * CAPACITY); size > 0 && next < from + TUPLES; size--) {
                batch.add(tuple(taskOf(next), next));
                next++;
            }
            assertEquals(batch.size(), transfer(own, batch, queues));
            if (random.nextInt(4) == 0) {
                LockSupport.parkNanos(random.nextInt(100_000));
            }
        }
    }

    private static void publish(int from, Map<Integer, JCQueue> queues) {
        for (int number = from; number < from + TUPLES; number++) {
            while (!queues.get(taskOf(number)).tryPublish(tuple(taskOf(number), number))) {
                LockSupport.parkNanos(PARKED_NS);
            }
        }
    }

    private static int taskOf(int number) {
        return number % TASKS == 0 ? TASKS : number % TASKS;
    }

    /** As upstream's WorkerState with the seam; returns how many tuples were not dropped. */
    @SuppressWarnings("NonApiType") // Upstream's parameter.
    private static int transfer(ReceivedGroups groups, ArrayList<AddressedTuple> batch, Map<Integer, JCQueue> queues) {
        int kept = batch.size();
        groups.insert(batch, queues);
        for (AddressedTuple tuple : batch) {
            WakingQueue queue = (WakingQueue) queues.get(tuple.dest);
            if (!(queue.isEmptyOverflow() && queue.tryReceive(tuple)) && !queue.tryPublishToOverflow(tuple)) {
                kept--;
            }
        }
        batch.clear();
        return kept;
    }

    private List<Integer> insert(Map<Integer, ? extends JCQueue> queues, AddressedTuple... tuples) {
        ArrayList<AddressedTuple> batch = new ArrayList<>(Arrays.asList(tuples));
        groups.insert(batch, new HashMap<>(queues));
        return batch.stream().map(ReceivedGroupsTest::number).toList();
    }

    private static int number(Object element) {
        return ((AddressedTuple) element).tuple.getInteger(0);
    }

    private static AddressedTuple tuple(int task, int number) {
        return new AddressedTuple(task, new TupleImpl(CONTEXT, List.of(number), "any", 1, "default"));
    }

    private static GeneralTopologyContext context() {
        return new GeneralTopologyContext(new StormTopology(), new HashMap<>(), Map.of(1, "any"), Map.of("any", List.of(1)),
            Map.of("any", Map.of("default", new Fields("number"))), "topology");
    }

    private static WakingQueue queue(int overflowLimit) {
        return new WakingQueue(new QueueRequest("queue", "metric", CAPACITY, overflowLimit, 1, new WaitStrategyPark(100), "topology",
            "component", List.of(1), 6700, new StormMetricRegistry()), true, new SpaceSignal());
    }

    private static final class Taken implements JCQueue.Consumer {
        private final List<Object> elements = new ArrayList<>();

        @Override
        public void accept(Object element) {
            elements.add(element);
        }

        @Override
        public void flush() {
            // Elements are taken one by one.
        }

        /** The numbers of what is in a queue, and beside it. */
        List<Integer> from(JCQueue queue) {
            elements.clear();
            queue.consume(this);
            queue.consume(this);
            return numbers();
        }

        List<Integer> numbers() {
            return elements.stream().map(ReceivedGroupsTest::number).toList();
        }

        void takeAll(JCQueue queue, int count) {
            ParkingWaitStrategy wait = new ParkingWaitStrategy(1_000, PARKED_NS, System::nanoTime) { };
            int idle = 0;
            while (elements.size() < count) {
                idle = queue.consume(this) == 0 ? wait.idle(idle) : 0;
            }
        }
    }
}
