package org.apache.storm.messaging.netty;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.storm.messaging.TaskMessage;
import org.apache.storm.serialization.KryoValuesDeserializer;
import org.apache.storm.shade.io.netty.buffer.ByteBuf;

/** Upstream's way of messages into the buffer of a connection and out of it, without the connection. For one thread. */
public final class UpstreamBatches {

    private static final int BATCH_BYTES = 262_144;

    private final OpenDecoder decoder;
    private final List<Object> decoded = new ArrayList<>();
    private MessageBatch batch = new MessageBatch(BATCH_BYTES);

    /** For the messages of a topology with that configuration. */
    public UpstreamBatches(Map<String, Object> topologyConf) {
        decoder = new OpenDecoder(new KryoValuesDeserializer(topologyConf));
    }

    /** Adds a message to the batch. */
    public void add(TaskMessage message) {
        batch.add(message);
    }

    /** Writes the batch, and begins another one. */
    public void write(ByteBuf out) {
        batch.write(out);
        batch = new MessageBatch(BATCH_BYTES);
    }

    /** Reads the messages of a batch. */
    @SuppressWarnings("unchecked")
    public List<TaskMessage> read(ByteBuf in) throws Exception {
        decoded.clear();
        decoder.decode(null, in, decoded);
        return (List<TaskMessage>) decoded.get(0);
    }

    /** The decoder as Netty calls it. */
    private static final class OpenDecoder extends MessageDecoder {
        OpenDecoder(KryoValuesDeserializer values) {
            super(values);
        }
    }
}
