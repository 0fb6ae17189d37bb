package io.eyewall.client.stream.wire;

import org.apache.storm.shade.io.netty.buffer.ByteBuf;
import org.apache.storm.shade.io.netty.channel.ChannelHandlerContext;
import org.apache.storm.shade.io.netty.handler.codec.LengthFieldBasedFrameDecoder;

/**
 * Cuts what arrives into messages that are handed on, heads included. A message may wait for long, and keeps the buffer in which it has
 * come. So one that fills less than half of it is copied to a buffer of its own: what waits takes at most twice its length.
 */
public final class ForwardingSplitter extends LengthFieldBasedFrameDecoder {

    /** The longest message. One that is longer closes the connection. */
    static final int MOST_BYTES = 32 << 20;

    /** For one connection. */
    public ForwardingSplitter() {
        super(MOST_BYTES, 0, Integer.BYTES);
    }

    /** How much has come of a message that has not come as a whole. */
    public int incompleteBytes() {
        return actualReadableBytes();
    }

    @Override
    protected ByteBuf extractFrame(ChannelHandlerContext context, ByteBuf buffer, int index, int length) {
        return length < buffer.capacity() / 2 ? context.alloc().directBuffer(length).writeBytes(buffer, index, length)
            : buffer.retainedSlice(index, length);
    }
}
