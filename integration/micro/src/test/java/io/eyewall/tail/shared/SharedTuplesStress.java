package io.eyewall.tail.shared;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.eyewall.client.engine.SpaceSignal;
import io.eyewall.integration.micro.StormFixtures;
import org.apache.storm.tuple.AddressedTuple;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;
import org.openjdk.jcstress.infra.results.IZ_Result;
import org.openjdk.jcstress.infra.results.JZ_Result;
import org.openjdk.jcstress.infra.results.J_Result;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/** What the queue that executors share promises: no tuple lost or run twice, those of a producer in order, nobody asleep beside work. */
public final class SharedTuplesStress {

    private static final int CAPACITY = 2;

    private SharedTuplesStress() {
    }

    /** With tuples 1, 2 and so on, of which the third and all others have overflowed. */
    private static SharedTuples holding(int tuples) {
        SharedTuples shared = new SharedTuples(CAPACITY, 0, null, new SpaceSignal());
        for (int number = 1; number <= tuples; number++) {
            insert(shared, number);
        }
        return shared;
    }

    /** As Storm inserts what comes from another worker. */
    private static void insert(SharedTuples shared, int number) {
        AddressedTuple tuple = new AddressedTuple(number, null);
        if (shared.overflowed() > 0 || !shared.offer(tuple)) {
            shared.offerToOverflow(tuple);
        }
    }

    private static int number(AddressedTuple tuple) {
        return tuple == null ? 0 : tuple.dest;
    }

    /** Takes a tuple, if there is one, and writes its number behind those that were taken before. */
    private static long take(SharedTuples shared, long taken) {
        AddressedTuple tuple = shared.poll();
        return tuple == null ? taken : 10 * taken + number(tuple);
    }

    private static SharingQueue member(int task, SharedTuples shared) {
        SharingQueue queue = new SharingQueue(StormFixtures.queue(task, CAPACITY), shared, true);
        shared.join(queue);
        return queue;
    }

    /** Two producers insert at the same time. */
    @JCStressTest
    @Outcome(id = {"12", "21"}, expect = ACCEPTABLE, desc = "each once")
    @Outcome(expect = FORBIDDEN, desc = "lost, or there twice")
    @State
    public static class TwoProducers {
        private final SharedTuples shared = holding(0);

        @Actor
        public void one() {
            shared.offer(new AddressedTuple(1, null));
        }

        @Actor
        public void other() {
            shared.offer(new AddressedTuple(2, null));
        }

        @Arbiter
        public void rest(J_Result all) {
            all.r1 = take(shared, take(shared, take(shared, 0)));
        }
    }

    /** Two executors take two tuples. */
    @JCStressTest
    @Outcome(id = {"1, 2", "2, 1"}, expect = ACCEPTABLE, desc = "each once")
    @Outcome(expect = FORBIDDEN, desc = "lost, or run twice")
    @State
    public static class TwoConsumers {
        private final SharedTuples shared = holding(2);

        @Actor
        public void one(II_Result taken) {
            taken.r1 = number(shared.poll());
        }

        @Actor
        public void other(II_Result taken) {
            taken.r2 = number(shared.poll());
        }
    }

    /** Two executors take tuples, half of which have overflowed. */
    @JCStressTest
    @Outcome(id = "4, 10", expect = ACCEPTABLE, desc = "each once")
    @Outcome(expect = FORBIDDEN, desc = "lost, or run twice")
    @State
    public static class TwoConsumersOfOverflow {
        private final SharedTuples shared = holding(2 * CAPACITY);
        private long ones;
        private long others;

        @Actor
        public void one() {
            ones = take(shared, take(shared, 0));
        }

        @Actor
        public void other() {
            others = take(shared, take(shared, 0));
        }

        /** How many there were, and the sum of their numbers. */
        @Arbiter
        public void rest(II_Result all) {
            String numbers = String.valueOf(ones).concat(String.valueOf(others));
            long left = take(shared, take(shared, take(shared, take(shared, 0))));
            numbers = numbers.concat(String.valueOf(left)).replace("0", "");
            all.r1 = numbers.length();
            all.r2 = numbers.chars().map(digit -> digit - '0').sum();
        }
    }

    /** A producer inserts two tuples behind a consumer. */
    @JCStressTest
    @Outcome(id = "1234", expect = ACCEPTABLE, desc = "in order")
    @Outcome(expect = FORBIDDEN, desc = "lost, run twice or overtaken")
    @State
    public static class InOrder {
        private final SharedTuples shared = holding(CAPACITY);
        private long taken;

        /** Into the ring, as long as there is room. */
        @Actor
        public void producer() {
            insert(shared, 3);
            insert(shared, 4);
        }

        @Actor
        public void consumer() {
            taken = take(shared, take(shared, take(shared, 0)));
        }

        @Arbiter
        public void rest(J_Result all) {
            all.r1 = take(shared, take(shared, take(shared, take(shared, taken))));
        }
    }

