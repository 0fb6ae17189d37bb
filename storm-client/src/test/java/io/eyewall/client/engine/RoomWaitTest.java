package io.eyewall.client.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class RoomWaitTest {

    private final RoomWait wait = new RoomWait();

    @Test
    void shouldBeToldOfRoomElsewhere() {
        assertTimeoutPreemptively(Duration.ofMinutes(1), () -> {
            do {
                assertEquals(1, wait.idle(0));
            } while (!Room.elsewhere().made()); // Another test may have told it before.
        });
    }

    @Test
    void shouldEndWhenItsThreadIsInterrupted() {
        Thread.currentThread().interrupt();
        assertThrows(InterruptedException.class, () -> wait.idle(0));
        assertFalse(Thread.interrupted());
    }
}
