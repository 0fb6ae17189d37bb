package io.eyewall.tail.recording;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class HopKeyTest {

    @ParameterizedTest
    @EnumSource
    void shouldReadBackTheTagOfEveryPoint(MeasuringPoint point) {
        HopKey key = new HopKey(point, "split", 12, "words:default");
        assertEquals(key, HopKey.ofTag(key.tag()));
        HopKey worker = HopKey.ofWorker(point, "host-2:6701");
        assertEquals(worker, HopKey.ofTag(worker.tag()));
    }

    @Test
    void shouldWriteTheTagAsDocumented() {
        assertEquals("emit-to-enqueue/split/12/words:default",
            new HopKey(MeasuringPoint.EMIT_TO_ENQUEUE, "split", 12, "words:default").tag());
        assertEquals("network/__worker/-1/host-2:6701", HopKey.ofWorker(MeasuringPoint.NETWORK, "host-2:6701").tag());
    }

    @Test
    void shouldReplaceWhatEndsATagWhenANameHoldsIt() {
        HopKey key = new HopKey(MeasuringPoint.EXECUTE, "a b,c/d\te", 1, "x y:z,\n/");
        assertEquals("execute/a_b_c_d_e/1/x_y:z___", key.tag());
        assertEquals(key.tag(), HopKey.ofTag(key.tag()).tag());
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "execute", "execute/a/1", "execute/a/1/b/c", "execute/a/one/b", "execute/a/12345678901/b", "rest/a/1/b"})
    void shouldRefuseATagOfAnotherForm(String tag) {
        assertThrows(IllegalArgumentException.class, () -> HopKey.ofTag(tag));
    }
}
