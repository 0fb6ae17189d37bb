package io.eyewall.client.stream.slot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class BackgroundWorkTest {

    private static final int WAIT_SECS = 60;

    @Test
    void shouldGoOnAfterAnException() throws Exception {
        CountDownLatch third = new CountDownLatch(3);
        try (BackgroundWork work = new BackgroundWork("test", () -> {
            third.countDown();
            throw new IllegalStateException("for the test");
        }, "It fails")) {
            assertTrue(third.await(WAIT_SECS, TimeUnit.SECONDS), () -> work + " has ended");
        }
    }

    /** A call of a Supervisor that cannot be reached returns late. */
    @Test
    void shouldKeepNobodyWaitingWhileItBlocks() throws Exception {
        CountDownLatch blocks = new CountDownLatch(1);
        CountDownLatch goesOn = new CountDownLatch(1);
        CountDownLatch returned = new CountDownLatch(1);
        AtomicInteger rounds = new AtomicInteger();
        BackgroundWork work = new BackgroundWork("test", () -> {
            rounds.incrementAndGet();
            blocks.countDown();
            awaitUnchecked(goesOn);
            returned.countDown();
        }, "It fails");
        assertTrue(blocks.await(WAIT_SECS, TimeUnit.SECONDS));

        work.close();
        goesOn.countDown();

        assertTrue(returned.await(WAIT_SECS, TimeUnit.SECONDS));
        assertEquals(1, rounds.get());
    }

    private static void awaitUnchecked(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
