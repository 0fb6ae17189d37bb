package io.eyewall.transport.fabric.link.frame;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FramesTest {

    private static final int FRAME_BYTES = 128;
    private static final int BIGGEST_WHOLE = FRAME_BYTES - FrameHeader.BYTES - FrameWriter.MESSAGE_HEADER_BYTES;

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void shouldReadWhatWasWritten(long seed) throws ProtocolException {
        Random random = new Random(seed);
        List<byte[]> sent = new ArrayList<>();
        for (int i = 0; i < 500; i++) {
            byte[] message = new byte[random.nextInt(random.nextInt(10) == 0 ? 2_000 : 60)];
            random.nextBytes(message);
            sent.add(message);
        }
        List<byte[]> received = new ArrayList<>();
        FrameReader reader = new FrameReader();
        for (byte[] frame : frames(sent)) {
            assertTrue(frame.length > 0 && frame.length <= FRAME_BYTES - FrameHeader.BYTES, "a frame of " + frame.length);
            reader.read(buffer(frame), (address, message) -> {
                assertEquals(received.size(), address);
                byte[] bytes = new byte[message.remaining()];
                message.get(bytes);
                received.add(bytes);
            });
        }
        assertEquals(sent.size(), received.size());
        for (int i = 0; i < sent.size(); i++) {
            assertArrayEquals(sent.get(i), received.get(i));
        }
    }

    @Test
    void shouldNotSplitAMessageThatFitsIntoAFrame() {
        assertEquals(2, frames(List.of(new byte[10], new byte[BIGGEST_WHOLE])).size());
        assertEquals(1, frames(List.of(new byte[BIGGEST_WHOLE])).size());
        assertEquals(2, frames(List.of(new byte[BIGGEST_WHOLE + 1])).size());
    }

    @Test
    void shouldFillTheFirstFrameWithTheStartOfALongMessage() {
        List<byte[]> frames = frames(List.of(new byte[10], new byte[2 * BIGGEST_WHOLE]));
        assertEquals(FRAME_BYTES - FrameHeader.BYTES, frames.get(0).length);
    }

    @Test
    void shouldPassOnTheArrayOfAMessageThatWasSplit() throws ProtocolException {
        FrameReader reader = new FrameReader();
        List<ByteBuffer> received = new ArrayList<>();
        for (byte[] frame : frames(List.of(new byte[1_000]))) {
            reader.read(buffer(frame), (address, message) -> received.add(message));
        }
        assertEquals(1_000, received.get(0).array().length);
    }

    @ParameterizedTest
    @ValueSource(longs = {11, 12, 13, 14, 15, 16})
    void shouldReadOrRefuseGarbage(long seed) {
        Random random = new Random(seed);
        int refused = 0;
        for (int i = 0; i < 500; i++) {
            byte[] garbage = new byte[random.nextInt(100)];
            random.nextBytes(garbage);
            FrameReader reader = new FrameReader();
            try {
                reader.read(buffer(garbage), (address, message) -> assertTrue(message.remaining() <= garbage.length));
            } catch (ProtocolException e) {
                refused++;
            }
        }
        assertTrue(refused > 50, "only " + refused + " refused");
    }

    /** The message's length is one for which no Java runtime allocates an array. */
    @Test
    void shouldNotTrustALengthBeforeTheBytesHaveArrived() {
        FrameReader reader = new FrameReader();
        ByteBuffer frame = buffer(new byte[64]).putInt(1).putInt(Integer.MAX_VALUE).rewind();
        assertDoesNotThrow(() -> reader.read(frame, (address, message) -> fail("no message is complete")));
    }

    @ParameterizedTest
    @ValueSource(longs = {21, 22, 23})
    void shouldRefuseDamagedHeaders(long seed) throws ProtocolException {
        Random random = new Random(seed);
        ByteBuffer frame = buffer(new byte[FRAME_BYTES]);
        for (int i = 0; i < 1_000; i++) {
            int length = FrameHeader.BYTES + random.nextInt(100);
            FrameHeader.write(frame, 0, FrameHeader.DATA, 3, i, length - FrameHeader.BYTES);
            FrameHeader.check(frame, 0, length);
            int damaged = List.of(0, 1, 3, 12, 13, 14, 15).get(random.nextInt(7));
            frame.put(damaged, (byte) (frame.get(damaged) ^ (1 << random.nextInt(8))));
            assertThrows(ProtocolException.class, () -> FrameHeader.check(frame, 0, length));
        }
    }

    @Test
    void shouldRefuseAFrameThatIsTooShortOrOfAnUnknownType() {
        ByteBuffer frame = buffer(new byte[FRAME_BYTES]);
        assertThrows(ProtocolException.class, () -> FrameHeader.check(frame, 0, FrameHeader.BYTES - 1));
        FrameHeader.write(frame, 0, (byte) 8, 0, 0, 0);
        assertThrows(ProtocolException.class, () -> FrameHeader.check(frame, 0, FrameHeader.BYTES));
        FrameHeader.write(frame, 0, FrameHeader.DATA, -1, 0, 0);
        assertThrows(ProtocolException.class, () -> FrameHeader.check(frame, 0, FrameHeader.BYTES));
    }

    private static List<byte[]> frames(List<byte[]> messages) {
        ByteBuffer buffer = buffer(new byte[FRAME_BYTES]);
        FrameWriter writer = new FrameWriter(buffer, FRAME_BYTES);
        List<byte[]> frames = new ArrayList<>();
        writer.open(0);
        for (int i = 0; i < messages.size(); i++) {
            byte[] message = messages.get(i);
            int written = writer.write(i, message, 0);
            int packed = Math.max(0, written);
            while (written == FrameWriter.FULL || packed < message.length) {
                if (written == FrameWriter.FULL) {
                    frames.add(payload(buffer, writer));
                    writer.open(0);
                }
                written = writer.write(i, message, packed);
                packed += Math.max(0, written);
            }
        }
        frames.add(payload(buffer, writer));
        return frames;
    }

    private static byte[] payload(ByteBuffer buffer, FrameWriter writer) {
        byte[] payload = new byte[writer.payloadBytes()];
        buffer.get(FrameHeader.BYTES, payload);
        return payload;
    }

    private static ByteBuffer buffer(byte[] bytes) {
        return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }
}
