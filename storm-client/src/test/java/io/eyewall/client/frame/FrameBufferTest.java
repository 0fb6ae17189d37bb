package io.eyewall.client.frame;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;

class FrameBufferTest {

    private static final int MOST_BYTES = 5_000;

    private final FrameBuffer buffer = new FrameBuffer(new FramePool(1_024, 2), MOST_BYTES);

    @Test
    void shouldGrowToItsLimitAndRefuseWhatIsLonger() {
        buffer.begin();
        buffer.putBytes(new byte[MOST_BYTES - 1], MOST_BYTES - 1);
        buffer.putByte(7);
        assertEquals("A tuple takes more than 5000 bytes, the longest array of Java's. Emit it in parts, or emit where its content is"
            + " stored in place of the content.", assertThrows(IllegalArgumentException.class, () -> buffer.putByte(8)).getMessage());
        assertEquals(MOST_BYTES, buffer.end().length);
    }
}
