package io.eyewall.transport.fabric.binding;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class WaiterTest {

    private static final int LONG_MS = 600_000;

    @Test
    void shouldReturnAtOnceWhenWokenBefore() {
        try (Waiter waiter = new Waiter()) {
            waiter.wake();
            assertTimeoutPreemptively(Duration.ofSeconds(60), () -> assertTrue(waiter.await(LONG_MS)));
        }
    }

    @Test
    void shouldForgetWakeUpsOnceTheyEndedASleep() {
        try (Waiter waiter = new Waiter()) {
            waiter.wake();
            waiter.wake();
            assertTrue(waiter.await(LONG_MS));
            assertFalse(waiter.await(1));
        }
    }
}
