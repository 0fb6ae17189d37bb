package io.eyewall.client.frame;

import static io.eyewall.client.frame.SameTuple.assertSameTuple;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.apache.storm.Config;
import org.apache.storm.serialization.KryoTupleDeserializer;
import org.apache.storm.serialization.KryoTupleSerializer;
import org.apache.storm.tuple.AddressedTuple;
import org.apache.storm.tuple.TupleImpl;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FrameRoundTripTest {

    private static final int TUPLES = 300;
    private static final FrameTopology TOPOLOGY = new FrameTopology(Map.of(Config.TOPOLOGY_FALL_BACK_ON_JAVA_SERIALIZATION, true));

    private final KryoTupleSerializer upstreamsSerializer = new KryoTupleSerializer(TOPOLOGY.conf, TOPOLOGY.context);
    private final KryoTupleDeserializer upstreamsDeserializer = new KryoTupleDeserializer(TOPOLOGY.conf, TOPOLOGY.context);

    @Property(tries = 30)
    void shouldReadWhatUpstreamWouldRead(@ForAll Random random) throws FrameException {
        RandomTuples tuples = new RandomTuples(TOPOLOGY, random);
        FrameWriter writer = TOPOLOGY.writer();
        OpenFrame open = new OpenFrame(new FramePool(4_096, 2));
        List<AddressedTuple> written = new ArrayList<>();
        List<AddressedTuple> read = new ArrayList<>();
        int frames = 0;
        for (int i = 0; i < TUPLES; i++) {
            AddressedTuple tuple = new AddressedTuple(tuples.task(), tuples.next());
            written.add(tuple);
            writer.write(open, tuple.getDest(), tuple.getTuple());
            if (open.isFull() || i == TUPLES - 1) {
                byte[] frame = open.complete();
                TOPOLOGY.reader().read(frame, 0, frame.length, read);
                frames++;
            }
        }
        assertTrue(frames > 1, "frames: " + frames);
        assertEquals(TUPLES, read.size());
        for (int i = 0; i < TUPLES; i++) {
            assertEquals(written.get(i).getDest(), read.get(i).getDest());
            TupleImpl byUpstream = upstreamsDeserializer.deserialize(upstreamsSerializer.serialize(written.get(i).getTuple()));
            assertSameTuple(byUpstream, read.get(i).getTuple());
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 63, 64, 127, 128, 1_000, 32_768, 65_536, 1 << 20, 8 << 20})
    void shouldReadValuesOfAnySize(int size) throws FrameException {
        byte[] bytes = new byte[size];
        new Random(size).nextBytes(bytes);
        TupleImpl[] tuples = {
            TOPOLOGY.tuple("before"), TOPOLOGY.tuple((Object) bytes), TOPOLOGY.tuple("x".repeat(size)),
            TOPOLOGY.tuple("\u4e2d".repeat(size)), TOPOLOGY.tuple("by Kryo", new BigInteger(bytes)), TOPOLOGY.tuple("behind")};
        List<AddressedTuple> read = TOPOLOGY.read(TOPOLOGY.frame(7, tuples));
        assertEquals(tuples.length, read.size());
        for (int i = 0; i < tuples.length; i++) {
            assertSameTuple(tuples[i], read.get(i).getTuple());
        }
    }

    @Property(tries = 200)
    void shouldReadEachNumber(@ForAll long number, @ForAll int small, @ForAll double real) throws FrameException {
        TupleImpl tuple = TOPOLOGY.tuple(number, small, real, -number, -small);
        assertSameTuple(tuple, TOPOLOGY.read(TOPOLOGY.frame(2, tuple)).get(0).getTuple());
    }

    @Property(tries = 200)
    void shouldReadEachText(@ForAll String text) throws FrameException {
        TupleImpl tuple = TOPOLOGY.tuple(text, text + '\ud800');
        assertSameTuple(tuple, TOPOLOGY.read(TOPOLOGY.frame(2, tuple)).get(0).getTuple());
    }
}
