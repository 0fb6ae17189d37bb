package io.eyewall.client.acking;

import com.esotericsoftware.kryo.Kryo;
import com.esotericsoftware.kryo.KryoException;
import com.esotericsoftware.kryo.Serializer;
import com.esotericsoftware.kryo.io.Input;
import com.esotericsoftware.kryo.io.Output;
import org.apache.storm.serialization.SerializationRegister;

/**
 * The format in which a batch of acks goes to another worker: the number of entries; then for each entry its root with its kind, as the
 * difference from the entry before (one or two bytes for consecutive messages), and the eight bytes of an ack's XOR.
 */
public final class AckBatchSerializer extends Serializer<AckBatch> implements SerializationRegister {

    /** Far above Kryo's own numbers, so that classes of a user's keep the numbers that they have with upstream. */
    private static final int REGISTRATION = 25_977;

    /** For Storm, which finds it as a service. */
    public AckBatchSerializer() {
        super(false, true);
    }

    @Override
    public void register(Kryo kryo) {
        kryo.register(AckBatch.class, this, REGISTRATION);
    }

    @Override
    public void write(Kryo kryo, Output output, AckBatch batch) {
        output.writeVarInt(batch.size(), true);
        long previous = 0;
        for (int i = 0; i < batch.size(); i++) {
            long entry = batch.root(i) | batch.kind(i);
            output.writeVarLong(entry - previous, false);
            previous = entry;
            if (batch.kind(i) == AckBatch.ACK) {
                output.writeLong(batch.value(i));
            }
        }
    }

    /** Reads a batch from a byte array. Another process has written its length, so it is not trusted. */
    @Override
    public AckBatch read(Kryo kryo, Input input, Class<? extends AckBatch> type) {
        int size = input.readVarInt(true);
        int remaining = input.limit() - input.position();
        if (size < 0 || size > remaining) { // An entry has at least one byte.
            throw new KryoException("A batch of " + size + " acks in " + remaining + " bytes");
        }
        long[] entries = new long[2 * size];
        long previous = 0;
        for (int i = 0; i < entries.length; i += 2) {
            previous += input.readVarLong(false);
            entries[i] = previous;
            if ((previous & RootIds.FREE_BITS) == AckBatch.ACK) {
                entries[i + 1] = input.readLong();
            }
        }
        return AckBatch.of(entries);
    }
}
