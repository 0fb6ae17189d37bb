package io.eyewall.client.stream.manager;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.eyewall.client.stream.wire.DomainSockets;
import io.eyewall.client.stream.wire.InstanceStatus;
import io.eyewall.client.stream.wire.Introduction;
import io.eyewall.client.stream.wire.StreamWire;
import java.nio.file.Path;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.apache.storm.messaging.TaskMessage;
import org.apache.storm.shade.io.netty.bootstrap.Bootstrap;
import org.apache.storm.shade.io.netty.buffer.ByteBuf;
import org.apache.storm.shade.io.netty.buffer.ByteBufUtil;
import org.apache.storm.shade.io.netty.buffer.Unpooled;
import org.apache.storm.shade.io.netty.channel.Channel;
import org.apache.storm.shade.io.netty.channel.ChannelHandlerContext;
import org.apache.storm.shade.io.netty.channel.ChannelInitializer;
import org.apache.storm.shade.io.netty.channel.EventLoopGroup;
import org.apache.storm.shade.io.netty.channel.SimpleChannelInboundHandler;
import org.apache.storm.shade.io.netty.util.concurrent.Future;

/** The end of a connection at which an instance is. */
class ConnectedInstance {

    private static final int WAIT_SECS = 120;
    static final int MESSAGE_BYTES = 64 << 10;

    final BlockingQueue<ByteBuf> tuples = new LinkedBlockingQueue<>();
    /** What carries everything after the greeting; the socket if it ends before. */
    final Channel channel;
    private final BlockingQueue<InstanceStatus> statuses = new LinkedBlockingQueue<>();

    /** Connects to a stream manager's socket, and introduces itself. */
    ConnectedInstance(EventLoopGroup loops, Path socket, Introduction introduction) throws Exception {
        CompletableFuture<Channel> begun = new CompletableFuture<>();
        Channel made = connect(loops, socket, channel -> introduction.to(channel.pipeline(), next -> {
            next.pipeline().addLast(new Reader());
            begun.complete(next);
        }, () -> begun.complete(channel)));
        assertTrue(made != null);
        channel = begun.get(WAIT_SECS, TimeUnit.SECONDS);
    }

    /** The same without a greeting. */
    ConnectedInstance(EventLoopGroup loops, Path socket) throws Exception {
        channel = connect(loops, socket, made -> made.pipeline().addLast(StreamWire.splitter(), new Reader()));
    }

    private static Channel connect(EventLoopGroup loops, Path socket, Consumer<Channel> prepare) throws InterruptedException {
        return new Bootstrap().group(loops).channel(DomainSockets.clientType()).handler(new ChannelInitializer<>() {
            @Override
            protected void initChannel(Channel made) {
                prepare.accept(made);
            }
        }).connect(DomainSockets.address(socket)).sync().channel();
    }

    void send(ByteBuf message) throws InterruptedException {
        Future<?> unused = channel.writeAndFlush(message).sync();
    }

    /** Sends as fast as the other end takes it. */
    void sendLater(int target, int messages) {
        for (int i = 0; i < messages; i++) {
            Future<?> unused = channel.writeAndFlush(StreamWire.message(channel.alloc(), target,
                new TaskMessage(5, new byte[MESSAGE_BYTES])));
        }
    }

    void awaitTuples(int messages) throws InterruptedException {
        for (int i = 0; i < messages; i++) {
            awaitTuples();
        }
    }

    void awaitReachable(int task) throws InterruptedException {
        await(status -> status.tasks().contains(task));
    }

    void await(Predicate<InstanceStatus> condition) throws InterruptedException {
        InstanceStatus status;
        do {
            status = statuses.poll(WAIT_SECS, TimeUnit.SECONDS);
            assertTrue(status != null, "no such status has come");
        } while (!condition.test(status));
    }

    ByteBuf awaitTuples() throws InterruptedException {
        ByteBuf message = tuples.poll(WAIT_SECS, TimeUnit.SECONDS);
        assertTrue(message != null, "no tuples have come");
        return message;
    }

    void awaitClosed() throws InterruptedException {
        assertTrue(channel.closeFuture().await(WAIT_SECS, TimeUnit.SECONDS), "the connection is still open");
    }

    private final class Reader extends SimpleChannelInboundHandler<ByteBuf> {
        @Override
        protected void channelRead0(ChannelHandlerContext context, ByteBuf message) throws Exception {
            if (StreamWire.type(message) == StreamWire.STATUS) {
                statuses.add(InstanceStatus.read(StreamWire.content(message)));
            } else {
                tuples.add(Unpooled.wrappedBuffer(ByteBufUtil.getBytes(message)));
            }
        }
    }
}
