package io.eyewall.client.frame;

import static io.eyewall.client.frame.SameTuple.assertSameTuple;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.esotericsoftware.kryo.Kryo;
import com.esotericsoftware.kryo.Serializer;
import com.esotericsoftware.kryo.io.Input;
import com.esotericsoftware.kryo.io.Output;
import io.eyewall.client.seam.TupleLimit;
import io.eyewall.client.seam.TupleWire;
import io.eyewall.client.substitute.SingleAnchorMessageId;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.storm.Config;
import org.apache.storm.tuple.AddressedTuple;
import org.apache.storm.tuple.Tuple;
import org.apache.storm.tuple.TupleImpl;
import org.junit.jupiter.api.Test;

class FrameWriterTest {

    private static final int FRAME_BYTES = 1_024;

    private final FrameTopology topology = new FrameTopology(Map.of(Config.TOPOLOGY_FALL_BACK_ON_JAVA_SERIALIZATION, false));
    private final FramePool pool = new FramePool(FRAME_BYTES, 2);
    private final OpenFrame open = new OpenFrame(pool);

    @Test
    void shouldTakeFewBytesForTheHeadOfATuple() {
        int first = topology.frame(2, topology.tuple("storm")).length;
        assertEquals(first + 7, topology.frame(2, topology.tuple("storm"), topology.tuple("storm")).length, "head, length, five letters");
        TupleImpl anchored = topology.tuple(new SingleAnchorMessageId(41, -7), "storm");
        TupleImpl next = topology.tuple(new SingleAnchorMessageId(42, -8), "storm");
        assertEquals(topology.frame(2, anchored).length + 16, topology.frame(2, anchored, next).length,
            "and one for the root, eight for the id");
    }

    @Test
    void shouldBeFullWhenAsLongAsFramesShouldBe() throws FrameException {
        FrameWriter writer = topology.writer();
        int written = 0;
        while (!open.isFull()) {
            writer.write(open, 2, topology.tuple("a text of some length, number " + written++));
        }
        assertEquals(written, open.tuples());
        byte[] frame = open.complete();
        assertTrue(frame.length >= FRAME_BYTES && frame.length < FRAME_BYTES + 50);
        assertFalse(open.isFull());
        assertEquals(0, open.tuples());
        assertThrows(IllegalStateException.class, open::complete);
        assertEquals(written, topology.read(frame).size());
    }

    @Test
    void shouldWriteIntoTheBuffersOfEarlierFramesAgain() throws FrameException {
        byte[] buffer = pool.take();
        pool.give(buffer);
        FrameWriter writer = topology.writer();
        writer.write(open, 2, topology.tuple("first"));
        byte[] first = open.complete();
        assertSame(buffer, pool.take(), "the buffer of a complete frame is free");
        pool.give(buffer);
        writer.write(open, 2, topology.tuple("second"));
        open.clear();
        assertSame(buffer, pool.take(), "and that of a frame that was given up");
        assertEquals("first", topology.read(first).get(0).getTuple().getValue(0), "a complete frame has bytes of its own");
    }

    @Test
    void shouldGiveTheBufferBackThatATupleOutgrows() {
        FrameWriter writer = topology.writer();
        byte[] buffer = pool.take();
        pool.give(buffer);
        writer.write(open, 2, topology.tuple("first"));
        writer.write(open, 2, topology.tuple((Object) new byte[10 * FRAME_BYTES]));
        assertTrue(open.isFull());
        assertSame(buffer, pool.take());
        assertTrue(open.complete().length > 10 * FRAME_BYTES);
        assertEquals(buffer.length, pool.take().length, "a large buffer is not kept");
    }

    @Test
    void shouldUseSmallBuffersWhenAllOthersAreInUse() throws FrameException {
        assertTrue(pool.take().length > FRAME_BYTES);
        assertTrue(pool.take().length > FRAME_BYTES);
        byte[] small = pool.take();
        assertTrue(small.length < FRAME_BYTES);
        pool.give(small);
        assertNotSame(small, pool.take(), "a small buffer is not kept");
        topology.writer().write(open, 2, topology.tuple("x".repeat(FRAME_BYTES)));
        assertEquals("x".repeat(FRAME_BYTES), topology.read(open.complete()).get(0).getTuple().getValue(0));
    }

