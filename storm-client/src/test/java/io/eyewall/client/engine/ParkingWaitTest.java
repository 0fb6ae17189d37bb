package io.eyewall.client.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

class ParkingWaitTest {

    private static final int EVER = 5_000;
    private static final long NAP_NS = TimeUnit.MILLISECONDS.toNanos(300);
    private static final long RATHER_LONG_NS = TimeUnit.MILLISECONDS.toNanos(700);

    @Test
    void shouldAskASpoutLessOftenTheLongerItHasHadNothing() {
        ParkingWait.OfSpouts wait = new ParkingWait.OfSpouts();
        Thread.currentThread().interrupt(); // So that it does not park.
        try {
            int counter = 0;
            long previousNs = 0;
            long passedNs = 0;
            for (int asked = 0; asked < EVER; asked++) {
                long waitNs = ParkingWait.OfSpouts.waitNs(counter);
                assertTrue(waitNs >= previousNs, "asked more often after " + asked + " times");
                assertTrue(passedNs > TimeUnit.MILLISECONDS.toNanos(1) || waitNs <= TimeUnit.MICROSECONDS.toNanos(100),
                    "waits for " + waitNs + " ns after " + passedNs);
                passedNs += waitNs;
                previousNs = waitNs;
                counter = wait.idle(counter);
            }
            assertEquals(TimeUnit.MILLISECONDS.toNanos(1), previousNs);
        } finally {
            Thread.interrupted();
        }
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

    /** Who naps takes this thread's permit to go on. */
    private static boolean naps(ParkingWait wait) {
        LockSupport.unpark(Thread.currentThread());
        wait.idle(0);
        long sinceNs = System.nanoTime();
        LockSupport.parkNanos(RATHER_LONG_NS);
        return System.nanoTime() - sinceNs >= RATHER_LONG_NS;
    }
}
