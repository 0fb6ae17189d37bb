package io.eyewall.client.acking;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RootIdsTest {

    @Test
    void shouldCountFromTheStart() {
        RootIds ids = new RootIds(3, 16);
        assertEquals(0x0c00_0000_0010L, ids.next());
        assertEquals(0x0c00_0000_0011L, ids.next());
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 77, (1 << 21) + 5, (1 << 22) - 1})
    void shouldReportTheTaskOfARoot(int task) {
        assertEquals(task, RootIds.taskOf(new RootIds(task, -1).next()));
    }

    @Test
    void shouldLeaveTaskAndFreeBitsAloneWhenTheCounterOverflows() {
        RootIds ids = new RootIds(5, -1);
        long last = ids.next();
        long first = ids.next();
        assertEquals(5L << 42, first);
        assertEquals((5L << 42) + (1L << 40) - 1, last);
        assertEquals(0, last & RootIds.FREE_BITS);
    }

    @Test
    void shouldNameTheRemedyWhenATaskDoesNotFit() {
        IllegalArgumentException error = assertThrows(IllegalArgumentException.class, () -> new RootIds(1 << 22, 0));
        assertEquals("Spout task 4194304 cannot keep a ledger, whose tasks are 1 to 4194303: set topology.acking to acker.",
            error.getMessage());
    }
}
