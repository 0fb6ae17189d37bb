package io.eyewall.client.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

class ParkingWaitTest {

    private static final long NOTHING_NS = TimeUnit.MILLISECONDS.toNanos(8);
    private static final int MANY_TIMES = 32;
    private static final int TIMES = 8;
    /** At the beginning, at the end, which may be missed by little, and in between. */
    private static final int ASKED_AT_MOST = ParkingWait.OfSpouts.ASKED + 2;
    private static final long NAP_NS = TimeUnit.MILLISECONDS.toNanos(300);
    private static final long RATHER_LONG_NS = TimeUnit.MILLISECONDS.toNanos(700);

    @Test
    void shouldAskASpoutSixteenTimesWhileItUsuallyHasNothing() {
        assertEquals(TimeUnit.MICROSECONDS.toNanos(50), ParkingWait.OfSpouts.waitNs(TimeUnit.MICROSECONDS.toNanos(799)));
        assertEquals(TimeUnit.MICROSECONDS.toNanos(625), ParkingWait.OfSpouts.waitNs(TimeUnit.MILLISECONDS.toNanos(10)));
        assertEquals(TimeUnit.MILLISECONDS.toNanos(1), ParkingWait.OfSpouts.waitNs(TimeUnit.HOURS.toNanos(1)));
    }

    @Test
    void shouldKnowFromTheTimesBeforeHowSeldomToAskASpout() {
        ParkingWait.OfSpouts wait = new ParkingWait.OfSpouts();
        for (int time = 0; time < MANY_TIMES; time++) {
            asked(wait);
        }

        int asked = 0;
        for (int time = 0; time < TIMES; time++) {
            asked += asked(wait);
        }

        assertTrue(asked <= TIMES * ASKED_AT_MOST, "was asked " + asked + " times");
    }

    @Test
    void shouldNapUnlessTheWaitBeforeWasLong() {
        ParkingWait wait = new ParkingWait(NAP_NS, RATHER_LONG_NS) { };
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

        assertEquals(1, new ParkingWait.OfSpouts().idle(0));
    }

    /** How often a spout is asked while it has nothing. */
    private static int asked(ParkingWait.OfSpouts wait) {
        long sinceNs = System.nanoTime();
        int asked = 0;
        for (int counter = 0; System.nanoTime() - sinceNs < NOTHING_NS; asked++) {
            counter = wait.idle(counter);
        }
        return asked;
    }

    /** Who naps takes this thread's permit to go on. */
    private static boolean naps(ParkingWait wait) {
        LockSupport.unpark(Thread.currentThread());
        wait.idle(0);
        long sinceNs = System.nanoTime();
        LockSupport.parkNanos(RATHER_LONG_NS);
        return System.nanoTime() - sinceNs >= RATHER_LONG_NS;
    }
}
