package io.eyewall.client.security;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.esotericsoftware.kryo.Kryo;
import com.esotericsoftware.kryo.KryoException;
import com.esotericsoftware.kryo.io.Input;
import com.esotericsoftware.kryo.io.Output;
import com.esotericsoftware.kryo.serializers.CollectionSerializer;
import com.esotericsoftware.kryo.serializers.MapSerializer;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.stream.IntStream;
import org.apache.storm.Config;
import org.apache.storm.serialization.KryoValuesDeserializer;
import org.apache.storm.serialization.SerializationFactory;
import org.apache.storm.tuple.Values;
import org.apache.storm.utils.Utils;
import org.junit.jupiter.api.Test;

/** Lengths in messages. */
class BoundedInputTest {

    private static final int LONG = 1 << 30;
    private static final int MANY = 100_000_000;
    /** So many elements may take no bytes. */
    private static final int FEWER = 1_000_000;
    private static final long MAX_ALLOCATED_BYTES = 2 << 20;
    private static final Map<String, Object> CONF = Utils.readDefaultConfig();

    @Test
    void shouldReadWhatWasWritten() {
        Output output = new Output(100, -1);
        List<String> texts = List.of("", "a", "words", "wörter", "é", "x".repeat(70));
        texts.forEach(output::writeString);
        output.writeString(null);
        output.writeBytes(new byte[] {1, 2});
        output.writeLongs(new long[] {1, -1}, 0, 2, false);
        Input input = input(output.toBytes());
        for (String text : texts) {
            assertEquals(text, input.readString());
        }
        assertEquals(null, input.readString());
        assertArrayEquals(new byte[] {1, 2}, input.readBytes(2));
        assertArrayEquals(new long[] {1, -1}, input.readLongs(2, false));
        assertTrue(input.end());
    }

    @Test
    void shouldMakeNoArrayForALengthThatNothingFollows() {
        Output output = new Output(100, -1);
        output.writeVarIntFlag(true, LONG, true);
        output.writeByte(1);
        Input text = input(output.toBytes());
        KryoException refused = assertThrows(KryoException.class, text::readString);
        assertEquals("A length of 1073741823 is announced in a message that has 1 bytes more.", refused.getMessage());
        assertThrows(KryoException.class, input(output.toBytes())::readStringBuilder);
        for (BiFunction<Input, Integer, Object> read : List.<BiFunction<Input, Integer, Object>>of(Input::readBytes, Input::readInts,
                Input::readLongs, Input::readFloats, Input::readDoubles, Input::readShorts, Input::readChars, Input::readBooleans,
                (input, length) -> input.readInts(length, true), (input, length) -> input.readLongs(length, true))) {
            assertThrows(KryoException.class, () -> read.apply(input(new byte[9]), LONG));
        }
    }

    @Test
    void shouldMakeNoRoomForElementsThatNothingFollows() {
        for (Class<?> type : List.<Class<?>>of(ArrayList.class, HashSet.class, HashMap.class, Values.class, LinkedHashSet.class,
                LinkedHashMap.class, Object[].class)) {
            Kryo kryo = kryo();
            byte[] nulls = announcement(kryo, type, MANY, true);
            byte[] objects = announcement(kryo, type, FEWER, false);
            long before = allocatedBytes();
            KryoException refused = assertThrows(KryoException.class, () -> kryo.readClassAndObject(input(nulls)), type.getName());
            assertTrue(refused.getMessage().contains(MANY + " is announced in") || refused.getMessage().contains(MANY + " elements is"),
                refused::getMessage);
            assertThrows(KryoException.class, () -> kryo.readClassAndObject(input(objects)), type.getName());
            assertTrue(allocatedBytes() - before < MAX_ALLOCATED_BYTES, type.getName());
        }
    }

    @Test
    void shouldMakeNoRoomForValuesOfATupleThatNothingFollows() {
        Output output = new Output(100);
        announce(output, MANY);
        KryoValuesDeserializer values = new KryoValuesDeserializer(CONF);
        long before = allocatedBytes();
        assertThrows(KryoException.class, () -> values.deserialize(output.toBytes()));
        assertTrue(allocatedBytes() - before < MAX_ALLOCATED_BYTES);
    }

