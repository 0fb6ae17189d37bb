package io.eyewall.client.stream.wire;

import org.apache.storm.shade.io.netty.buffer.ByteBuf;
import org.apache.storm.shade.io.netty.channel.ChannelHandlerContext;
import org.apache.storm.shade.io.netty.handler.codec.LengthFieldBasedFrameDecoder;

/**
 * Cuts what arrives into messages that are handed on, heads included. A message may wait for long, and keeps the buffer in which it has
 * come. So one that fills less than half of it is copied to a buffer of its own: what waits takes at most twice its length. The
 * {@link LargeMessageListener} is notified of a large message before all of it is read.
 */
public final class ForwardingSplitter extends LengthFieldBasedFrameDecoder {

    /** The longest message. One that is longer closes the connection, so instances do not send it. */
    public static final int MAX_BYTES = 32 << 20;
    /** About as much as may be read at a time. What is longer may be announced long before it is here. */
    static final int LARGE_BYTES = 64 << 10;

    private final LargeMessageListener listener;
    /** Whether a large message is coming. */
    private boolean isComing;

    /** Is notified of the large messages of a connection. */
    public interface LargeMessageListener {

        /** Such a message has begun to come, and not all of it is here. It is for this task if it has tuples. */
        void begins(int messageBytes, int target);

        /** All of it is here. */
        void ends();
    }

    /** For one connection. */
    public ForwardingSplitter(LargeMessageListener listener) {
        super(MAX_BYTES, 0, Integer.BYTES);
        this.listener = listener;
    }

    @Override
    protected Object decode(ChannelHandlerContext context, ByteBuf in) throws Exception {
        Object message = super.decode(context, in);
        if (message != null) {
            if (isComing) {
                listener.ends();
                isComing = false;
            }
        } else if (!isComing && in.readableBytes() >= StreamWire.TASK_AT) {
            int messageBytes = Integer.BYTES + in.getInt(in.readerIndex());
            if (messageBytes > LARGE_BYTES && messageBytes <= MAX_BYTES) {
                isComing = true;
                listener.begins(messageBytes, in.getInt(in.readerIndex() + StreamWire.HEAD_BYTES));
            }
        }
        return message;
    }

    /** The superclass would read on until it had a message, although the listener has stopped that. */
    @Override
    public void channelReadComplete(ChannelHandlerContext context) {
        discardSomeReadBytes();
        context.fireChannelReadComplete();
    }

    @Override
    protected ByteBuf extractFrame(ChannelHandlerContext context, ByteBuf buffer, int index, int length) {
        return length < buffer.capacity() / 2 ? context.alloc().directBuffer(length).writeBytes(buffer, index, length)
            : buffer.retainedSlice(index, length);
    }
}
