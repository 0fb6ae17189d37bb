package io.eyewall.client.deadline;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.eyewall.client.engine.SpaceSignal;
import io.eyewall.client.seam.DeadlineHolder;
import io.eyewall.integration.micro.StormFixtures;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.storm.tuple.AddressedTuple;
import org.apache.storm.utils.JCQueue;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;
import org.openjdk.jcstress.infra.results.I_Result;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/**
 * That tuples which come while the consumer sorts others into lanes are taken once, in the order of their lane and around elements without
 * a deadline; that a consumer which is about to wait finds them or is woken; and that a thread which goes on as the consumer finds the
 * lanes as the thread before has left them.
 */
public final class DeadlineQueueStress {

    private static final int CAPACITY = 4;
    private static final AddressedTuple LATE = tuple(Lanes.MOST * 20L);
    private static final AddressedTuple EARLY = tuple(Lanes.MOST * 10L);
    private static final AddressedTuple URGENT_IN_ANOTHER_LANE = tuple(Lanes.MOST * 5L + 1);
    private static final AddressedTuple TICK = tuple(0);

    private DeadlineQueueStress() {
    }

    private static AddressedTuple tuple(long deadlineNs) {
        AddressedTuple tuple = StormFixtures.tuple(1);
        ((DeadlineHolder) tuple.getTuple()).setEyewallDeadlineNs(deadlineNs);
        return tuple;
    }

    /** A queue, and what was taken from it: a digit for each element, the first one first. */
    private static class Sorted implements JCQueue.Consumer {
        final SpaceSignal space = new SpaceSignal();
        final DeadlineQueue queue = new DeadlineQueue(StormFixtures.queue(1, CAPACITY), space, () -> true);
        /** Not volatile: for the consumer. */
        private int taken;

        @Override
        public void accept(Object element) {
            taken = 10 * taken + (element == LATE ? 1 : element == EARLY ? 2 : element == TICK ? 3 : 4);
        }

        @Override
        public void flush() {
            // Nothing is kept back.
        }

        void consume() {
            queue.consume(this);
        }

        /** Takes one element only, as at the end of a turn. */
        void consumeOne() {
            int before = taken;
            queue.consume(this, () -> taken == before);
        }

        int taken() {
            return taken;
        }
    }

    /** Two tuples of one lane, the second of which has the earlier deadline. */
    @JCStressTest
    @Outcome(id = "12", expect = ACCEPTABLE, desc = "in the order of the lane")
    @Outcome(expect = FORBIDDEN, desc = "out of order, twice, or lost")
    @State
    public static class OneLane extends Sorted {
        @Actor
        public void producer() {
            queue.tryPublish(LATE);
            queue.tryPublish(EARLY);
        }

        @Actor
        public void consumer() {
            consume();
        }

        @Arbiter
        public void all(I_Result result) {
            consume();
            result.r1 = taken();
            queue.close();
        }
    }

    /** Tuples of two lanes, one of which the consumer's own executor emits. */
    @JCStressTest
    @Outcome(id = {"14", "41"}, expect = ACCEPTABLE, desc = "each once")
    @Outcome(expect = FORBIDDEN, desc = "twice, or lost")
    @State
    public static class TwoLanes extends Sorted {
        @Actor
        public void producer() {
            queue.tryPublish(LATE);
        }

        @Actor
        public void consumer() {
            queue.tryPublish(URGENT_IN_ANOTHER_LANE);
            consume();
        }

        @Arbiter
        public void all(I_Result result) {
            consume();
            result.r1 = taken();
            queue.close();
        }
    }

    /** A tick behind a tuple, before one that is more urgent. */
    @JCStressTest
    @Outcome(id = {"134", "143", "413"}, expect = ACCEPTABLE, desc = "the tick overtakes nothing, and the more urgent tuple may overtake")
    @Outcome(expect = FORBIDDEN, desc = "out of order, twice, or lost")
    @State
    public static class AroundATick extends Sorted {
        @Actor
        public void producer() {
            queue.tryPublish(LATE);
            queue.tryPublish(TICK);
            queue.tryPublish(URGENT_IN_ANOTHER_LANE);
        }

        @Actor
        public void consumer() {
            consume();
        }

        @Arbiter
        public void all(I_Result result) {
            consume();
            result.r1 = taken();
            queue.close();
        }
    }

    /** A tuple that comes while the consumer is about to wait. */
    @JCStressTest
    @Outcome(id = {"true, false", "false, true", "true, true"}, expect = ACCEPTABLE, desc = "taken, or woken for it")
    @Outcome(id = "false, false", expect = FORBIDDEN, desc = "asleep beside a tuple")
    @State
    public static class Inserted extends Sorted {
        /** A consumer that has found nothing once. */
        public Inserted() {
            consume();
        }

        @Actor
        public void producer() {
            queue.tryPublish(LATE);
        }

        @Actor
        public void consumer(ZZ_Result result) {
            consume();
            result.r1 = taken() == 1;
        }

        @Arbiter
        public void awake(ZZ_Result result) {
            result.r2 = !queue.wake();
            queue.close();
        }
    }

    /** A tuple for which there is no room until the consumer has taken others into the lanes. */
    @JCStressTest
    @Outcome(id = {"true, false", "false, true", "true, true"}, expect = ACCEPTABLE, desc = "inserted, or woken to try again")
    @Outcome(id = "false, false", expect = FORBIDDEN, desc = "asleep beside room")
    @State
    public static class Full extends Sorted {
        /** Fills the queue. */
        public Full() {
            for (int i = 0; i < CAPACITY; i++) {
                queue.tryPublish(LATE);
            }
        }

        @Actor
        public void producer(ZZ_Result result) {
            result.r1 = queue.tryPublish(EARLY);
        }

        @Actor
        public void consumer() {
            consumeOne();
        }

        @Arbiter
        public void awake(ZZ_Result result) {
            result.r2 = !space.signal();
            queue.close();
        }
    }

    /** A consumer whose turn ends while tuples are in the lanes, and goes on on another thread. */
    @JCStressTest
    @Outcome(id = "1, 0", expect = ACCEPTABLE, desc = "not handed over yet")
    @Outcome(id = "12, 0", expect = ACCEPTABLE, desc = "the other thread takes what is in the lane")
    @Outcome(expect = FORBIDDEN, desc = "lost, twice, or out of order, or the load is wrong")
    @State
    public static class HandedOver extends Sorted {
        private final AtomicBoolean ready = new AtomicBoolean();

        /** A queue with two tuples. */
        public HandedOver() {
            queue.tryPublish(LATE);
            queue.tryPublish(EARLY);
        }

        @Actor
        public void first() {
            consumeOne();
            ready.set(true);
        }

        @Actor
        public void second(II_Result result) {
            if (ready.get()) {
                consume();
                result.r1 = taken();
                result.r2 = queue.getQueuedCount();
            } else {
                result.r1 = 1;
            }
        }

        @Arbiter
        public void end() {
            queue.close();
        }
    }
}
