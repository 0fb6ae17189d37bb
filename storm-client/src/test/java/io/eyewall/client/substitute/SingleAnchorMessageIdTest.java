package io.eyewall.client.substitute;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import com.esotericsoftware.kryo.io.Input;
import com.esotericsoftware.kryo.io.Output;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.storm.serialization.KryoTupleDeserializer;
import org.apache.storm.serialization.KryoTupleSerializer;
import org.apache.storm.task.GeneralTopologyContext;
import org.apache.storm.testing.TestWordSpout;
import org.apache.storm.topology.TopologyBuilder;
import org.apache.storm.tuple.Fields;
import org.apache.storm.tuple.MessageId;
import org.apache.storm.tuple.TupleImpl;
import org.apache.storm.utils.Utils;
import org.junit.jupiter.api.Test;

class SingleAnchorMessageIdTest {

    private static final long ROOT = 0x0c00_0000_0010L;
    private static final long ID = -5;

    private final SingleAnchorMessageId anchor = new SingleAnchorMessageId(ROOT, ID);
    private final MessageId upstreams = MessageId.makeRootId(ROOT, ID);

    @Test
    void shouldAnswerAsUpstreamsDoes() {
        assertEquals(upstreams.getAnchorsToIds(), anchor.getAnchorsToIds());
        assertEquals(upstreams.getAnchors(), anchor.getAnchors());
        assertEquals(upstreams.hashCode(), anchor.hashCode());
        assertEquals(upstreams.toString(), anchor.toString());
        assertEquals(anchor, upstreams);
        assertEquals(upstreams, anchor);
        assertNotEquals(upstreams, new SingleAnchorMessageId(ROOT, ID + 1));
        assertEquals(anchor, new SingleAnchorMessageId(ROOT, ID));
        assertNotEquals(anchor, new SingleAnchorMessageId(ROOT, ID + 1));
        assertNotEquals(anchor, MessageId.makeUnanchored());
    }

    @Test
    void shouldHaveTheBytesOfUpstreams() throws Exception {
        assertArrayEquals(written(upstreams), written(anchor));
        assertEquals(anchor, SingleAnchorMessageId.read(new Input(written(upstreams))));
    }

    @Test
    void shouldReadWhatIsInNoTreeOrInSeveral() throws Exception {
        assertEquals(MessageId.makeUnanchored(), SingleAnchorMessageId.read(new Input(written(MessageId.makeUnanchored()))));
        MessageId several = MessageId.makeId(Map.of(ROOT, ID, ROOT + 1, 9L));
        assertEquals(several, SingleAnchorMessageId.read(new Input(written(several))));
    }

    @Test
    void shouldComeFromAnotherWorker() {
        TopologyBuilder topology = new TopologyBuilder();
        topology.setSpout("words", new TestWordSpout());
        Map<String, Object> conf = Utils.readDefaultConfig();
        GeneralTopologyContext context = new GeneralTopologyContext(topology.createTopology(), conf, Map.of(1, "words"),
            Map.of("words", List.of(1)), Map.of("words", Map.of("default", new Fields("word"))), "test");
        TupleImpl tuple = new TupleImpl(context, List.of("word"), "words", 1, "default", upstreams);
        byte[] bytes = new KryoTupleSerializer(conf, context).serialize(tuple);
        MessageId read = new KryoTupleDeserializer(conf, context).deserialize(bytes).getMessageId();
        assertInstanceOf(SingleAnchorMessageId.class, read);
        assertEquals(Set.of(ROOT), read.getAnchors());
        assertFalse(read.getAnchorsToIds().containsValue(0L));
    }

    private static byte[] written(MessageId id) throws Exception {
        Output output = new Output(64);
        id.serialize(output);
        return output.toBytes();
    }
}
