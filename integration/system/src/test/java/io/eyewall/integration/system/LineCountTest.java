package io.eyewall.integration.system;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class LineCountTest {

    @Test
    void shouldCountDifferentLinesOfGrowingAndNewFilesOnce() {
        LineCount acks = new LineCount("ack ");
        Map<String, List<String>> later =
            Map.of("a", List.of("ack 1", "fail 2", "ack 3", "ack 1", "ack 2"), "b", List.of("ack 3", "ack 4"));

        assertEquals(0, acks.count(Map::of));
        assertEquals(2, acks.count(() -> Map.of("a", List.of("ack 1", "fail 2", "ack 3", "ack 1"))));
        assertEquals(4, acks.count(() -> later));
        assertEquals(4, acks.count(() -> later));
    }
}
