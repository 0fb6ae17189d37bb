package io.eyewall.client.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import java.time.Duration;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class FullQueueWaitStrategyTest {

    private final FullQueueWaitStrategy wait = new FullQueueWaitStrategy();

    /** Netty's classes start the log, which a thread that is interrupted cannot. */
    @BeforeAll
    static void loadClasses() {
        assertNull(TransferLoop.current());
    }

    @Test
    void shouldWaitForSpaceInOtherWorkers() {
        assertTimeoutPreemptively(Duration.ofMinutes(1), () -> {
            do {
                assertEquals(1, wait.idle(0));
            } while (!SpaceSignal.ofOtherWorkers().signal()); // Another test may have signalled before.
        });
    }

    @Test
    void shouldEndWhenItsThreadIsInterrupted() {
        Thread.currentThread().interrupt();
        assertThrows(InterruptedException.class, () -> wait.idle(0));
        assertFalse(Thread.interrupted());
    }
}
