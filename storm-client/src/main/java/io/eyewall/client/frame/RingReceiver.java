package io.eyewall.client.frame;

import io.eyewall.client.ring.RingPlace;
import io.eyewall.client.ring.SharedRing;
import io.eyewall.client.security.BoundedDecoder;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.storm.messaging.TaskMessage;
import org.apache.storm.messaging.netty.BackPressureStatus;
import org.apache.storm.shade.io.netty.bootstrap.Bootstrap;
import org.apache.storm.shade.io.netty.buffer.ByteBuf;
import org.apache.storm.shade.io.netty.channel.ChannelDuplexHandler;
import org.apache.storm.shade.io.netty.channel.ChannelFuture;
import org.apache.storm.shade.io.netty.channel.ChannelHandlerContext;
import org.apache.storm.shade.io.netty.channel.ChannelPromise;
import org.apache.storm.shade.io.netty.channel.SimpleChannelInboundHandler;
import org.apache.storm.shade.io.netty.channel.epoll.EpollDomainSocketChannel;
import org.apache.storm.shade.io.netty.channel.unix.DomainSocketAddress;
import org.apache.storm.shade.io.netty.util.concurrent.Future;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The reading end of a ring, in a channel that another worker has made. It takes offers once this worker has said on the channel that it
 * does, which is after authentication where that is on. Messages out of the ring go on through the channel's handlers like those that came
 * over it. When the other worker ends, what is in the ring is read before the channel ends. When this worker closes the channel, neither
 * the rest of the ring nor that of the channel is read. For the channel's thread, which the doorbell wakes, too.
 */
public final class RingReceiver extends ChannelDuplexHandler {

    private static final Logger LOG = LoggerFactory.getLogger(RingReceiver.class);
    /** After so many bytes the thread serves its other channels. */
    private static final int TURN_BYTES = 1024 * 1024;

    private final byte[] headBytes = new byte[RingSender.HEAD_BYTES];
    private final ByteBuffer head = ByteBuffer.wrap(headBytes);
    private boolean takesOffers;
    /** Null until an offer was taken, and when the channel has ended. */
    private SharedRing ring;
    private ChannelFuture bell;
    private long maxMessageBytes;
    /** Whether messages come out of the ring. */
    private boolean switched;
    /** Whether the ring has its next turn to come. The bell need not begin another one. */
    private boolean isTurnDue;
    private int headRead;
    /** The message that is being read, or null, and how much of it was read. */
    private TaskMessage message;
    private int messageRead;

    @Override
    public void write(ChannelHandlerContext context, Object written, ChannelPromise promise) {
        if (!takesOffers && written instanceof BackPressureStatus status) {
            takesOffers = FrameAgreement.sharesMemory(status);
        }
        Future<Void> unused = context.write(written, promise); // Whoever has the promise learns of the outcome.
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object received) throws IOException {
        if (!takesOffers || switched || !(received instanceof List<?> messages)) {
            context.fireChannelRead(received);
            return;
        }
        List<Object> others = new ArrayList<>(messages.size());
        for (Object each : messages) {
            if (each instanceof TaskMessage offer && offer.task() == RingSender.OFFER_TASK) {
                take(context, offer.message() == null ? "" : new String(offer.message(), StandardCharsets.US_ASCII));
            } else if (each instanceof TaskMessage last && last.task() == RingSender.SWITCH_TASK) {
                switched = ring != null && bell.isSuccess();
            } else {
                others.add(each);
            }
        }
        if (!others.isEmpty()) {
            context.fireChannelRead(others);
        }
        if (switched) {
            drain(context);
        }
    }

    private void take(ChannelHandlerContext context, String name) {
        RingPlace place = bell == null ? RingPlace.find(RingPlace.SHARED_MEMORY, name).orElse(null) : null;
        if (place == null) {
            return; // Another host's, another container's, or a second one.
        }
        try {
            ring = SharedRing.open(place.ring());
        } catch (IOException e) {
            LOG.warn("Cannot map the ring of {}. Its frames come over the network.", context.channel().remoteAddress(), e);
            return;
        }
        maxMessageBytes = context.pipeline().get(BoundedDecoder.class).maxBytes();
        bell = new Bootstrap().group(context.channel().eventLoop()).channel(EpollDomainSocketChannel.class).handler(new Bell(context))
            .connect(new DomainSocketAddress(place.bell().toString()));
        Future<Void> unused = bell.addListener(connected -> {
            place.remove(); // Before the other worker learns that both have opened what is there.
            if (ring == null) {
                Future<Void> unusedToo = bell.channel().close(); // Nobody rings.
            } else if (connected.isSuccess()) {
                ring.attach();
                LOG.info("Frames come through shared memory from the worker at {}", context.channel().remoteAddress());
            } else {
                LOG.warn("Cannot reach the doorbell of {}. Its frames come over the network.", context.channel().remoteAddress(),
                    connected.cause());
                unmap();
            }
        });
    }

