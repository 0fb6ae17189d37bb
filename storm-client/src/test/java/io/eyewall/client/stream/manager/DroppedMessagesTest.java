package io.eyewall.client.stream.manager;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import org.junit.jupiter.api.Test;

class DroppedMessagesTest {

    private final DroppedMessages dropped = new DroppedMessages();

    @Test
    void shouldNameWhomTheyWereFor() {
        dropped.add(2, "task 7");
        dropped.add(0, "task 8");
        dropped.add(1, "container b:6700");
        dropped.add(3, "task 7");

        Map<String, Long> taken = dropped.take();

        assertEquals(Map.of("task 7", 5L, "container b:6700", 1L), taken);
        String text = DroppedMessages.text(taken);
        assertTrue(text.startsWith("Dropped 6 messages for instances that cannot be reached: container b:6700 (1), task 7 (5). "), text);
        assertTrue(text.contains("logs"), text);
        assertEquals(Map.of(), dropped.take());
    }

    @Test
    void shouldKeepTheLineShortWhenThereAreMany() {
        for (int task = 100; task < 200; task++) {
            dropped.add(1, "task " + task);
        }

        String text = DroppedMessages.text(dropped.take());

        assertTrue(text.contains("task 109 (1) and 90 others."), text);
    }
}
