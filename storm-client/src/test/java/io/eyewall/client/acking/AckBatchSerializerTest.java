package io.eyewall.client.acking;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.esotericsoftware.kryo.Kryo;
import com.esotericsoftware.kryo.KryoException;
import com.esotericsoftware.kryo.io.Input;
import com.esotericsoftware.kryo.io.Output;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.apache.storm.Config;
import org.apache.storm.serialization.SerializationFactory;
import org.apache.storm.utils.Utils;
import org.junit.jupiter.api.Test;

class AckBatchSerializerTest {

    private static final long[] KINDS = {AckBatch.ACK, AckBatch.FAIL, AckBatch.RESET_TIMEOUT, AckBatch.CANCEL};

    @Property(tries = 300)
    void shouldReadWhatItWrote(@ForAll Random random, @ForAll @IntRange(max = AckOutbox.BATCH) int size) {
        long[] entries = new long[2 * size];
        for (int i = 0; i < entries.length; i += 2) {
            long kind = KINDS[random.nextInt(KINDS.length)];
            entries[i] = (random.nextLong() & ~RootIds.FREE_BITS) | kind;
            entries[i + 1] = kind == AckBatch.ACK ? random.nextLong() : 0;
        }
        AckBatch batch = AckBatch.of(entries);
        AckBatch read = readBack(new Kryo(), batch);
        assertEquals(size, read.size());
        for (int i = 0; i < size; i++) {
            assertEquals(batch.root(i), read.root(i));
            assertEquals(batch.kind(i), read.kind(i));
            assertEquals(batch.value(i), read.value(i));
        }
    }

    @Test
    void shouldTakeNineBytesForAnAckOfTheNextMessage() {
        RootIds ids = new RootIds(12, 1L << 35);
        long[] entries = new long[2 * AckOutbox.BATCH];
        for (int i = 0; i < entries.length; i += 2) {
            entries[i] = ids.next();
            entries[i + 1] = ~i;
        }
        Output output = new Output(4_096);
        new AckBatchSerializer().write(new Kryo(), output, AckBatch.of(entries));
        assertTrue(output.position() <= 9 * AckOutbox.BATCH + 10, "bytes: " + output.position());
    }

    @Test
    void shouldBeKnownToStormsKryoWithoutMovingTheNumbersOfUsersClasses() {
        Map<String, Object> conf = new HashMap<>(Utils.readDefaultConfig());
        conf.put(Config.TOPOLOGY_FALL_BACK_ON_JAVA_SERIALIZATION, false);
        conf.put(Config.TOPOLOGY_KRYO_REGISTER, List.of(Users.class.getName()));
        Kryo kryo = SerializationFactory.getKryo(conf);
        int lastOfStorms = kryo.getRegistration(org.apache.storm.generated.NodeInfo.class).getId();
        assertEquals(lastOfStorms + 1, kryo.getRegistration(Users.class).getId());
        assertEquals(42, readBack(kryo, AckBatch.of(1, 42)).value(0));
    }

    @Test
    void shouldRefuseABatchThatIsLongerThanItsBytes() {
        for (int size : new int[] {2, Integer.MAX_VALUE, -1}) {
            Output output = new Output(64);
            output.writeVarInt(size, true);
            output.writeByte(0);
            assertThrows(KryoException.class, () -> new AckBatchSerializer().read(new Kryo(), new Input(output.toBytes()), AckBatch.class),
                "size " + size);
        }
    }

    private static AckBatch readBack(Kryo kryo, AckBatch batch) {
        new AckBatchSerializer().register(kryo);
        Output output = new Output(64, 4_096);
        kryo.writeClassAndObject(output, batch);
        Input input = new Input(output.toBytes());
        AckBatch read = (AckBatch) kryo.readClassAndObject(input);
        assertTrue(input.end());
        return read;
    }

    /** Registered by a user. */
    public static final class Users {
    }
}
