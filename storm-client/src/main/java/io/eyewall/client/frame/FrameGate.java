package io.eyewall.client.frame;

import io.eyewall.client.ring.RingPlace;
import io.eyewall.client.seam.BatchedMessages;
import io.eyewall.client.seam.ConnectionCounters;
import io.eyewall.client.seam.TupleLimit;
import io.eyewall.client.security.SecurityConfiguration;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.SocketAddress;
import java.net.SocketException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
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
 * a message of upstream's. It also offers a ring in shared memory to a worker of the same host, if this worker asks for one. Belongs to one
 * channel: the next one to the same address may lead to another worker. For that channel's thread.
 */
public final class FrameGate extends ChannelDuplexHandler {

    private static final Logger LOG = LoggerFactory.getLogger(FrameGate.class);

    private static final int ACCEPTED_WITHIN_SECS = 10;
    /** How often a connection that is to be closed looks for space in its ring, once in a millisecond: as long as upstream's waits. */
    private static final int MAX_LOOKS = 600_000;
    /** Whether this process has said that there is no shared memory. */
    private static final AtomicBoolean WARNED = new AtomicBoolean();

    /** The name of Storm's last handler in the channel, before which this one belongs. */
    public static final String BEFORE = "handler";

    private final Path memory;
    private boolean open;
    private boolean peerSharesMemory;
    /** Null until this worker asks for a ring, and the other one takes offers. */
    private RingSender ring;
    private RingRequest request;
    /** Whether messages to this channel go into the ring. */
    private boolean switched;
    private FrameSplitter splitter;
    private int looks;

    /** {@code memory} is the folder for rings, which this worker makes: {@link RingPlace#SHARED_MEMORY}, or another one in a test. */
    public FrameGate(Path memory) {
        this.memory = memory;
    }

    /**
     * How long a tuple may be that goes to another worker over such connections, so that the other worker takes its frame.
     *
     * @param frameBytes a frame of this size takes no more tuples
     */
    public static TupleLimit tupleLimit(Map<String, Object> topologyConf, int frameBytes) {
        int mostBytes = Math.toIntExact(new SecurityConfiguration(topologyConf).maxMessageBytes());
        return new TupleLimit(mostBytes - frameBytes, "a connection between workers", "raise " + SecurityConfiguration.MAX_MESSAGE_BYTES);
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        if (!open && message instanceof BackPressureStatus status) {
            open = FrameAgreement.isAnnouncedBy(status);
            if (open) {
                peerSharesMemory = FrameAgreement.sharesMemory(status);
                LOG.info("Tuples go in frames to the worker at {}", context.channel().remoteAddress());
                if (request != null) {
                    answer(context);
                }
            }
        }
        context.fireChannelRead(message);
    }

    @Override
    public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {
        Object written = message;
        if (message instanceof BatchedMessages batch) {
            if (switched) {
                ring.forward(batch.getMsgs());
                promise.trySuccess();
                return;
            }
            List<TaskMessage> messages = withoutRequests(context, batch.getMsgs(), promise);
            written = messages == batch.getMsgs() ? message : new SplitBatch(messages);
            if (!open) {
                written = withoutFrames(written, messages);
            }
        }
        Future<Void> unused = context.write(written, promise); // Whoever has the promise learns of the outcome.
    }

    /**
     * Answers a request for a ring, and looks for the message that is the last one over the channel. If that message was meant for the
     * channel before, whose ring is gone with it, it is not sent.
     */
    private List<TaskMessage> withoutRequests(ChannelHandlerContext context, List<TaskMessage> messages, ChannelPromise promise) {
        TaskMessage last = messages.isEmpty() ? null : messages.get(messages.size() - 1);
        if (last instanceof RingLinks.Switch change) {
            discount(change.sender().counters(), promise);
            if (change.sender() == ring) {
                switched = true;
                return messages;
            }
        } else if (last instanceof RingRequest asked) {
            discount(asked.counters(), promise);
            hold(context, asked);
        } else {
            return messages;
        }
        return messages.subList(0, messages.size() - 1);
    }

    /** Takes back that the connection counts a message of this package's when its batch has left or is lost. */
    private static void discount(ConnectionCounters counters, ChannelPromise promise) {
        ChannelPromise unused = promise.addListener(written ->
            (written.isSuccess() ? counters.getMessagesSent() : counters.getMessagesLost()).decrementAndGet());
    }

    /** A request that comes when the channel is ending is one for the next channel. */
    private void hold(ChannelHandlerContext context, RingRequest asked) {
        if (!context.channel().isActive()) {
            return;
        }
        asked.hold(this);
        if (request == null) {
            request = asked;
            if (open) {
                answer(context);
            }
        }
    }

    /** Offers a ring to the other worker, if that takes offers; once. */
    private void answer(ChannelHandlerContext context) {
        if (!peerSharesMemory || !isLocal(context.channel().remoteAddress())) {
            return;
        }
        try {
            ring = RingSender.create(memory, request.counters(), new RingOwner(context));
            request.answer(this, ring);
            Future<?> unused = context.executor().schedule(this::withdrawUnaccepted, ACCEPTED_WITHIN_SECS, TimeUnit.SECONDS);
            Future<Void> unusedToo = context.writeAndFlush(new SplitBatch(List.of(ring.offer()))); // Lost only with the channel.
        } catch (IOException e) {
            if (!WARNED.getAndSet(true)) {
                LOG.warn("There is no shared memory for frames in {}. They go over the network. Make it larger, or set {} to off.",
                    memory, "topology.transfer.shared.memory", e);
            }
        }
    }

    /** The other worker may be in another container, which shares the network with this one and no memory. */
    private void withdrawUnaccepted() {
        if (ring != null && ring.withdraw()) {
            request.answer(this, null);
            ring = null;
        }
    }

    private static boolean isLocal(SocketAddress remote) {
        try {
            return remote instanceof InetSocketAddress inet
                && (inet.getAddress().isLoopbackAddress() || NetworkInterface.getByInetAddress(inet.getAddress()) != null);
        } catch (SocketException e) {
            return false; // Without a list of its interfaces, this host knows none of its addresses.
        }
    }

    /** Before the connection closes, it sends the messages that wait for space. If the other worker has ended, so has the channel. */
    @Override
    public void close(ChannelHandlerContext context, ChannelPromise promise) {
        if (ring != null && ring.isBehind() && context.channel().isActive() && looks++ < MAX_LOOKS) {
            ring.catchUp();
            Future<?> unused = context.executor().schedule(() -> close(context, promise), 1, TimeUnit.MILLISECONDS);
        } else {
            Future<Void> unused = context.close(promise); // Whoever has the promise learns of the outcome.
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        if (ring != null) {
            ring.close();
        }
        if (request != null) {
            request.release(this);
        }
        context.fireChannelInactive();
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

    /** What this channel does for its ring. */
    private record RingOwner(ChannelHandlerContext context) implements RingSender.Owner {

        @Override
        public void broken() {
            Future<Void> unused = context.close(); // Storm connects anew.
        }

        @Override
        public void behind(BooleanSupplier catchesUp) {
            try {
                Future<?> unused = context.executor().schedule(() -> {
                    if (!catchesUp.getAsBoolean()) {
                        behind(catchesUp);
                    }
                }, 1, TimeUnit.MILLISECONDS);
            } catch (RejectedExecutionException e) {
                LOG.debug("The thread of the ring's channel has ended, and the channel with it.", e);
            }
        }
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
