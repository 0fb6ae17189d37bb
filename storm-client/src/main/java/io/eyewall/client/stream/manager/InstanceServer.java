package io.eyewall.client.stream.manager;

import io.eyewall.client.stream.wire.DomainSockets;
import io.eyewall.client.stream.wire.Hello;
import io.eyewall.client.stream.wire.InstanceStatus;
import io.eyewall.client.stream.wire.StreamWire;
import io.eyewall.client.stream.wire.WireException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.apache.storm.messaging.TaskMessage;
import org.apache.storm.shade.io.netty.bootstrap.ServerBootstrap;
import org.apache.storm.shade.io.netty.buffer.ByteBuf;
import org.apache.storm.shade.io.netty.channel.Channel;
import org.apache.storm.shade.io.netty.channel.ChannelHandlerContext;
import org.apache.storm.shade.io.netty.channel.ChannelInboundHandlerAdapter;
import org.apache.storm.shade.io.netty.channel.ChannelInitializer;
import org.apache.storm.shade.io.netty.channel.ChannelOption;
import org.apache.storm.shade.io.netty.channel.EventLoop;
import org.apache.storm.shade.io.netty.channel.WriteBufferWaterMark;
import org.apache.storm.shade.io.netty.util.ReferenceCountUtil;
import org.apache.storm.shade.io.netty.util.concurrent.Future;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The socket to which the instances of a container connect, and the way of tuples between them and to other containers.
 *
 * <p>An instance whose socket is full is congested, which {@link Router} turns into back-pressure. That takes effect a little later, so
 * there is a limit to what waits beyond which no instance of this container is read. An instance that is itself over the limit is read in
 * any case: it empties its input only if its output is taken.
 *
 * <p>Everything is done by the loop's thread, except {@link #deliver}.
 */
final class InstanceServer {

    private static final Logger LOG = LoggerFactory.getLogger(InstanceServer.class);

    /** When an instance counts as congested, and when no longer. */
    private static final WriteBufferWaterMark CONGESTED = new WriteBufferWaterMark(512 * 1024, 1024 * 1024);
    /** How much waits for an instance or another container before its senders are no longer read. */
    static final long MOST_BYTES = 32L << 20;
    private static final long LOOK_MS = 1;
    private static final int GREETING_SECS = 10;

    private final EventLoop loop;
    private final String secret;
    private final Containers containers;
    private final Map<Integer, Channel> channels = new ConcurrentHashMap<>();
    /** For the loop. */
    private final Set<Channel> unflushed = new HashSet<>();
    private Router router;
    private boolean pausing;
    private boolean isLookDue;
    /** How many threads wait in {@link #deliver}. */
    private final AtomicInteger waiting = new AtomicInteger();
    private Channel listener;

    /** {@code secret} is what instances must have; {@code containers} the way to the other containers. */
    InstanceServer(EventLoop loop, String secret, Containers containers) {
        this.loop = loop;
        this.secret = secret;
        this.containers = containers;
    }

    /** Begins to listen at a path, in a directory that only this user may enter. */
    void listen(Path socket, Router routes) throws IOException, InterruptedException {
        Files.deleteIfExists(socket);
        router = routes;
        listener = new ServerBootstrap().group(loop).channel(DomainSockets.serverType())
            .childOption(ChannelOption.WRITE_BUFFER_WATER_MARK, CONGESTED).childHandler(new ChannelInitializer<>() {
                @Override
                protected void initChannel(Channel channel) {
                    channel.pipeline().addLast("splitter", StreamWire.greetingSplitter());
                    channel.pipeline().addLast(new Connection());
                }
            }).bind(DomainSockets.address(socket)).sync().channel();
    }

    /** Closes the socket and all connections. */
    void close() {
        Future<Void> unused = listener.close();
        for (Channel channel : channels.values()) {
            unused = channel.close();
        }
    }

    /** Sends a status to an instance, if it is connected; on the loop. */
    void send(int instance, InstanceStatus status) {
        Channel channel = channels.get(instance);
        if (channel != null) {
            write(channel, StreamWire.message(channel.alloc(), status));
            flush();
        }
    }

