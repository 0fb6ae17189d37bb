package io.eyewall.client.substitute;

import com.esotericsoftware.kryo.io.Input;
import io.eyewall.client.seam.TupleWire;
import io.eyewall.client.security.BoundedInput;
import java.nio.ByteBuffer;
import java.util.Map;
import org.apache.storm.serialization.KryoValuesDeserializer;
import org.apache.storm.serialization.SerializationFactory;
import org.apache.storm.task.GeneralTopologyContext;
import org.apache.storm.tuple.MessageId;
import org.apache.storm.tuple.TupleImpl;

/**
 * Reads tuples from any memory. The bytes of a message outside the heap are copied into one array, which stays in the processor's cache and
 * is used again for the next message. Upstream's deserializer needs an array for each message, which must be cleared, written to main
 * memory and collected. Kryo can also read in place, but more slowly for small values and texts, and not with serializers that use the
 * input's array.
 *
 * <p>For one thread.
 */
final class TupleReader {

    private static final int FIRST_BYTES = 1024;

    private final GeneralTopologyContext context;
    private final TupleWire wire;
    private final SerializationFactory.IdDictionary streams;
    private final KryoValuesDeserializer values;
    private final Input input = BoundedInput.of(1);
    private byte[] bytes = new byte[FIRST_BYTES];

    /**
     * A reader of the tuples of a topology.
     *
     * @param wire reads the data behind a tuple's own bytes; null for none
     */
    TupleReader(Map<String, Object> topologyConf, GeneralTopologyContext context, TupleWire wire) {
        this.context = context;
        this.wire = wire;
        this.streams = new SerializationFactory.IdDictionary(context.getRawTopology());
        this.values = new KryoValuesDeserializer(topologyConf);
    }

    /** Reads the tuple that upstream's {@code KryoTupleDeserializer} reads from the same bytes. Moves the message's position to its end. */
    TupleImpl read(ByteBuffer message) {
        if (message.hasArray()) {
            return read(message.array(), message.arrayOffset() + message.position(), message.remaining());
        }
        int lengthBytes = message.remaining();
        if (bytes.length < lengthBytes) {
            bytes = new byte[Integer.highestOneBit(lengthBytes - 1) << 1];
        }
        message.get(bytes, 0, lengthBytes);
        return read(bytes, 0, lengthBytes);
    }

    private TupleImpl read(byte[] from, int offset, int lengthBytes) {
        if (wire != null) {
            wire.reading(from, offset + lengthBytes);
        }
        input.setBuffer(from, offset, lengthBytes);
        int task = input.readInt(true);
        int stream = input.readInt(true);
        String component = context.getComponentId(task);
        String streamName = streams.getStreamName(component, stream);
        MessageId id = SingleAnchorMessageId.read(input);
        TupleImpl tuple = new TupleImpl(context, values.deserializeFrom(input), component, task, streamName, id);
        if (wire != null) {
            wire.read(tuple, input);
        }
        return tuple;
    }
}
