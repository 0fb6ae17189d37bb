package io.eyewall.client.seam;

import com.esotericsoftware.kryo.io.Input;
import com.esotericsoftware.kryo.io.Output;
import org.apache.storm.tuple.Tuple;

/**
 * Writes data behind a tuple's own bytes when the tuple leaves the worker, and reads it where the tuple arrives. A receiver without the
 * feature does not look behind the tuple's own bytes, and a sender without it writes nothing there: reading must handle both.
 *
 * <p>Where tuples go in frames, only those with a {@linkplain Stamped stamp} pass the wires of all features.
 *
 * <p>One instance belongs to one serializer or deserializer, and so to one thread. No method may throw, since that would lose the tuple.
 */
public interface TupleWire {

    /** Before the tuple is written. */
    void writing(Tuple tuple);

    /** After the tuple's own bytes were written to {@code output} and before they are taken out. */
    void written(Tuple tuple, Output output);

    /** Before a tuple is read from the first {@code lengthBytes} of {@code bytes}. */
    void reading(byte[] bytes, int lengthBytes);

    /** After the tuple's own bytes were read from {@code input}, which is positioned behind them. */
    void read(Tuple tuple, Input input);

    /** A wire that calls both in this order; one of them if the other is null, and null if both are. */
    static TupleWire both(TupleWire first, TupleWire second) {
        if (first == null || second == null) {
            return first == null ? second : first;
        }
        return new BothTupleWires(first, second);
    }
}