    /**
     * Passes on what has come from another container, on a thread of that connection. It waits while too much waits for an instance, so
     * that the other container is not read meanwhile.
     *
     * @return how many messages were for instances that are not connected, and are dropped
     */
    int deliver(List<TaskMessage> messages) {
        int dropped = 0;
        Set<Channel> written = new HashSet<>();
        for (TaskMessage message : messages) {
            Channel channel = channels.get(message.task());
            if (channel == null) {
                dropped++;
                continue;
            }
            if (channel.bytesBeforeWritable() > MOST_BYTES) {
                written.forEach(Channel::flush);
                waiting.incrementAndGet();
                while (channel.bytesBeforeWritable() > MOST_BYTES && channel.isActive()) {
                    LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(LOOK_MS));
                }
                waiting.decrementAndGet();
            }
            Future<?> unused = channel.write(StreamWire.fromContainer(channel.alloc(), message));
            written.add(channel);
        }
        written.forEach(Channel::flush);
        return dropped;
    }

    /** Whether other containers are not read at the moment, so that their reports do not arrive; for any thread. */
    boolean isWaiting() {
        return waiting.get() > 0;
    }

    private void write(Channel channel, ByteBuf message) {
        Future<?> unused = channel.write(message); // What a channel cannot send is lost with its instance.
        unflushed.add(channel);
    }

    private void flush() {
        List<Channel> written = List.copyOf(unflushed);
        unflushed.clear();
        written.forEach(Channel::flush); // That may make a channel writable, and so send a status to others.
    }

    /** Stops reading from instances while something has too much to send. */
    private void limit() {
        boolean over = containers.isOver(MOST_BYTES) || channels.values().stream().anyMatch(InstanceServer::isOver);
        if (!over && !pausing) {
            return;
        }
        channels.values().forEach(channel -> channel.config().setAutoRead(!over || isOver(channel)));
        pausing = over;
        if (over && !isLookDue) {
            isLookDue = true;
            Future<?> unused = loop.schedule(() -> {
                isLookDue = false;
                limit();
            }, LOOK_MS, TimeUnit.MILLISECONDS);
        }
    }

    private static boolean isOver(Channel channel) {
        return channel.bytesBeforeWritable() > MOST_BYTES;
    }

    /** One instance's connection. */
    private final class Connection extends ChannelInboundHandlerAdapter {

        /** Its instance; 0 until it has shown who it is. */
        private int instance;

        @Override
        public void channelActive(ChannelHandlerContext context) {
            Future<?> unused = context.executor().schedule(() -> {
                if (instance == 0) {
                    refuse(context, "It has not said who it is.");
                }
            }, GREETING_SECS, TimeUnit.SECONDS);
        }

        @Override
        public void channelRead(ChannelHandlerContext context, Object read) throws WireException {
            ByteBuf message = (ByteBuf) read;
            boolean passedOn = false;
            try {
                byte type = StreamWire.type(message);
                if (instance == 0) {
                    greet(context, type, message);
                } else if (type == StreamWire.DATA) {
                    passedOn = pass(message);
                } else if (type == StreamWire.STATUS) {
                    router.reported(instance, InstanceStatus.read(StreamWire.content(message)));
                } else {
                    throw new WireException("A message of type " + type + ", which there is not.");
                }
            } finally {
                if (!passedOn) {
                    ReferenceCountUtil.release(message);
                }
            }
        }

        private void greet(ChannelHandlerContext context, byte type, ByteBuf message) throws WireException {
            Hello hello = type == StreamWire.HELLO ? Hello.read(StreamWire.content(message)) : null;
            if (hello == null || !hello.knows(secret)) {
                refuse(context, "It does not know the secret of this container.");
            } else if (!router.isOwn(hello.instance())) {
                refuse(context, "Instance " + hello.instance() + " is not assigned to this container.");
            } else {
                instance = hello.instance();
                context.pipeline().replace("splitter", "splitter", StreamWire.splitter());
                Channel before = channels.put(instance, context.channel());
                if (before != null) {
                    Future<Void> unused = before.close();
                }
                LOG.info("Instance {} has connected.", instance);
                router.connected(instance);
            }
        }

        private void refuse(ChannelHandlerContext context, String reason) {
            LOG.warn("Closing the connection of a process on this host. {}", reason);
            Future<Void> unused = context.close();
        }

        /** Passes tuples on; returns whether the buffer was passed on with them. */
        private boolean pass(ByteBuf message) throws WireException {
            int target = StreamWire.instance(message);
            Channel channel = channels.get(target);
            if (channel != null) {
                write(channel, message);
                return true;
            }
            if (router.isOwn(target) || !containers.send(router.home(target), message)) {
                containers.dropped(1);
            }
            return false;
        }

        @Override
        public void channelReadComplete(ChannelHandlerContext context) {
            flush();
            containers.flush();
            limit();
        }

        @Override
        public void channelWritabilityChanged(ChannelHandlerContext context) {
            if (instance != 0 && channels.get(instance) == context.channel()) {
                router.congested(instance, !context.channel().isWritable());
                limit();
            }
        }

        @Override
        public void channelInactive(ChannelHandlerContext context) {
            if (instance != 0 && channels.remove(instance, context.channel())) {
                LOG.info("Instance {} has disconnected.", instance);
                router.disconnected(instance);
                limit();
            }
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            LOG.warn("Closing the connection of instance {}: {}", instance, cause.toString());
            Future<Void> unused = context.close();
        }
    }
}
