package io.eyewall.client.stream.wire;

import io.eyewall.client.engine.EngineConfiguration;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.apache.storm.shade.io.netty.buffer.ByteBuf;
import org.apache.storm.shade.io.netty.channel.Channel;
import org.apache.storm.shade.io.netty.channel.ChannelHandlerContext;
import org.apache.storm.shade.io.netty.channel.ChannelPipeline;
import org.apache.storm.shade.io.netty.channel.SimpleChannelInboundHandler;
import org.apache.storm.shade.io.netty.util.concurrent.Future;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How an instance begins a connection: it says who it is, and may offer rings in shared memory. If the stream manager takes them, they
 * carry everything else; if it does not, or if there is no shared memory, the socket does. Each connection has rings of its own. For one
 * thread.
 */
public final class Introduction {

    private static final Logger LOG = LoggerFactory.getLogger(Introduction.class);

    private final int instance;
    private final Set<Integer> tasks;
    private final String secret;
    private final Optional<Path> sharedMemory;
    private boolean hasWarned;

    /** {@code sharedMemory} is where rings are made; empty if the instance offers none. */
    public Introduction(int instance, Set<Integer> tasks, String secret, Optional<Path> sharedMemory) {
        this.instance = instance;
        this.tasks = Set.copyOf(tasks);
        this.secret = secret;
        this.sharedMemory = sharedMemory;
    }

    /**
     * Takes the place of all handlers of a new socket.
     *
     * @param begins gets the channel for everything else, which has a {@linkplain StreamWire#splitter() splitter}
     * @param ends called if the socket ends before that
     */
    public void to(ChannelPipeline socket, Consumer<Channel> begins, Runnable ends) {
        socket.addLast(StreamWire.splitter(), new Handler(begins, ends));
    }

    /** Null if there is no shared memory, or it is not to be used. */
    private RingPair rings() {
        try {
            return sharedMemory.isPresent() ? RingPair.create(sharedMemory.get()) : null;
        } catch (IOException e) {
            if (!hasWarned) {
                hasWarned = true;
                LOG.warn("There is no shared memory for tuples in {}. They go over the socket of the stream manager. Make it larger, or"
                    + " set {} to off.", sharedMemory.get(), EngineConfiguration.SHARED_MEMORY, e);
            }
            return null;
        }
    }

    private final class Handler extends SimpleChannelInboundHandler<ByteBuf> {

        private final Consumer<Channel> begins;
        private final Runnable ends;
        /** Null if there are none, or they were taken or refused. */
        private RingPair offered;

        Handler(Consumer<Channel> begins, Runnable ends) {
            this.begins = begins;
            this.ends = ends;
        }

        @Override
        public void channelActive(ChannelHandlerContext context) {
            offered = rings();
            Hello hello = new Hello(instance, tasks, secret, offered == null ? "" : offered.name());
            Future<Void> unused = context.writeAndFlush(StreamWire.message(context.alloc(), hello));
            if (offered == null) {
                begin(context);
            }
        }

        @Override
        protected void channelRead0(ChannelHandlerContext context, ByteBuf message) throws WireException {
            byte type = StreamWire.type(message);
            if (type == StreamWire.RINGS_TAKEN) {
                RingChannel channel = RingChannel.over(context.channel(), offered);
                offered = null;
                LOG.info("Tuples go through shared memory to the stream manager.");
                channel.pipeline().addLast(StreamWire.splitter());
                begins.accept(channel);
            } else if (type == StreamWire.RINGS_REFUSED) {
                giveUp();
                begin(context);
            } else {
                throw new WireException("The stream manager has answered a greeting with a message of type " + type + ".");
            }
        }

        private void begin(ChannelHandlerContext context) {
            context.pipeline().remove(this);
            begins.accept(context.channel());
        }

        private void giveUp() {
            if (offered != null) {
                offered.close();
                offered = null;
            }
        }

        @Override
        public void channelInactive(ChannelHandlerContext context) {
            giveUp();
            ends.run();
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            LOG.warn("Closing the connection to the stream manager", cause);
            Future<Void> unused = context.close();
        }
    }
}