    @Test
    void shouldLeaveTheFrameAsItWasWhenATupleCannotBeSerialized() throws FrameException {
        FrameWriter writer = topology.writer();
        TupleImpl good = topology.tuple(new SingleAnchorMessageId(5, 6), "good");
        TupleImpl bad = new TupleImpl(topology.context, List.of("bad", new Unregistered()), FrameTopology.BOLT, 9, FrameTopology.stream(3),
            new SingleAnchorMessageId(9, 9));
        assertThrows(IllegalArgumentException.class, () -> writer.write(open, 3, bad));
        assertEquals(0, open.tuples());
        writer.write(open, 2, good);
        assertThrows(IllegalArgumentException.class, () -> writer.write(open, 3, bad));
        writer.write(open, 2, good);
        List<AddressedTuple> read = topology.read(open.complete());
        assertEquals(2, read.size());
        for (AddressedTuple tuple : read) {
            assertEquals(2, tuple.getDest());
            assertSameTuple(good, tuple.getTuple());
        }
    }

    @Test
    void shouldRefuseATupleThatIsTooLong() throws FrameException {
        TupleLimit limit = new TupleLimit(1_000, "a pigeon", "write smaller");
        FrameWriter writer = new FrameWriter(topology.conf, topology.context, null, limit);
        TupleImpl good = topology.tuple(new byte[900]);
        writer.write(open, 2, good);
        for (Object value : List.of(new byte[1_000], BigInteger.TWO.pow(9_600))) {
            String refused = assertThrows(IllegalArgumentException.class, () -> writer.write(open, 3, topology.tuple(value))).getMessage();
            assertTrue(refused.startsWith("A tuple of component words (task 1, stream default) for task 3 takes 1"), refused);
            assertTrue(refused.endsWith(" bytes, and a pigeon carries at most 1000. Emit it in parts, emit where its content is stored in"
                + " place of the content, or write smaller."), refused);
        }
        writer.write(open, 2, good);
        assertEquals(2, topology.read(open.complete()).size());
    }

    @Test
    void shouldHandATopologysOwnSerializerItsValues() throws FrameException {
        FrameTopology own = new FrameTopology(Map.of(Config.TOPOLOGY_KRYO_REGISTER,
            List.of(Map.of(String.class.getName(), LoudTexts.class.getName()))));
        TupleImpl tuple = own.tuple("word", 3L);
        AddressedTuple read = own.read(own.frame(2, tuple)).get(0);
        assertEquals(List.of("WORD", 3L), read.getTuple().getValues());
        assertSameTuple(own.byUpstream(tuple), read.getTuple());
    }

    @Test
    void shouldCarryATrailer() throws FrameException {
        Wire wire = new Wire();
        FrameWriter writer = new FrameWriter(topology.conf, topology.context, wire, TupleLimit.NONE);
        TupleImpl common = topology.tuple("common", 1);
        TupleImpl other = topology.tuple("other", 2.5f);
        for (TupleImpl tuple : List.of(common, other, common)) {
            writer.write(open, 2, tuple);
        }
        byte[] frame = open.complete();
        List<AddressedTuple> read = new ArrayList<>();
        new FrameReader(topology.conf, topology.context, wire, (component, stream, cause) -> {
            throw new AssertionError(cause);
        }).read(frame, 0, frame.length, read);
        assertEquals(List.of("writing common", "written common", "writing other", "written other", "writing common", "written common",
            "reading 1", "read common 1", "reading 2", "read other 2", "reading 3", "read common 3"), wire.calls);
        List<AddressedTuple> without = topology.read(frame);
        for (int i = 0; i < read.size(); i++) {
            assertSameTuple(read.get(i).getTuple(), without.get(i).getTuple());
        }
    }

    /** No serializer is registered for it. */
    private static final class Unregistered {
    }

    /** A serializer that can be told from Kryo's own. */
    public static final class LoudTexts extends Serializer<String> {
        @Override
        public void write(Kryo kryo, Output output, String text) {
            output.writeString(text.toUpperCase(java.util.Locale.ROOT));
        }

        @Override
        public String read(Kryo kryo, Input input, Class<? extends String> type) {
            return input.readString();
        }
    }

    /** Writes the number of the tuple behind it. */
    private static final class Wire implements TupleWire {

        private final List<String> calls = new ArrayList<>();
        private int written;

        @Override
        public void writing(Tuple tuple) {
            calls.add("writing " + tuple.getValue(0));
        }

        @Override
        public void written(Tuple tuple, Output output) {
            calls.add("written " + tuple.getValue(0));
            output.writeInt(7);
            output.writeByte(++written);
        }

        @Override
        public void reading(byte[] bytes, int lengthBytes) {
            calls.add("reading " + bytes[lengthBytes - 1]);
        }

        @Override
        public void read(Tuple tuple, Input input) {
            assertEquals(7, input.readInt());
            calls.add("read " + tuple.getValue(0) + ' ' + input.readByte());
            assertTrue(input.end());
        }
    }
}
