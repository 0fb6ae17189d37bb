package io.eyewall.client.substitute;

import com.esotericsoftware.kryo.KryoException;
import com.esotericsoftware.kryo.io.Input;
import io.eyewall.client.security.BoundedInput;
import java.nio.ByteBuffer;
import java.util.Map;
import org.apache.storm.serialization.SerializationFactory.IdDictionary;
import org.apache.storm.task.GeneralTopologyContext;

/** Tells the component and the stream of a tuple whose values cannot be read, from the bytes in front of them. For any thread. */
final class TupleSources {

    /** The task and the stream, as Kryo writes small numbers. */
    private static final int MAX_BYTES = 10;

    private final Map<Integer, String> components;
    private final IdDictionary streams;

    TupleSources(GeneralTopologyContext context) {
        components = context.getTaskToComponent();
        streams = new IdDictionary(context.getRawTopology());
    }

    /** Where the tuple at the message's position came from; {@link LoggedDrops#UNKNOWN} if it is no tuple of this topology. */
    LoggedDrops.Source of(ByteBuffer message) {
        byte[] head = new byte[Math.min(MAX_BYTES, message.remaining())];
        message.get(message.position(), head);
        Input input = BoundedInput.of(1);
        input.setBuffer(head);
        try {
            String component = components.get(input.readInt(true));
            String stream = component == null ? null : streams.getStreamName(component, input.readInt(true));
            return stream == null ? LoggedDrops.UNKNOWN : new LoggedDrops.Source(component, stream);
        } catch (KryoException e) {
            return LoggedDrops.UNKNOWN; // It is shorter than a tuple.
        }
    }
}