    /** A full ring refuses what does not fit, and loses nothing. */
    @JCStressTest
    @Outcome(id = {"12, false", "123, true"}, expect = ACCEPTABLE, desc = "refused, or there was room")
    @Outcome(expect = FORBIDDEN, desc = "lost, or more than there is room for")
    @State
    public static class Bounded {
        private final SharedTuples shared = holding(CAPACITY);
        private long taken;
        private boolean inserted;

        @Actor
        public void producer() {
            inserted = shared.offer(new AddressedTuple(3, null));
        }

        @Actor
        public void consumer() {
            taken = take(shared, 0);
        }

        @Arbiter
        public void rest(JZ_Result all) {
            all.r1 = take(shared, take(shared, taken));
            all.r2 = inserted;
        }
    }

    /** An executor that is about to wait while a tuple comes either finds it or is woken. */
    @JCStressTest
    @Outcome(id = {"true, false", "false, true", "true, true"}, expect = ACCEPTABLE, desc = "found, or woken for it")
    @Outcome(id = "false, false", expect = FORBIDDEN, desc = "asleep beside work")
    @State
    public static class Woken {
        private final SharingQueue queue = member(1, holding(0));
        private final StormFixtures.Counter found = new StormFixtures.Counter();

        public Woken() {
            queue.consume(found);
        }

        @Actor
        public void producer() {
            queue.tryPublish(StormFixtures.tuple(1));
        }

        /** Looks, having found nothing before, and would wait if it found nothing again. */
        @Actor
        public void executor(ZZ_Result result) {
            result.r1 = queue.consume(found) > 0;
        }

        @Arbiter
        public void asleep(ZZ_Result result) {
            result.r2 = !queue.wake();
            queue.close();
        }
    }

    /** The same of a tuple that overflows. */
    @JCStressTest
    @Outcome(id = {"true, false", "false, true", "true, true"}, expect = ACCEPTABLE, desc = "found, or woken for it")
    @Outcome(id = "false, false", expect = FORBIDDEN, desc = "asleep beside work")
    @State
    public static class WokenForOverflow {
        private final SharingQueue queue = member(1, holding(0));
        private final StormFixtures.Counter found = new StormFixtures.Counter();

        public WokenForOverflow() {
            queue.consume(found);
        }

        @Actor
        public void producer() {
            queue.tryPublishToOverflow(StormFixtures.tuple(1));
        }

        @Actor
        public void executor(ZZ_Result result) {
            result.r1 = queue.consume(found) > 0;
        }

        @Arbiter
        public void asleep(ZZ_Result result) {
            result.r2 = !queue.wake();
            queue.close();
        }
    }

    /** An executor that may have been woken for a tuple and cannot take it, since it may not emit, leaves it to another. */
    @JCStressTest
    @Outcome(id = "1, true", expect = ACCEPTABLE, desc = "the other one was woken")
    @Outcome(expect = FORBIDDEN, desc = "both asleep beside work, or lost")
    @State
    public static class HandedOver {
        private final SharedTuples shared = holding(0);
        private final SharingQueue full = member(1, shared);
        private final SharingQueue free = member(2, shared);
        private final StormFixtures.Counter executed = new StormFixtures.Counter();

        public HandedOver() {
            for (SharingQueue queue : new SharingQueue[] {full, free}) {
                queue.consume(executed);
                queue.consume(executed);
            }
        }

        @Actor
        public void producer() {
            free.tryPublish(StormFixtures.tuple(2));
        }

        /** Has something of its own to execute, after which it may not go on. */
        @Actor
        public void executor() {
            full.tryPublish(StormFixtures.tuple(AddressedTuple.BROADCAST_DEST));
            full.consume(executed, () -> executed.counted() == 0);
        }

        @Arbiter
        public void asleep(IZ_Result result) {
            result.r1 = shared.queued();
            result.r2 = !free.wake();
            full.close();
            free.close();
        }
    }

    /** An executor that is to end while a tuple comes, for which it may have been woken, leaves it to another. */
    @JCStressTest
    @Outcome(id = "1, true", expect = ACCEPTABLE, desc = "the other one was woken")
    @Outcome(expect = FORBIDDEN, desc = "asleep beside work, or lost")
    @State
    public static class Retired {
        private final SharedTuples shared = holding(0);
        private final SharingQueue leaving = member(1, shared);
        private final SharingQueue free = member(2, shared);
        private final StormFixtures.Counter executed = new StormFixtures.Counter();

        public Retired() {
            for (SharingQueue queue : new SharingQueue[] {leaving, free}) {
                queue.consume(executed);
                queue.consume(executed);
            }
        }

        @Actor
        public void producer() {
            leaving.tryPublish(StormFixtures.tuple(1));
        }

        @Actor
        public void executor() {
            leaving.retire();
            leaving.consume(executed);
        }

        @Arbiter
        public void asleep(IZ_Result result) {
            result.r1 = shared.queued();
            result.r2 = !free.wake();
            leaving.close();
            free.close();
        }
    }
}
