package io.eyewall.transport.fabric.link;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ExponentialBackoffTest {

    @Test
    void shouldDoubleThePauseUpToTheLongest() {
        ExponentialBackoff backoff = new ExponentialBackoff(10, 1_000);
        List<Long> pauses = new ArrayList<>();
        for (int i = 0; i < 9; i++) {
            pauses.add(backoff.next());
        }
        assertEquals(List.of(10L, 20L, 40L, 80L, 160L, 320L, 640L, 1_000L, 1_000L), pauses);
        backoff.reset();
        assertEquals(10, backoff.next());
    }
}
