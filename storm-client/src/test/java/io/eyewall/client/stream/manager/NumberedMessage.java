package io.eyewall.client.stream.manager;

import io.eyewall.client.stream.wire.StreamWire;
import io.eyewall.client.stream.wire.WireException;
import java.nio.ByteBuffer;
import org.apache.storm.messaging.TaskMessage;
import org.apache.storm.shade.io.netty.buffer.ByteBuf;
import org.apache.storm.shade.io.netty.buffer.ByteBufAllocator;
import org.apache.storm.shade.io.netty.buffer.UnpooledByteBufAllocator;

/** A tuple of the simulation. The number counts those from its source to its target. */
record NumberedMessage(int source, int target, int number) {

    /** Without a look-out for buffers that are not given back, since those of a test go to the garbage collector. */
    static final ByteBufAllocator BUFFERS = new UnpooledByteBufAllocator(false, true);

    ByteBuf write() {
        byte[] bytes = ByteBuffer.allocate(2 * Integer.BYTES).putInt(source).putInt(number).array();
        return StreamWire.message(BUFFERS, target, new TaskMessage(target, bytes));
    }

    static NumberedMessage read(ByteBuf message) {
        try {
            int target = StreamWire.target(message);
            ByteBuffer bytes = ByteBuffer.wrap(StreamWire.tuples(message).message());
            return new NumberedMessage(bytes.getInt(), target, bytes.getInt());
        } catch (WireException e) {
            throw new AssertionError(e);
        }
    }
}