    /** Each would have as many elements as the message has bytes. */
    @Test
    void shouldRefuseManyCollectionsOfNullsInOneMessage() {
        Kryo kryo = kryo();
        Output output = new Output(1_000_000);
        kryo.writeClass(output, ArrayList.class);
        int lists = 100_000;
        output.writeVarIntFlag(false, lists + 1, true);
        for (int i = 0; i < lists; i++) {
            output.writeBytes(announcement(kryo, ArrayList.class, lists, true));
        }
        long before = allocatedBytes();
        assertThrows(KryoException.class, () -> kryo.readClassAndObject(input(output.toBytes())));
        assertTrue(allocatedBytes() - before < 10 * MAX_ALLOCATED_BYTES);
    }

    @Test
    void shouldReadLargeCollectionsAndNulls() {
        Kryo kryo = kryo();
        List<Object> numbers = new ArrayList<>(IntStream.range(0, 50_000).boxed().toList());
        Map<Object, Object> map = new HashMap<>();
        numbers.forEach(number -> map.put(number, number));
        List<Object> all = new ArrayList<>(List.of(numbers, map, new HashSet<>(numbers), new LinkedHashSet<>(numbers),
            new LinkedHashMap<>(map), new ArrayList<>(Collections.nCopies(900_000, null)), new Values("a", 7L)));
        Output output = new Output(1_000, -1);
        kryo.writeClassAndObject(output, all);
        kryo.writeClassAndObject(output, new Object[] {"a", null});
        Input input = input(output.toBytes());
        assertEquals(all, kryo.readClassAndObject(input));
        assertArrayEquals(new Object[] {"a", null}, (Object[]) kryo.readClassAndObject(input));
        input.setBuffer(output.toBytes());
        assertEquals(all, kryo.readClassAndObject(input), "the next message has a bound of its own");
    }

    @Test
    void shouldLeaveTheSerializersOfAUser() {
        Map<String, Object> conf = new HashMap<>(CONF);
        conf.put(Config.TOPOLOGY_KRYO_REGISTER, List.of(Map.of("java.util.LinkedHashSet", Own.class.getName())));
        assertEquals(Own.class, SerializationFactory.getKryo(conf).getSerializer(LinkedHashSet.class).getClass());

        Kryo kryo = new Kryo();
        MapSerializer<?> setUp = new MapSerializer<>();
        kryo.register(LinkedHashMap.class, setUp);
        assertEquals(setUp, BoundedSerializers.register(kryo, LinkedHashMap.class).getSerializer());
    }

    /** A user's. */
    public static final class Own extends CollectionSerializer<LinkedHashSet<Object>> {
    }

    private static Kryo kryo() {
        Map<String, Object> conf = new HashMap<>(CONF);
        conf.put(Config.TOPOLOGY_KRYO_REGISTER, List.of("java.util.LinkedHashSet", "java.util.LinkedHashMap", "[Ljava.lang.Object;"));
        return SerializationFactory.getKryo(conf);
    }

    /** The beginning of a collection, a map or an array; of a collection, all of its elements may be null, which takes no bytes. */
    private static byte[] announcement(Kryo kryo, Class<?> type, int elements, boolean areNull) {
        Output output = new Output(100);
        kryo.writeClass(output, type);
        if (!Collection.class.isAssignableFrom(type)) {
            output.writeVarInt(elements + 1, true);
        } else if (areNull) {
            announce(output, elements);
        } else {
            output.writeVarIntFlag(false, elements + 1, true);
        }
        return output.toBytes();
    }

    private static void announce(Output output, int nulls) {
        output.writeVarIntFlag(true, nulls + 1, true);
        output.writeByte(Kryo.NULL);
    }

    private static long allocatedBytes() {
        return ((com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean()).getCurrentThreadAllocatedBytes();
    }

    private static Input input(byte[] message) {
        Input input = BoundedInput.of(1);
        input.setBuffer(message);
        return input;
    }
}
