package io.eyewall.client.frame;

import io.eyewall.client.seam.BatchedMessages;
import java.util.ArrayList;
import java.util.List;
import org.apache.storm.messaging.TaskMessage;
import org.apache.storm.messaging.netty.BackPressureStatus;
import org.apache.storm.messaging.netty.ControlMessage;
import org.apache.storm.messaging.netty.INettySerializable;
import org.apache.storm.shade.io.netty.buffer.ByteBuf;
import org.apache.storm.shade.io.netty.channel.ChannelDuplexHandler;
import org.apache.storm.shade.io.netty.channel.ChannelHandlerContext;
import org.apache.storm.shade.io.netty.channel.ChannelPromise;
import org.apache.storm.shade.io.netty.util.concurrent.Future;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lets frames into a connection of Storm's Netty transport once its other end has said that it reads them. Until then each tuple leaves as
 * a message of upstream's. Belongs to one channel: the next one to the same address may lead to another worker. For that channel's thread.
 */
public final class FrameGate extends ChannelDuplexHandler {

    private static final Logger LOG = LoggerFactory.getLogger(FrameGate.class);

    /** The name of Storm's last handler in the channel, before which this one belongs. */
    public static final String BEFORE = "handler";

    private boolean open;
    private FrameSplitter splitter;

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        if (!open && message instanceof BackPressureStatus status) {
            open = FrameAgreement.isAnnouncedBy(status);
            if (open) {
                LOG.info("Tuples go in frames to the worker at {}", context.channel().remoteAddress());
            }
        }
        context.fireChannelRead(message);
    }

    @Override
    public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {
        Object written = !open && message instanceof BatchedMessages batch ? withoutFrames(message, batch.getMsgs()) : message;
        Future<Void> unused = context.write(written, promise); // Whoever has the promise learns of the outcome.
    }

    private Object withoutFrames(Object batch, List<TaskMessage> messages) {
        if (messages.stream().noneMatch(FrameMessage.class::isInstance)) {
            return batch;
        }
        List<TaskMessage> split = new ArrayList<>();
        for (TaskMessage message : messages) {
            if (message instanceof FrameMessage frame) {
                if (splitter == null) {
                    splitter = frame.newSplitter();
                }
                split.addAll(splitter.split(frame));
            } else {
                split.add(message);
            }
        }
        return new SplitBatch(split);
    }

    /** Messages as upstream's batches have them. */
    private record SplitBatch(List<TaskMessage> messages) implements INettySerializable {

        private static final int HEAD_BYTES = Short.BYTES + Integer.BYTES;

        @Override
        public int encodeLength() {
            return messages.stream().mapToInt(message -> HEAD_BYTES + message.message().length).sum()
                + ControlMessage.EOB_MESSAGE.encodeLength();
        }

        @Override
        public void write(ByteBuf to) {
            for (TaskMessage message : messages) {
                to.writeShort(message.task());
                to.writeInt(message.message().length);
                to.writeBytes(message.message());
            }
            ControlMessage.EOB_MESSAGE.write(to);
        }
    }
}
