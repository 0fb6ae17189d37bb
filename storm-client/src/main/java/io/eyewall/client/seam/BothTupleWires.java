package io.eyewall.client.seam;

import com.esotericsoftware.kryo.io.Input;
import com.esotericsoftware.kryo.io.Output;
import org.apache.storm.tuple.Tuple;

/**
 * Two wires: the data of the first comes before that of the second.
 *
 * @param first reads only what it has written
 */
record BothTupleWires(TupleWire first, TupleWire second) implements TupleWire {

    @Override
    public void writing(Tuple tuple) {
        first.writing(tuple);
        second.writing(tuple);
    }

    @Override
    public void written(Tuple tuple, Output output) {
        first.written(tuple, output);
        second.written(tuple, output);
    }

    @Override
    public void reading(byte[] bytes, int lengthBytes) {
        first.reading(bytes, lengthBytes);
        second.reading(bytes, lengthBytes);
    }

    @Override
    public void read(Tuple tuple, Input input) {
        first.read(tuple, input);
        second.read(tuple, input);
    }
}
