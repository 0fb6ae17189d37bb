package io.eyewall.core.seam;

import com.esotericsoftware.kryo.io.Input;
import com.esotericsoftware.kryo.io.Output;
import io.eyewall.client.seam.Stamped;
import io.eyewall.client.seam.TupleWire;
import org.apache.storm.tuple.Tuple;

/** Sends a mark behind every tuple and counts what arrives. */
final class CountingWire implements TupleWire {

    private static final int MARK = 0x5eed;

    @Override
    public void writing(Tuple tuple) {
        CountingFeature.count("tuple-wire: writing");
    }

    @Override
    public void written(Tuple tuple, Output output) {
        output.writeInt(MARK);
        CountingFeature.count("tuple-wire: written");
    }

    @Override
    public void reading(byte[] bytes, int lengthBytes) {
        CountingFeature.count("tuple-wire: reading");
    }

    @Override
    public void read(Tuple tuple, Input input) {
        Stamped stamped = (Stamped) tuple;
        stamped.setEyewallStamp(input.readInt());
        if (stamped.getEyewallStamp().equals(MARK) && input.end()) {
            CountingFeature.count("tuple-wire: mark read");
        }
    }
}
