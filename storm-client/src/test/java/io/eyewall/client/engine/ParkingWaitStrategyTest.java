package io.eyewall.client.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

class ParkingWaitStrategyTest {

    private static final int MANY = 100;
    private static final long NAP_NS = TimeUnit.MILLISECONDS.toNanos(300);
    private static final long RATHER_LONG_NS = TimeUnit.MILLISECONDS.toNanos(700);

    private long nowNs = 1;

    @Test
    void shouldAskASpoutSixteenTimesWhileItUsuallyHasNothing() {
        ParkingWaitStrategy.OfSpouts wait = new ParkingWaitStrategy.OfSpouts();
        for (int period = 0; period < MANY; period++) {
            asked(wait, TimeUnit.MILLISECONDS.toNanos(8));
        }

        assertEquals(ParkingWaitStrategy.OfSpouts.ASKED, asked(wait, TimeUnit.MILLISECONDS.toNanos(8)), 1);
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
        LockSupport.unpark(Thread.currentThread());

        assertEquals(1, new ParkingWaitStrategy.OfSpouts().idle(0));
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

    /** Who naps takes this thread's permit to go on. */
    private static boolean naps(ParkingWaitStrategy wait) {
        LockSupport.unpark(Thread.currentThread());
        wait.idle(0);
        long sinceNs = System.nanoTime();
        LockSupport.parkNanos(RATHER_LONG_NS);
        return System.nanoTime() - sinceNs >= RATHER_LONG_NS;
    }
}
