package io.eyewall.client.deadline;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.eyewall.client.engine.SpaceSignal;
import io.eyewall.client.seam.DeadlineHolder;
import io.eyewall.client.seam.QueueRequest;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.storm.metrics2.StormMetricRegistry;
import org.apache.storm.policy.WaitStrategyPark;
import org.apache.storm.tuple.AddressedTuple;
import org.apache.storm.utils.JCQueue;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A bolt that gets more tuples than it can execute, from executors of its worker and from another worker. Producers act at each point at
 * which the queue asks whether to go on, and while a tuple is executed. Each tuple is counted.
 */
class DeadlineQueueSimulationTest {

    private static final int SEEDS = Math.max(60, Integer.getInteger("eyewall.simulation.seeds", 0));
    private static final int STEPS = 3_000;
    private static final int LANES = 2;
    private static final int LOCAL = 2;
    private static final int REMOTE = LOCAL;
    /** An urgent tuple is in its lane after eight others, or after sixteen if the overflow list is due in between. */
    private static final int MOST_PASSED_OVER = 16;
    /** With so many in the overflow list, the other worker holds back. */
    private static final int HELD_BACK_AT = 40;

    private final TimedInput input = new TimedInput();

    @ParameterizedTest
    @ValueSource(ints = {2, 4, 16, 64})
    void shouldKeepTheOrderOfEachSendersLaneWithinItsBoundsAndLetUrgentTuplesPass(int capacity) {
        for (int seed = 0; seed < SEEDS; seed++) {
            new Run(capacity, seed).run();
        }
    }

    /** One bolt. Tuples of lane 0 are always more urgent than those of lane 1. */
    private final class Run implements JCQueue.Consumer {

        private final String name;
        private final int capacity;
        private final Random random;
        private final DeadlineQueue queue;
        private final Map<List<Integer>, Long> emitted = new HashMap<>();
        private final Map<List<Integer>, Long> executed = new HashMap<>();
        /** What the other worker has sent and the queue has not got, in order. */
        private final Deque<AddressedTuple> arrived = new ArrayDeque<>();
        private boolean remoteIsHeld;
        private boolean targetsApply = true;
        /** Whether targets are switched off and on. What is in the lanes then goes first. */
        private final boolean switches;
        /** How many tuples of this worker in lane 0 are in the queue, and how many of lane 1 were executed since the last of them. */
        private int urgent;
        private int passedOver;
        private boolean producersAct = true;

        Run(int capacity, int seed) {
            name = "capacity " + capacity + ", seed " + seed;
            this.capacity = capacity;
            random = new Random(seed);
            switches = random.nextInt(4) == 0;
            queue = new DeadlineQueue(new QueueRequest("queue", "metric", capacity, 0, 1, new WaitStrategyPark(100), "topology", "bolt",
                List.of(2), 6700, new StormMetricRegistry()), new SpaceSignal(), () -> targetsApply);
        }

        void run() {
            for (int step = 0; step < STEPS; step++) {
                if (switches && random.nextInt(500) == 0) {
                    targetsApply = !targetsApply;
                }
                act();
                int most = random.nextInt(12);
                int[] count = {0};
                queue.consume(this, () -> {
                    act();
                    return count[0]++ < most;
                });
                assertBounds();
            }
            producersAct = false;
            while (queue.size() > 0) {
                assertTrue(queue.consume(this) > 0, name + ": it stands still");
            }
            while (!arrived.isEmpty()) {
                deliver();
                queue.consume(this);
            }
            assertEquals(emitted, executed, name);
        }

        private void act() {
            for (int act = random.nextInt(4); producersAct && act > 0; act--) {
                int sender = random.nextInt(LOCAL + 1);
                int lane = random.nextInt(3) == 0 ? 0 : 1;
                if (sender == REMOTE) {
                    if (!remoteIsHeld || random.nextInt(10) == 0) { // It learns late that it has to hold back.
                        arrived.add(tuple(sender, lane));
                        emitted.merge(List.of(sender, lane), 1L, Long::sum);
                    }
                    deliver();
                } else if (lane == 1 || urgent < capacity) {
                    emit(sender, lane);
                }
            }
        }

        private void emit(int sender, int lane) {
            if (queue.tryPublish(tuple(sender, lane))) { // Else it tries again later.
                emitted.merge(List.of(sender, lane), 1L, Long::sum);
                urgent += lane == 0 ? 1 : 0;
                passedOver = urgent == 1 && lane == 0 ? 0 : passedOver;
            }
        }

        /** As upstream does with what comes from another worker. */
        private void deliver() {
            ArrayList<Object> group = new ArrayList<>(arrived);
            if (queue.isEmptyOverflow() && random.nextBoolean()) {
                queue.receive(group);
                while (arrived.size() > group.size()) {
                    arrived.poll();
                }
            }
            while (!arrived.isEmpty()) {
                AddressedTuple tuple = arrived.peek();
                assertTrue((queue.isEmptyOverflow() && queue.tryReceive(tuple)) || queue.tryPublishToOverflow(tuple));
                arrived.poll();
            }
            remoteIsHeld = queue.getOverflowCount() > HELD_BACK_AT || (remoteIsHeld && !queue.isEmptyOverflow());
        }

        private AddressedTuple tuple(int sender, int lane) {
            long number = emitted.getOrDefault(List.of(sender, lane), 0L) + 1;
            return new AddressedTuple(sender, input.tuple((lane == 0 ? number : 1_000_000 + number) * Lanes.MOST + lane).getTuple());
        }

        @Override
        public void accept(Object element) {
            AddressedTuple tuple = (AddressedTuple) element;
            long deadlineNs = ((DeadlineHolder) tuple.getTuple()).getEyewallDeadlineNs();
            int lane = Deadlines.laneOf(deadlineNs);
            long number = deadlineNs / Lanes.MOST - (lane == 0 ? 0 : 1_000_000);
            assertEquals(executed.merge(List.of(tuple.getDest(), lane), 1L, Long::sum), number,
                () -> name + ": out of order, lost or twice: sender " + tuple.getDest() + ", lane " + lane);
            if (lane == 0) {
                urgent -= tuple.getDest() == REMOTE ? 0 : 1;
                passedOver = 0;
            } else if (urgent > 0) {
                passedOver++;
            }
            assertTrue(switches || passedOver <= MOST_PASSED_OVER, () -> name + ": urgent tuples wait for " + passedOver + " others");
            act();
        }

        @Override
        public void flush() {
            // Nothing is kept back.
        }

        private void assertBounds() {
            assertTrue(queue.getQueuedCount() <= LANES * 3 * capacity + capacity, () -> name + ": " + queue.getQueuedCount() + " wait");
        }
    }
}
