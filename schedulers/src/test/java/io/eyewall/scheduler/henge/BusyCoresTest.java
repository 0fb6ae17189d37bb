package io.eyewall.scheduler.henge;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import org.junit.jupiter.api.Test;

class BusyCoresTest {

    @Test
    void shouldHardlyCountTheEndOfARun() {
        BusyCores busy = new BusyCores(Map.of());
        for (int round = 0; round < 100; round++) {
            busy.add("orders", 2);
        }
        busy.add("orders", 0);
        assertEquals(1.9, busy.all().get("orders"), 1e-9);
    }

    @Test
    void shouldRememberEarlierRunsAndForgetThoseThatHaveNotRunForTheLongestTime() {
        BusyCores busy = new BusyCores(Map.of("earlier", 3.0));
        assertEquals(Map.of("earlier", 3.0), busy.all());
        for (int i = 0; i < BusyCores.MAX_TOPOLOGIES; i++) {
            busy.add("t" + i, 1);
        }
        assertFalse(busy.all().containsKey("earlier"));
        assertEquals(BusyCores.MAX_TOPOLOGIES, busy.all().size());
        busy.add("t0", 1);
        busy.add("new", 1);
        assertTrue(busy.all().containsKey("t0"));
        assertFalse(busy.all().containsKey("t1"));
    }
}
