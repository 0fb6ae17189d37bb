package io.eyewall.tail.shared;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.apache.storm.tuple.AddressedTuple;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;
import org.openjdk.jcstress.infra.results.J_Result;

/** That what {@link SharedTuples} is compared with keeps the same promises. */
public final class SharedRingStress {

    private static final int CAPACITY = 2;

    private SharedRingStress() {
    }

    private static SharedRing full() {
        SharedRing ring = new SharedRing(CAPACITY, 2);
        ring.offer(new AddressedTuple(1, null));
        ring.offer(new AddressedTuple(2, null));
        return ring;
    }

    private static int number(AddressedTuple tuple) {
        return tuple == null ? 0 : tuple.dest;
    }

    /** Two consumers take two tuples. */
    @JCStressTest
    @Outcome(id = {"1, 2", "2, 1"}, expect = ACCEPTABLE, desc = "each once")
    @Outcome(expect = FORBIDDEN, desc = "lost, or run twice")
    @State
    public static class TwoConsumers {
        private final SharedRing ring = full();

        @Actor
        public void one(II_Result taken) {
            taken.r1 = number(ring.poll(0));
        }

        @Actor
        public void other(II_Result taken) {
            taken.r2 = number(ring.poll(1));
        }
    }

    /** A producer goes round the ring behind a consumer. */
    @JCStressTest
    @Outcome(id = {"12", "123", "1234"}, expect = ACCEPTABLE, desc = "in order, as far as there was room")
    @Outcome(expect = FORBIDDEN, desc = "lost, run twice or overtaken")
    @State
    public static class Round {
        private final SharedRing ring = full();
        private long taken;

        @Actor
        public void producer() {
            if (ring.offer(new AddressedTuple(3, null))) {
                ring.offer(new AddressedTuple(4, null));
            }
        }

        @Actor
        public void consumer() {
            take();
            take();
        }

        @Arbiter
        public void rest(J_Result all) {
            take();
            take();
            all.r1 = taken;
        }

        private void take() {
            AddressedTuple tuple = ring.poll(0);
            taken = tuple == null ? taken : 10 * taken + number(tuple);
        }
    }
}
