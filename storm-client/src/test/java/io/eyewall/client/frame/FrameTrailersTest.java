package io.eyewall.client.frame;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.esotericsoftware.kryo.io.Input;
import com.esotericsoftware.kryo.io.Output;
import io.eyewall.client.seam.TupleLimit;
import io.eyewall.client.seam.TupleWire;
import io.eyewall.client.seam.woven.WireHolder;
import io.eyewall.client.substitute.LoggedDrops;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.storm.Config;
import org.apache.storm.messaging.TaskMessage;
import org.apache.storm.serialization.KryoTupleDeserializer;
import org.apache.storm.serialization.KryoTupleSerializer;
import org.apache.storm.tuple.AddressedTuple;
import org.apache.storm.tuple.Tuple;
import org.junit.jupiter.api.Test;

/** What travels with a tuple arrives with it, wherever the frame is read. */
class FrameTrailersTest {

    private static final int TASK = 2;
    private static final FrameTopology TOPOLOGY = new FrameTopology(Map.of(Config.TOPOLOGY_FALL_BACK_ON_JAVA_SERIALIZATION, true));

    private final Marks sent = new Marks();
    private final Marks received = new Marks();
    private final FrameWires wires = new FrameWires(() -> received);
    private final LoggedDrops drops = new LoggedDrops();
    private final List<AddressedTuple> arrived = new ArrayList<>();
    private final FramedMessages messages = new FramedMessages(TOPOLOGY.conf, TOPOLOGY.context, arrived::addAll, () -> null, wires, false,
        drops);

    @Test
    void shouldBeReadFromTheFramesOfTheNetwork() {
        messages.recv(List.of(new TaskMessage(FrameMessage.TASK, frame())));
        assertMarks(received);
        assertEquals(2, arrived.size());
    }

    @Test
    void shouldBeReadFromTheFramesInTheMemoryOfATransport() {
        messages.take(FrameMessage.TASK, ByteBuffer.wrap(frame()));
        assertMarks(received);
        assertEquals(2, arrived.size());
    }

    @Test
    void shouldBeWrittenAnewWhenTheTuplesLeaveTheFrame() {
        FrameReader reader = new FrameReader(TOPOLOGY.conf, TOPOLOGY.context, received, drops);
        KryoTupleSerializer serializer = new KryoTupleSerializer(TOPOLOGY.conf, TOPOLOGY.context);
        ((WireHolder) serializer).setEyewallWire(received);
        FrameSplitter splitter = new FrameSplitter(reader, serializer, TupleLimit.NONE, drops);
        List<TaskMessage> split = splitter.split(new FrameMessage(frame(), 2, () -> splitter));

        Marks other = new Marks();
        KryoTupleDeserializer deserializer = new KryoTupleDeserializer(TOPOLOGY.conf, TOPOLOGY.context);
        ((WireHolder) deserializer).setEyewallWire(other);
        split.forEach(message -> deserializer.deserialize(message.message()));
        assertMarks(other);
    }

    @Test
    void shouldBeReadByTheSplitterOfAWorker() {
        FrameSplitter splitter = new FrameSplitter(TOPOLOGY.conf, TOPOLOGY.context, wires, TupleLimit.NONE, drops);
        assertEquals(2, splitter.split(new FrameMessage(frame(), 2, () -> splitter)).size());
        assertMarks(received);
    }

    /** One tuple of common types, and one of Kryo's. */
    private byte[] frame() {
        OpenFrame open = new OpenFrame(new FramePool(1_024, 2));
        FrameWriter writer = new FrameWriter(TOPOLOGY.conf, TOPOLOGY.context, sent, TupleLimit.NONE);
        writer.write(open, TASK, TOPOLOGY.tuple("word"));
        writer.write(open, TASK, TOPOLOGY.tuple(BigInteger.TEN));
        return open.complete();
    }

    private static void assertMarks(Marks marks) {
        assertEquals(Map.of("word", 1, "10", 2), marks.byValue);
    }

    /** Writes a number with each tuple, and keeps those that it reads. A tuple that it has read keeps its number. */
    private static final class Marks implements TupleWire {

        private final Map<String, Integer> byValue = new HashMap<>();
        private final AtomicInteger last = new AtomicInteger();

        @Override
        public void writing(Tuple tuple) {
            // The number is written behind the tuple.
        }

        @Override
        public void written(Tuple tuple, Output output) {
            Integer known = byValue.get(String.valueOf(tuple.getValue(0)));
            output.writeInt(known == null ? last.incrementAndGet() : known);
        }

        @Override
        public void reading(byte[] bytes, int lengthBytes) {
            // The number is read behind the tuple.
        }

        @Override
        public void read(Tuple tuple, Input input) {
            byValue.put(String.valueOf(tuple.getValue(0)), input.readInt());
        }
    }
}