    private void unmap() {
        if (ring != null) {
            ring.close();
            ring = null;
        }
    }

    /**
     * Hands over what is in the ring, and sleeps when that is all. After many bytes others have a turn first: the next one of the ring is a
     * timer's and no task, since the loop carries out all tasks before it looks at its sockets.
     */
    private void drain(ChannelHandlerContext context) throws IOException {
        int readBytes = 0;
        do {
            readBytes += readAll(context);
            if (readBytes >= TURN_BYTES) {
                isTurnDue = true;
                Future<?> unused = context.channel().eventLoop().schedule(() -> turn(context), 0, TimeUnit.NANOSECONDS);
                return;
            }
        } while (switched && !ring.trySleep());
    }

    /** Hands over what is in the ring now; returns how many bytes it was. */
    private int readAll(ChannelHandlerContext context) throws IOException {
        List<Object> messages = new ArrayList<>();
        int all = ring.available();
        int left = all;
        while (left > 0) {
            left -= readSome(left, messages);
        }
        if (!messages.isEmpty()) {
            context.fireChannelRead(messages);
            context.fireChannelReadComplete();
        }
        return all;
    }

    private int readSome(int available, List<Object> messages) throws IOException {
        int length;
        if (message == null) {
            length = Math.min(available, RingSender.HEAD_BYTES - headRead);
            ring.read(headBytes, headRead, length);
            headRead += length;
            if (headRead < RingSender.HEAD_BYTES) {
                return length;
            }
            message = new TaskMessage(head.getInt(0), new byte[bounded(head.getInt(Integer.BYTES))]);
            headRead = 0;
            messageRead = 0;
        } else {
            length = Math.min(available, message.message().length - messageRead);
            ring.read(message.message(), messageRead, length);
            messageRead += length;
        }
        if (messageRead == message.message().length) {
            messages.add(message);
            message = null;
        }
        return length;
    }

    private int bounded(int lengthBytes) throws IOException {
        if (lengthBytes < 0 || lengthBytes > maxMessageBytes) {
            throw new IOException(BoundedDecoder.tooLong(lengthBytes, maxMessageBytes));
        }
        return lengthBytes;
    }

    private void turn(ChannelHandlerContext context) {
        isTurnDue = false;
        drainUnlessEnded(context);
    }

    /** Reads, unless the channel has ended or a turn is due anyway. A ring that is wrong ends it. */
    private void drainUnlessEnded(ChannelHandlerContext context) {
        if (!switched || isTurnDue) {
            return;
        }
        try {
            drain(context);
        } catch (IOException e) {
            switched = false; // After an error nothing in the ring can be trusted.
            context.fireExceptionCaught(e); // The next handler logs it and closes the channel.
        }
    }

    /** Reads what the other worker had written when it ended. */
    private void readRest(ChannelHandlerContext context) {
        try {
            while (switched && readAll(context) > 0) {
                LOG.debug("The worker at {} has ended, and left tuples in its ring.", context.channel().remoteAddress());
            }
        } catch (IOException e) {
            LOG.warn("What the worker at {} left in its ring cannot be read: {}", context.channel().remoteAddress(), e.getMessage());
        }
        switched = false;
    }

    /** This worker closes the channel, and reads no more. */
    @Override
    public void close(ChannelHandlerContext context, ChannelPromise promise) {
        switched = false;
        Future<Void> unused = context.close(promise); // Whoever has the promise learns of the outcome.
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        readRest(context);
        unmap();
        if (bell != null) {
            Future<Void> unused = bell.channel().close(); // It may be closed already.
        }
        context.fireChannelInactive();
    }

    /**
     * The doorbell's channel. It ends with the connection. If it ends earlier, so does a connection that has switched to the ring. Any
     * other may still bring messages, and the one that announces the switch.
     */
    private final class Bell extends SimpleChannelInboundHandler<ByteBuf> {

        private final ChannelHandlerContext connection;

        Bell(ChannelHandlerContext connection) {
            this.connection = connection;
        }

        @Override
        protected void channelRead0(ChannelHandlerContext context, ByteBuf rung) {
            drainUnlessEnded(connection);
        }

        @Override
        public void channelInactive(ChannelHandlerContext context) {
            if (switched) {
                readRest(connection);
                Future<Void> unused = connection.close(); // The other worker makes another connection, if it lives.
            }
        }
    }
}
