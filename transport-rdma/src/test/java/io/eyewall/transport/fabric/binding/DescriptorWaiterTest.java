package io.eyewall.transport.fabric.binding;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class DescriptorWaiterTest {

    private static final int LONG_MS = 600_000;

    @Test
    void shouldReturnAtOnceWhenWokenBeforeTheSleep() {
        try (DescriptorWaiter waiter = new DescriptorWaiter()) {
            waiter.wake();
            assertTimeoutPreemptively(Duration.ofSeconds(60), () -> assertTrue(waiter.await(LONG_MS)));
        }
    }

    @Test
    void shouldForgetWakeUpsThatHaveEndedASleep() {
        try (DescriptorWaiter waiter = new DescriptorWaiter()) {
            waiter.wake();
            waiter.wake();
            assertTrue(waiter.await(LONG_MS));
            assertFalse(waiter.await(1));
        }
    }

    @Test
    void shouldReportWhichDescriptorIsReadable() {
        int readable = Libc.eventfd(1, Libc.EFD_NONBLOCK | Libc.EFD_CLOEXEC);
        int silent = Libc.eventfd(0, Libc.EFD_NONBLOCK | Libc.EFD_CLOEXEC);
        try (DescriptorWaiter waiter = new DescriptorWaiter()) {
            waiter.watch(List.of(silent));
            assertFalse(waiter.await(1));
            waiter.watch(List.of(silent, readable));
            assertTrue(waiter.await(LONG_MS));
            assertFalse(waiter.isReadable(0, 1));
            assertTrue(waiter.isReadable(0, 2));
        } finally {
            Libc.close(readable);
            Libc.close(silent);
        }
    }

    @Test
    void shouldIgnoreAWakeUpWhenClosed() {
        DescriptorWaiter waiter = new DescriptorWaiter();
        waiter.close();
        waiter.close();
        assertDoesNotThrow(waiter::wake);
    }
}
