package io.eyewall.client.frame;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.storm.Config;
import org.apache.storm.tuple.AddressedTuple;
import org.apache.storm.tuple.Tuple;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Bytes that are no frames end in one exception, and leave no tuple behind. */
class FrameFuzzTest {

    private static final FrameTopology TOPOLOGY = new FrameTopology(
        Map.of(Config.TOPOLOGY_FALL_BACK_ON_JAVA_SERIALIZATION, false));
    private static final int ROUNDS = 5_000;
    private static final int TUPLES = 20;
    private static final int MUTATIONS = 4;

    private final List<AddressedTuple> tuples = new ArrayList<>();
    private int dropped;
    private final FrameReader reader = new FrameReader(TOPOLOGY.conf, TOPOLOGY.context, null, (component, stream, cause) -> dropped++);

    @Test
    void shouldRefuseAFrameThatIsCutOffAnywhere() {
        byte[] frame = frame(new Random(1));
        for (int length = 0; length < frame.length; length++) {
            byte[] shorter = Arrays.copyOf(frame, length);
            assertRefused(shorter);
            if (length >= FrameFormat.HEAD_BYTES) {
                setLength(shorter);
                assertRefused(shorter);
            }
        }
        assertRefused(Arrays.copyOf(frame, frame.length + 1));
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void shouldReadOrRefuseGarbage(long seed) {
        Random random = new Random(seed);
        for (int i = 0; i < ROUNDS; i++) {
            byte[] garbage = new byte[random.nextInt(200)];
            random.nextBytes(garbage);
            if (garbage.length >= FrameFormat.HEAD_BYTES && random.nextInt(4) > 0) {
                garbage[0] = FrameFormat.VERSION;
                setLength(garbage);
                ByteBuffer.wrap(garbage).putInt(FrameFormat.TUPLES_AT, 1 + random.nextInt(9));
            }
            assertRefusedOrRead(garbage);
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void shouldReadOrRefuseAFrameWithWrongBytes(long seed) {
        Random random = new Random(seed);
        byte[] frame = frame(random);
        int read = 0;
        for (int i = 0; i < ROUNDS; i++) {
            byte[] mutated = frame.clone();
            for (int m = random.nextInt(MUTATIONS); m >= 0; m--) {
                mutated[FrameFormat.HEAD_BYTES + random.nextInt(frame.length - FrameFormat.HEAD_BYTES)] = (byte) random.nextInt();
            }
            read += assertRefusedOrRead(mutated);
        }
        assertTrue(read > 0 && read < ROUNDS, "some wrong bytes are values, others are not: " + read);
    }

    @Test
    void shouldRefuseLengthsThatCannotBe() {
        byte both = FrameFormat.DESTINATION | FrameFormat.SOURCE;
        byte[] tuple = {(byte) (both | (1 << FrameFormat.COUNT_SHIFT)), 4, 1, 1};
        for (int type : new int[] {FrameFormat.TEXT, FrameFormat.WIDE_TEXT, FrameFormat.BYTES, FrameFormat.LIST}) {
            for (int length : new int[] {1, Integer.MAX_VALUE, Integer.MIN_VALUE, -1}) {
                FrameBuffer value = new FrameBuffer(new FramePool(64, 2));
                value.begin();
                value.putByte(type);
                value.putVarInt(length);
                assertRefused(frameOf(tuple, value.end()));
            }
        }
        assertRefused(frameOf(new byte[] {(byte) (both | FrameFormat.TRAILER), 4, 1, 1, -1, -1, -1, -1, 0}));
        assertRefused(frameOf(new byte[] {(byte) (both | FrameFormat.KRYO), 4, 1, 1, 9}));
        assertRefused(frameOf(new byte[] {(byte) (both | FrameFormat.SEVERAL_ANCHORS), 4, 1, 1, 3, 0, 0, 0}));
    }

    @Test
    void shouldRefuseListsThatAreTooDeep() {
        byte[] deep = new byte[100_000];
        deep[0] = FrameFormat.DESTINATION | FrameFormat.SOURCE | (1 << FrameFormat.COUNT_SHIFT);
        deep[1] = 4;
        deep[2] = 1;
        deep[3] = 1;
        for (int i = 4; i < deep.length; i += 2) {
            deep[i] = FrameFormat.LIST;
            deep[i + 1] = 1;
        }
        assertRefused(frameOf(deep));
    }

    @Test
    void shouldNameWhatIsWrong() {
        assertMessage("it sent a frame of version 9, and this worker reads version 1", new byte[] {9, 0, 0});
        assertMessage("it sent a tuple to task 5001, which this topology does not have",
            frameOf(new byte[] {FrameFormat.DESTINATION, (byte) ((10_002 & 0x7f) | 0x80), 10_002 >> 7}));
        assertMessage("it sent a tuple of task 5001, which this topology does not have",
            frameOf(new byte[] {FrameFormat.SOURCE, (byte) ((5_001 & 0x7f) | 0x80), 5_001 >> 7, 1}));
        assertMessage("it sent a tuple of stream 9 of words, which this topology does not have",
            frameOf(new byte[] {FrameFormat.SOURCE, 1, 9}));
        assertMessage("it sent a frame whose first tuple lacks its source or destination", frameOf(new byte[] {0, 0}));
    }

    @Test
    void shouldDropOnlyTheTupleThatKryoCannotRead() throws FrameException {
        byte[] good = {FrameFormat.DESTINATION | FrameFormat.SOURCE | (1 << FrameFormat.COUNT_SHIFT), 4, 1, 1, FrameFormat.TRUE};
        byte[] bad = {FrameFormat.KRYO, 3, 99, 99, 99};
        byte[] next = {1 << FrameFormat.COUNT_SHIFT, FrameFormat.FALSE};
        byte[] frame = frameOf(good, bad, next);
        ByteBuffer.wrap(frame).putInt(FrameFormat.TUPLES_AT, 3);
        reader.read(frame, 0, frame.length, tuples);
        assertEquals(List.of(List.of(true), List.of(false)), tuples.stream().map(tuple -> tuple.getTuple().getValues()).toList());
        assertEquals(1, dropped);
    }

    private void assertRefused(byte[] frame) {
        assertThrows(FrameException.class, () -> reader.read(frame, 0, frame.length, tuples));
        assertEquals(List.of(), tuples);
    }

    private void assertMessage(String wrong, byte[] frame) {
        assertEquals(wrong + ". Find out what runs at that address. If it is a worker of this topology, run the same version of Eyewall on"
            + " both hosts.", assertThrows(FrameException.class, () -> reader.read(frame, 0, frame.length, tuples)).getMessage());
    }

    /** Returns 1 if it was read, or else 0. */
    private int assertRefusedOrRead(byte[] frame) {
        try {
            dropped = 0;
            reader.read(frame, 0, frame.length, tuples);
            assertEquals(ByteBuffer.wrap(frame).getInt(FrameFormat.TUPLES_AT), tuples.size() + dropped);
            return 1;
        } catch (FrameException refused) {
            assertEquals(List.of(), tuples, refused.getMessage());
            return 0;
        } finally {
            tuples.clear();
        }
    }

    private static byte[] frame(Random random) {
        RandomTuples tuples = new RandomTuples(TOPOLOGY, random);
        List<Tuple> written = new ArrayList<>();
        while (written.size() < TUPLES) {
            Tuple tuple = tuples.next();
            if (isRegistered(tuple)) {
                written.add(tuple);
            }
        }
        return TOPOLOGY.frame(9, written.toArray(new Tuple[0]));
    }

    /** Whether this topology, without Java's serialization, can send it. */
    private static boolean isRegistered(Tuple tuple) {
        try {
            TOPOLOGY.frame(1, tuple);
            return true;
        } catch (RuntimeException e) {
            return false;
        }
    }

    /** A frame that says that it has one tuple. */
    private static byte[] frameOf(byte[]... parts) {
        int length = FrameFormat.HEAD_BYTES + Arrays.stream(parts).mapToInt(part -> part.length).sum();
        ByteBuffer frame = ByteBuffer.allocate(length).put(FrameFormat.VERSION).putInt(length - FrameFormat.HEAD_BYTES).putInt(1);
        for (byte[] part : parts) {
            frame.put(part);
        }
        return frame.array();
    }

    private static void setLength(byte[] frame) {
        ByteBuffer.wrap(frame).putInt(FrameFormat.LENGTH_AT, frame.length - FrameFormat.HEAD_BYTES);
    }
}
