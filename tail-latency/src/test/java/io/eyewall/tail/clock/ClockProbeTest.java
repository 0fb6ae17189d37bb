package io.eyewall.tail.clock;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ClockProbeTest {

    private static final long TOPOLOGY = ClockProbe.topology("word-count-1-1700000000");

    @Test
    void shouldComeBackAsItWasWhenWrittenAndRead() {
        ClockProbe question = ClockProbe.question(TOPOLOGY, -3);
        ClockProbe answer = question.answered(Long.MIN_VALUE, Long.MAX_VALUE);

        assertEquals(Optional.of(question), ClockProbe.read(written(question)));
        assertEquals(Optional.of(answer), ClockProbe.read(written(answer)));
    }

    @Test
    void shouldAnswerWithAsManyBytesAsItWasAsked() {
        ClockProbe question = ClockProbe.question(TOPOLOGY, 1);

        assertEquals(written(question).remaining(), written(question.answered(1, 2)).remaining());
        assertEquals(ClockProbe.LENGTH, written(question).remaining());
    }

    @Test
    void shouldDistinguishTopologies() {
        assertNotEquals(TOPOLOGY, ClockProbe.topology("word-count-2-1700000000"));
    }

    @Test
    void shouldIgnoreAPacketWhenItIsCutOffOrTooLong() {
        byte[] bytes = written(ClockProbe.question(TOPOLOGY, 1)).array();
        for (int length = 0; length < ClockProbe.LENGTH; length++) {
            assertEquals(Optional.empty(), ClockProbe.read(ByteBuffer.wrap(bytes, 0, length)));
        }
        assertEquals(Optional.empty(), ClockProbe.read(ByteBuffer.wrap(bytes, 0, ClockProbe.LENGTH + 1)));
    }

    @Test
    void shouldIgnoreAPacketWhenAnyByteOfItsHeaderIsAnother() {
        for (int index = 0; index < 8; index++) {
            byte[] bytes = written(ClockProbe.question(TOPOLOGY, 1)).array();
            bytes[index] ^= 0x40;
            assertEquals(Optional.empty(), ClockProbe.read(ByteBuffer.wrap(bytes, 0, ClockProbe.LENGTH)), "byte " + index);
        }
    }

    @Test
    void shouldReadOnlyWhatItWouldWriteWhenPacketsAreRandom() {
        Random random = new Random(20260101);
        byte[] header = written(ClockProbe.question(TOPOLOGY, 1)).array();
        int understood = 0;
        for (int i = 0; i < 100_000; i++) {
            byte[] bytes = new byte[ClockProbe.LENGTH];
            random.nextBytes(bytes);
            System.arraycopy(header, 0, bytes, 0, random.nextInt(9));
            Optional<ClockProbe> probe = ClockProbe.read(ByteBuffer.wrap(bytes));
            if (probe.isPresent()) {
                understood++;
                assertEquals(ByteBuffer.wrap(bytes), written(probe.get()));
            }
        }
        assertTrue(understood > 5_000, "only " + understood + " of the packets with our header were understood");
    }

    private static ByteBuffer written(ClockProbe probe) {
        ByteBuffer buffer = ByteBuffer.allocate(ClockProbe.LENGTH + 1);
        probe.write(buffer);
        return buffer;
    }
}
