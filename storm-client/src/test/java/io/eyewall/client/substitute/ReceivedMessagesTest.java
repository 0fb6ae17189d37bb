package io.eyewall.client.substitute;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.esotericsoftware.kryo.io.Input;
import com.esotericsoftware.kryo.io.Output;
import io.eyewall.client.seam.TupleWire;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.storm.messaging.DeserializingConnectionCallback;
import org.apache.storm.messaging.TaskMessage;
import org.apache.storm.serialization.KryoTupleDeserializer;
import org.apache.storm.serialization.KryoTupleSerializer;
import org.apache.storm.task.GeneralTopologyContext;
import org.apache.storm.testing.TestWordSpout;
import org.apache.storm.topology.TopologyBuilder;
import org.apache.storm.tuple.AddressedTuple;
import org.apache.storm.tuple.Fields;
import org.apache.storm.tuple.MessageId;
import org.apache.storm.tuple.Tuple;
import org.apache.storm.tuple.TupleImpl;
import org.apache.storm.utils.Utils;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ReceivedMessagesTest {

    private static final int TASK = 7;
    private static final int BEHIND = 0x5eed;

    private final Map<String, Object> conf = Utils.readDefaultConfig();
    private final GeneralTopologyContext context = context();
    private final List<List<AddressedTuple>> batches = new ArrayList<>();
    private final LoggedDrops drops = new LoggedDrops();
    private final ReceivedMessages received = new ReceivedMessages(conf, context, batches::add, () -> null, false, drops);

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void shouldReadWhatUpstreamReadsFromTheSameBytes(long seed) {
        Random random = new Random(seed);
        List<byte[]> messages = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            byte[] bytes = new byte[random.nextInt(random.nextInt(5) == 0 ? 100_000 : 100)];
            random.nextBytes(bytes);
            messages.add(serialized(tuple("word" + i, random.nextLong(), "x\u00e4\u4e2d".repeat(bytes.length % 1_000), bytes)));
        }
        for (byte[] message : messages) {
            received.take(TASK, buffer(random.nextBoolean(), message));
        }
        received.deliver();

        KryoTupleDeserializer upstreams = new KryoTupleDeserializer(conf, context);
        assertEquals(1, batches.size());
        for (int i = 0; i < messages.size(); i++) {
            AddressedTuple taken = batches.get(0).get(i);
            assertEquals(TASK, taken.getDest());
            assertSame(upstreams.deserialize(messages.get(i)), (TupleImpl) taken.getTuple());
        }
    }

    @Test
    void shouldHandOnOnlyWhatWasTakenSince() {
        received.deliver();
        assertEquals(List.of(), batches);
        received.take(1, outside(serialized(tuple("a"))));
        received.deliver();
        received.take(2, outside(serialized(tuple("b"))));
        received.recv(List.of(new TaskMessage(3, serialized(tuple("c")))));
        received.deliver();
        assertEquals(List.of(1, 3, 2), batches.stream().map(batch -> batch.get(0).getDest()).toList());
        assertEquals(List.of(1, 1, 1), batches.stream().map(List::size).toList());
    }

    @Test
    void shouldDropWhatIsNoTupleAndReadTheNext() {
        byte[] whole = serialized(tuple("a longer word"));
        List<byte[]> bad = List.of(new byte[0], new byte[] {1, 1, 0, 99, 99, 99}, new byte[] {99, 1, 0, 1},
            new byte[] {1, 1, 0, -1, -1, -1, -1, 7}, Arrays.copyOf(whole, whole.length - 3));
        for (byte[] message : bad) {
            List<TaskMessage> batch = List.of(new TaskMessage(TASK, message), new TaskMessage(TASK, whole));
            DeserializingConnectionCallback upstreams = new DeserializingConnectionCallback(conf, context, batches::add);
            assertThrows(Throwable.class, () -> upstreams.recv(batch), "the message ends a worker of upstream's");

            received.recv(batch);
            received.take(TASK, outside(message));
            received.take(TASK, outside(whole));
            received.deliver();
        }
        // The two that are too short to tell, and the one of a task that there is not, twice each.
        LoggedDrops.Source words = new LoggedDrops.Source("words", "default");
        assertEquals(Map.of(LoggedDrops.UNKNOWN, 4L, words, 6L), drops.counts());
        assertEquals(2 * bad.size(), batches.size());
        batches.forEach(batch -> assertEquals(List.of("a longer word"), batch.get(0).getTuple().getValues()));
    }

    @Test
    void shouldDropWhatIsOfNoStreamOfItsComponent() {
        byte[] whole = serialized(tuple("a longer word"));
        byte[] foreign = whole.clone();
        foreign[1] = 99; // The number of the stream.
        assertNull(new KryoTupleDeserializer(conf, context).deserialize(foreign).getSourceStreamId(), "upstream hands it on");

        received.recv(List.of(new TaskMessage(TASK, foreign), new TaskMessage(TASK, whole)));
        received.take(TASK, outside(foreign));
        received.deliver();
        assertEquals(List.of(1), batches.stream().map(List::size).toList());
        assertEquals(Map.of(LoggedDrops.UNKNOWN, 2L), drops.counts());
    }

    @Test
    void shouldDropWhatIsForNoTaskOfTheTopology() {
        for (int task : new int[] {-1, 0, 99, Short.MAX_VALUE}) {
            received.recv(List.of(new TaskMessage(task, serialized(tuple("a"))), new TaskMessage(TASK, serialized(tuple("b")))));
            received.take(task, outside(serialized(tuple("a"))));
            received.deliver();
        }
        assertEquals(List.of(TASK, TASK, TASK, TASK), batches.stream().map(batch -> batch.get(0).getDest()).toList());
    }

    @Test
    void shouldDropAMessageWithoutBytes() {
        received.recv(List.of(new TaskMessage(TASK, null), new TaskMessage(TASK, serialized(tuple("b")))));
        assertEquals(List.of(1), batches.stream().map(List::size).toList());
        assertEquals(Map.of(LoggedDrops.UNKNOWN, 1L), drops.counts());
    }

    @Test
    void shouldTellOfEachNewSourceOnce() {
        List<LoggedDrops.Source> told = new ArrayList<>();
        drops.whenNew((source, count) -> told.add(source));
        byte[] whole = serialized(tuple("a longer word"));
        TaskMessage cutOff = new TaskMessage(TASK, Arrays.copyOf(whole, whole.length - 3));
        received.recv(List.of(cutOff, cutOff, new TaskMessage(99, whole), cutOff));
        LoggedDrops.Source words = new LoggedDrops.Source("words", "default");
        assertEquals(List.of(words, LoggedDrops.UNKNOWN), told);
        assertEquals(List.of(LoggedDrops.UNKNOWN, words), List.copyOf(drops.counts().keySet()), "sorted");
        assertEquals(Map.of(words, 3L, LoggedDrops.UNKNOWN, 1L), drops.counts());
    }

    @Test
    void shouldTakeMarkersWhereThereIsAQueueForThem() {
        ReceivedMessages withMarkers = new ReceivedMessages(conf, context, batches::add, () -> null, true, drops);
        withMarkers.recv(List.of(new TaskMessage(ReceivedMessages.MARKER_TASK, serialized(tuple("LAST")))));
        withMarkers.take(ReceivedMessages.MARKER_TASK, outside(serialized(tuple("FAREWELL"))));
        withMarkers.deliver();
        assertEquals(List.of(List.of("LAST"), List.of("FAREWELL")), batches.stream().map(batch -> batch.get(0).getTuple().getValues())
            .toList());
    }

    @Test
    void shouldReadWhatStandsBehindATuple() {
        Wire wire = new Wire();
        ReceivedMessages withWire = new ReceivedMessages(conf, context, batches::add, () -> wire, false, drops);
        byte[] own = serialized(tuple("word"));
        withWire.take(TASK, outside(serialized(tuple("a longer word than that"))));
        withWire.take(TASK, outside(ByteBuffer.allocate(own.length + Integer.BYTES).put(own).putInt(BEHIND).array()));
        assertArrayEquals(new int[] {own.length + Integer.BYTES, Integer.BYTES, BEHIND}, wire.seen);
    }

    private static void assertSame(TupleImpl expected, TupleImpl read) {
        assertEquals(expected.getSourceTask(), read.getSourceTask());
        assertEquals(expected.getSourceComponent(), read.getSourceComponent());
        assertEquals(expected.getSourceStreamId(), read.getSourceStreamId());
        assertEquals(expected.getMessageId(), read.getMessageId());
        assertEquals(expected.size(), read.size());
        for (int field = 0; field < expected.size(); field++) {
            if (expected.getValue(field) instanceof byte[] bytes) {
                assertArrayEquals(bytes, read.getBinary(field));
            } else {
                assertEquals(expected.getValue(field), read.getValue(field));
            }
        }
    }

    private static ByteBuffer buffer(boolean outside, byte[] message) {
        return outside ? outside(message) : ByteBuffer.allocate(message.length + 5).position(3).put(message).flip().position(3);
    }

    /** As it lies in a transport's memory: among others. */
    private static ByteBuffer outside(byte[] message) {
        return ByteBuffer.allocateDirect(message.length + 20).position(10).put(message).flip().position(10);
    }

    private byte[] serialized(Tuple tuple) {
        return new KryoTupleSerializer(conf, context).serialize(tuple);
    }

    private TupleImpl tuple(Object... values) {
        return new TupleImpl(context, List.of(values), "words", 1, "default", MessageId.makeRootId(3, 4));
    }

    private GeneralTopologyContext context() {
        TopologyBuilder topology = new TopologyBuilder();
        topology.setSpout("words", new TestWordSpout());
        return new GeneralTopologyContext(topology.createTopology(), conf, Map.of(1, "words", 2, "words", 3, "words", TASK, "words"),
            Map.of("words", List.of(1, 2, 3, TASK)),
            Map.of("words", Map.of("default", new Fields("word"))), "test");
    }

    /** Remembers the last message: how long it was, how much of it stood behind the tuple, and what. */
    private static final class Wire implements TupleWire {

        private final int[] seen = new int[3];

        @Override
        public void writing(Tuple tuple) {
            throw new AssertionError("Nothing is written here.");
        }

        @Override
        public void written(Tuple tuple, Output output) {
            throw new AssertionError("Nothing is written here.");
        }

        @Override
        public void reading(byte[] bytes, int lengthBytes) {
            seen[0] = lengthBytes;
        }

        @Override
        public void read(Tuple tuple, Input input) {
            seen[1] = input.limit() - input.position();
            seen[2] = seen[1] == 0 ? 0 : Integer.reverseBytes(input.readInt());
        }
    }
}
