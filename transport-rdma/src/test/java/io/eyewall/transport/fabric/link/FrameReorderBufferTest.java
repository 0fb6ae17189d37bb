package io.eyewall.transport.fabric.link;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.eyewall.transport.fabric.link.frame.ProtocolException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FrameReorderBufferTest {

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void shouldRestoreTheOrderOfFramesForAnyOrderOfCompletion(long seed) throws ProtocolException {
        Random random = new Random(seed);
        int window = 8;
        FrameReorderBuffer order = new FrameReorderBuffer(window);
        List<Integer> underWay = new ArrayList<>();
        int sent = 0;
        int delivered = 0;
        while (delivered < 10_000) {
            while (underWay.size() < window && sent < delivered + window) {
                underWay.add(sent++);
            }
            Collections.shuffle(underWay, random);
            int sequence = underWay.remove(0);
            order.put(sequence, sequence % 1_000);
            for (int slot = order.next(); slot != FrameReorderBuffer.NONE; slot = order.next()) {
                assertEquals(delivered++ % 1_000, slot);
            }
        }
    }

    @Test
    void shouldKeepOrderWhenSequenceNumbersWrapAround() throws ProtocolException {
        FrameReorderBuffer order = new FrameReorderBuffer(6);
        for (int sequence = 0; sequence < 3; sequence++) {
            order.put(sequence, 0);
            order.next();
        }
        assertThrows(ProtocolException.class, () -> order.put(2, 0));
        assertThrows(ProtocolException.class, () -> order.put(3 + 8, 0));
        order.put(3 + 7, 7);
        assertThrows(ProtocolException.class, () -> order.put(3 + 7, 7));
        assertEquals(FrameReorderBuffer.NONE, order.next());
    }
}
