package io.eyewall.client.engine;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.eyewall.integration.micro.StormFixtures;
import java.util.ArrayList;
import java.util.List;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/**
 * That a consumer which is about to wait while an element comes either finds it or is woken, whichever way the element takes; and that a
 * producer which is about to wait while room is made either finds that or is woken.
 */
public final class WakingQueueStress {

    private static final int CAPACITY = 2;
    private static final String ELEMENT = "element";

    private WakingQueueStress() {
    }

    /** A queue whose consumer has found nothing once. */
    private static class Watched {
        final WakingQueue queue = new WakingQueue(StormFixtures.queue(1, CAPACITY), true, new SpaceSignal());
        private final StormFixtures.Counter found = new StormFixtures.Counter();

        Watched() {
            queue.consume(found);
        }

        /** The consumer looks, and would wait if it found nothing again. */
        boolean finds() {
            return queue.consume(found) > 0;
        }

        /** Whether the consumer need not wait. */
        boolean isAwake() {
            boolean waits = queue.wake();
            queue.close();
            return !waits;
        }
    }

    /** An element that is inserted. */
    @JCStressTest
    @Outcome(id = {"true, false", "false, true", "true, true"}, expect = ACCEPTABLE, desc = "found, or woken for it")
    @Outcome(id = "false, false", expect = FORBIDDEN, desc = "asleep beside an element")
    @State
    public static class Inserted extends Watched {
        @Actor
        public void producer() {
            queue.tryPublish(ELEMENT);
        }

        @Actor
        public void consumer(ZZ_Result result) {
            result.r1 = finds();
        }

        @Arbiter
        public void awake(ZZ_Result result) {
            result.r2 = isAwake();
        }
    }

    /** A group of elements that are inserted at once. */
    @JCStressTest
    @Outcome(id = {"true, false", "false, true", "true, true"}, expect = ACCEPTABLE, desc = "found, or woken for it")
    @Outcome(id = "false, false", expect = FORBIDDEN, desc = "asleep beside an element")
    @State
    public static class Received extends Watched {
        private final ArrayList<Object> group = new ArrayList<>(List.of(ELEMENT, ELEMENT));

        @Actor
        public void producer() {
            queue.receive(group);
        }

        @Actor
        public void consumer(ZZ_Result result) {
            result.r1 = finds();
        }

        @Arbiter
        public void awake(ZZ_Result result) {
            result.r2 = isAwake();
        }
    }

    /** An element that overflows. */
    @JCStressTest
    @Outcome(id = {"true, false", "false, true", "true, true"}, expect = ACCEPTABLE, desc = "found, or woken for it")
    @Outcome(id = "false, false", expect = FORBIDDEN, desc = "asleep beside an element")
    @State
    public static class Overflowed extends Watched {
        @Actor
        public void producer() {
            queue.tryPublishToOverflow(ELEMENT);
        }

        @Actor
        public void consumer(ZZ_Result result) {
            result.r1 = finds();
        }

        @Arbiter
        public void awake(ZZ_Result result) {
            result.r2 = isAwake();
        }
    }

    /** An element for which there is no room until the consumer has taken another. */
    @JCStressTest
    @Outcome(id = {"true, false", "false, true", "true, true"}, expect = ACCEPTABLE, desc = "inserted, or woken to try again")
    @Outcome(id = "false, false", expect = FORBIDDEN, desc = "asleep beside room")
    @State
    public static class Full {
        private final SpaceSignal space = new SpaceSignal();
        private final WakingQueue queue = new WakingQueue(StormFixtures.queue(1, CAPACITY), true, space);
        private final StormFixtures.Counter found = new StormFixtures.Counter();

        /** Fills the queue. */
        public Full() {
            for (int i = 0; i < CAPACITY; i++) {
                queue.tryPublish(ELEMENT);
            }
        }

        @Actor
        public void producer(ZZ_Result result) {
            result.r1 = queue.tryPublish(ELEMENT);
        }

        @Actor
        public void consumer() {
            queue.consume(found);
        }

        @Arbiter
        public void awake(ZZ_Result result) {
            result.r2 = !space.signal();
            queue.close();
        }
    }
}
