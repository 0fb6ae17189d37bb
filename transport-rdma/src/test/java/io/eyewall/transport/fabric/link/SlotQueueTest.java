package io.eyewall.transport.fabric.link;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class SlotQueueTest {

    @Test
    void shouldReturnSlotsFromBothEnds() {
        SlotQueue slots = new SlotQueue(2);
        slots.add(7);
        slots.add(8);
        assertThrows(IllegalStateException.class, () -> slots.add(9));
        assertEquals(7, slots.remove());
        slots.add(9);
        assertEquals(8, slots.remove());
        assertEquals(9, slots.peek());
        assertEquals(9, slots.remove());
        assertTrue(slots.isEmpty());
        slots.add(10);
        slots.add(11);
        assertEquals(11, slots.removeNewest());
        slots.add(12);
        assertEquals(12, slots.removeNewest());
        assertEquals(10, slots.removeNewest());
        assertTrue(slots.isEmpty());
    }
}
