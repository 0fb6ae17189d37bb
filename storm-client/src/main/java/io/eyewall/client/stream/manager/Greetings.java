package io.eyewall.client.stream.manager;

import io.eyewall.client.ring.RingPlace;
import io.eyewall.client.stream.wire.Hello;
import io.eyewall.client.stream.wire.RingChannel;
import io.eyewall.client.stream.wire.RingPair;
import io.eyewall.client.stream.wire.StreamWire;
import io.eyewall.client.stream.wire.WireException;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import org.apache.storm.shade.io.netty.buffer.ByteBuf;
import org.apache.storm.shade.io.netty.channel.Channel;
import org.apache.storm.shade.io.netty.channel.ChannelHandlerContext;
import org.apache.storm.shade.io.netty.channel.SimpleChannelInboundHandler;
import org.apache.storm.shade.io.netty.util.concurrent.Future;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How connections to a stream manager begin: whoever connects shows soon who it is and that it has the secret of the container, or is
 * refused. If it offers rings in shared memory, they carry everything else. Used by one thread.
 */
final class Greetings {

    /** The handler in front of the others, in the channel that carries everything after the greeting. */
    static final String SPLITTER = "splitter";

    private static final Logger LOG = LoggerFactory.getLogger(Greetings.class);
    private static final int GREETING_SECS = 10;

    private final String secret;
    /** What is logged at every doubling of its count. */
    private long refused;
    private long unopened;

    /** {@code secret} is what instances must have. */
    Greetings(String secret) {
        this.secret = secret;
    }

    /** Takes the place of all handlers of a new socket; {@code known} gets each instance, with the channel that it comes over. */
    void await(Channel socket, BiConsumer<Hello, Channel> known) {
        socket.pipeline().addLast(SPLITTER, StreamWire.greetingSplitter()).addLast(new Handler(known));
    }

    /** Closes a connection that does what it must not. */
    void refuse(Channel channel, String who, String reason) {
        if (Long.bitCount(++refused) == 1) {
            LOG.warn("Closing the connection of {}, number {} by now. {}", who, refused, reason);
        }
        Future<Void> unused = channel.close();
    }

    /** The rings that an instance offers, or its socket. */
    private Channel channel(Channel socket, Hello hello) {
        if (hello.rings().isEmpty()) {
            return socket;
        }
        try {
            RingPair rings = RingPair.open(RingPlace.SHARED_MEMORY, hello.rings());
            Future<Void> unused = socket.writeAndFlush(StreamWire.answer(socket.alloc(), true));
            Channel channel = RingChannel.over(socket, rings);
            channel.pipeline().addLast(SPLITTER, StreamWire.splitter());
            return channel;
        } catch (IOException e) {
            if (Long.bitCount(++unopened) == 1) {
                LOG.warn("Cannot open the shared memory of instance {}, number {} by now. Its tuples come over its socket.",
                    hello.instance(), unopened, e);
            }
            Future<Void> unused = socket.writeAndFlush(StreamWire.answer(socket.alloc(), false));
            return socket;
        }
    }

    private final class Handler extends SimpleChannelInboundHandler<ByteBuf> {

        private final BiConsumer<Hello, Channel> known;
        /** Refuses the connection unless a greeting has come. */
        private Future<?> limit;

        Handler(BiConsumer<Hello, Channel> known) {
            this.known = known;
        }

        @Override
        public void channelActive(ChannelHandlerContext context) {
            limit = context.executor().schedule(() -> refuse(context, "It has not said who it is."), GREETING_SECS, TimeUnit.SECONDS);
        }

        @Override
        protected void channelRead0(ChannelHandlerContext context, ByteBuf message) throws WireException {
            Hello hello = StreamWire.type(message) == StreamWire.HELLO ? Hello.read(StreamWire.content(message)) : null;
            if (hello == null || !hello.knows(secret)) {
                refuse(context, "It does not know the secret of this container.");
                return;
            }
            limit.cancel(false);
            Channel channel = channel(context.channel(), hello);
            if (channel == context.channel()) {
                context.pipeline().remove(this);
            }
            known.accept(hello, channel);
        }

        private void refuse(ChannelHandlerContext context, String reason) {
            Greetings.this.refuse(context.channel(), "a process on this host", reason);
        }

        @Override
        public void channelInactive(ChannelHandlerContext context) {
            limit.cancel(false);
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            refuse(context, cause.toString());
        }
    }
}
