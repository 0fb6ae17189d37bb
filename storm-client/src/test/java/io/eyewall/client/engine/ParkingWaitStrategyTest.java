package io.eyewall.client.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

class ParkingWaitStrategyTest {

    private static final int MANY = 100;
    private static final long NAP_NS = TimeUnit.MILLISECONDS.toNanos(300);
    private static final long RATHER_LONG_NS = TimeUnit.MILLISECONDS.toNanos(700);

    private long nowNs = 1;

    @Test
    void shouldAskASpoutSixteenTimesWhileItUsuallyHasNothing() {
        assertEquals(ParkingWaitStrategy.OfSpouts.ASKED, askedInTheEnd(TimeUnit.MILLISECONDS.toNanos(8)), 1);
    }

    @Test
    void shouldAskASpoutThatSharesItsThreadLessOften() throws InterruptedException {
        AtomicInteger seldom = new AtomicInteger();
        AtomicInteger often = new AtomicInteger();
        AtomicInteger outside = new AtomicInteger();
        Thread shared = new SharedByNobodyElse(() -> {
            seldom.set(askedInTheEnd(TimeUnit.MILLISECONDS.toNanos(4)));
            often.set(askedInTheEnd(TimeUnit.MICROSECONDS.toNanos(600)));
            ((SharedByNobodyElse) Thread.currentThread()).inPool = false;
            outside.set(askedInTheEnd(TimeUnit.MILLISECONDS.toNanos(4)));
        });
        shared.start();
        shared.join();

        assertEquals(ParkingWaitStrategy.OfSpouts.ASKED_SHARED, seldom.get(), 1, "with a message every 4 ms");
        assertEquals(4, often.get(), "with a message every 600 us");
        assertEquals(ParkingWaitStrategy.OfSpouts.ASKED, outside.get(), 1, "while the thread is its own");
    }

    @Test
    void shouldAskASpoutAsOftenAsTheTimerAllowsWhereMessagesAreFrequent() {
        ParkingWaitStrategy.OfSpouts wait = new ParkingWaitStrategy.OfSpouts();
        assertEquals(10, asked(wait, TimeUnit.MICROSECONDS.toNanos(500)), "at first");
        asked(wait, TimeUnit.SECONDS.toNanos(1));
        for (int period = 0; period < MANY; period++) {
            asked(wait, TimeUnit.MICROSECONDS.toNanos(500));
        }

        assertEquals(10, asked(wait, TimeUnit.MICROSECONDS.toNanos(500)), "after a pause");
    }

    @Test
    void shouldAskASpoutLessOftenTheLongerItHasNothing() {
        int asked = asked(new ParkingWaitStrategy.OfSpouts(), TimeUnit.SECONDS.toNanos(1));

        assertTrue(asked >= TimeUnit.SECONDS.toMillis(1) && asked < TimeUnit.SECONDS.toMillis(1) + MANY, "was asked " + asked + " times");
    }

    @Test
    void shouldNapUnlessTheWaitBeforeWasLong() {
        ParkingWaitStrategy wait = new ParkingWaitStrategy(NAP_NS, RATHER_LONG_NS, System::nanoTime) { };
        assertTrue(naps(wait), "at first");

        wait.idle(1);
        assertFalse(naps(wait), "after a long wait");

        LockSupport.unpark(Thread.currentThread());
        wait.idle(1);
        assertTrue(naps(wait), "after a short one");
    }

    @Test
    void shouldEndASpoutsWaitWhenItIsWoken() {
        ParkingWaitStrategy.OfSpouts wait = new ParkingWaitStrategy.OfSpouts();
        assertTrue(takesPermit(() -> assertEquals(1, wait.idle(0))), "a wake-up does not end it");
    }

    /** How often a spout is asked that has had nothing for so long many times. */
    private int askedInTheEnd(long nothingNs) {
        ParkingWaitStrategy.OfSpouts wait = new ParkingWaitStrategy.OfSpouts();
        for (int period = 0; period < MANY; period++) {
            asked(wait, nothingNs);
        }
        return asked(wait, nothingNs);
    }

    /** How often a spout is asked that has nothing for so long. */
    private int asked(ParkingWaitStrategy.OfSpouts wait, long nothingNs) {
        long untilNs = nowNs + nothingNs;
        int asked = 0;
        for (int counter = 0; nowNs < untilNs; counter = 1) {
            nowNs += wait.waitNs(counter, nowNs);
            asked++;
        }
        return asked;
    }

    private static boolean naps(ParkingWaitStrategy wait) {
        return takesPermit(() -> wait.idle(0));
    }

    /** Whether something parks this thread, and so takes its permit to go on. */
    private static boolean takesPermit(Runnable parks) {
        LockSupport.unpark(Thread.currentThread());
        parks.run();
        long sinceNs = System.nanoTime();
        LockSupport.parkNanos(RATHER_LONG_NS);
        return System.nanoTime() - sinceNs >= RATHER_LONG_NS;
    }

    /** A thread that counts as shared, and runs something else than executors. */
    private static final class SharedByNobodyElse extends SharedThread {

        private final Runnable task;
        private boolean inPool = true;

        SharedByNobodyElse(Runnable task) {
            super("shared-by-nobody-else");
            this.task = task;
        }

        @Override
        public void run() {
            task.run();
        }

        @Override
        public boolean isInPool() {
            return inPool;
        }

        @Override
        public void yieldFor(long atMostNs) {
            throw new IllegalStateException("No executor runs here.");
        }

        @Override
        public Runnable wakeUp() {
            throw new IllegalStateException("No executor runs here.");
        }
    }
}
