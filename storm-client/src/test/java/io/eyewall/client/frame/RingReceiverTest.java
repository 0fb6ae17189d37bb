package io.eyewall.client.frame;

import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.eyewall.client.engine.TransferLoop;
import io.eyewall.client.ring.RingPlace;
import io.eyewall.client.ring.SharedRing;
import io.eyewall.client.security.BoundedDecoder;
import io.eyewall.client.time.NanoClock;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.apache.storm.messaging.TaskMessage;
import org.apache.storm.messaging.netty.BackPressureStatus;
import org.apache.storm.serialization.KryoValuesDeserializer;
import org.apache.storm.shade.io.netty.bootstrap.ServerBootstrap;
import org.apache.storm.shade.io.netty.channel.Channel;
import org.apache.storm.shade.io.netty.channel.ChannelHandlerContext;
import org.apache.storm.shade.io.netty.channel.ChannelInboundHandlerAdapter;
import org.apache.storm.shade.io.netty.channel.ChannelInitializer;
import org.apache.storm.shade.io.netty.channel.ChannelOutboundHandlerAdapter;
import org.apache.storm.shade.io.netty.channel.ChannelPromise;
import org.apache.storm.shade.io.netty.channel.IoEventLoop;
import org.apache.storm.shade.io.netty.channel.IoHandlerFactory;
import org.apache.storm.shade.io.netty.channel.MultiThreadIoEventLoopGroup;
import org.apache.storm.shade.io.netty.channel.epoll.Epoll;
import org.apache.storm.shade.io.netty.channel.epoll.EpollIoHandler;
import org.apache.storm.shade.io.netty.channel.epoll.EpollServerDomainSocketChannel;
import org.apache.storm.shade.io.netty.channel.unix.DomainSocketAddress;
import org.apache.storm.shade.io.netty.util.ReferenceCountUtil;
import org.apache.storm.shade.io.netty.util.concurrent.Future;
import org.apache.storm.utils.Utils;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A ring that is never empty, since each message that is read brings another one, and a second connection of the same loop. */
@Timeout(60)
class RingReceiverTest {

    private static final Duration DEADLINE = Duration.ofSeconds(30);
    private static final int CAPACITY_BYTES = 256 * 1024;
    private static final int MESSAGE_BYTES = 32 * 1024;
    /** What the receiver reads before it gives others a turn: a mebibyte, and what the ring holds then. */
    private static final int TURN_BYTES = 1024 * 1024 + CAPACITY_BYTES;
    private static final int FED_BYTES = 64 * TURN_BYTES;

    @TempDir
    private Path folder;
    private final Loops loops = new Loops();
    private final BlockingQueue<Channel> accepted = new LinkedBlockingQueue<>();
    private final CompletableFuture<Void> end = new CompletableFuture<>();
    private final List<SocketChannel> sockets = new ArrayList<>();
    private RingPlace place;
    private SharedRing ring;
    private ServerSocketChannel bells;
    // For the loop, and for the test when the loop has ended.
    private int writtenBytes;
    private int readBytes;
    /** How much had come out of the ring at each turn of the other connection. */
    private final List<Integer> turns = new ArrayList<>();

    @BeforeEach
    void listen() throws Exception {
        assumeTrue(Epoll.isAvailable(), () -> "no native epoll: " + Epoll.unavailabilityCause());
        ServerBootstrap server = new ServerBootstrap().group(loops).channel(EpollServerDomainSocketChannel.class);
        Future<?> unused = server.childHandler(new ChannelInitializer<>() {
            @Override
            protected void initChannel(Channel channel) {
                channel.config().setAutoRead(false);
                accepted.add(channel);
            }
        }).bind(new DomainSocketAddress(folder.resolve("port").toString())).sync();
        place = RingPlace.create(RingPlace.SHARED_MEMORY);
        ring = SharedRing.create(place.ring(), CAPACITY_BYTES);
        bells = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        bells.bind(UnixDomainSocketAddress.of(place.bell()));
    }

    @AfterEach
    void close() throws Exception {
        endLoop();
        for (SocketChannel socket : sockets) {
            socket.close();
        }
        if (bells != null) {
            bells.close();
            ring.close();
            place.remove();
        }
    }

    @Test
    void shouldGiveOtherConnectionsATurnAfterEachOfItsOwn() throws Exception {
        SocketChannel toRing = connect();
        Channel fromRing = accepted.take();
        fromRing.pipeline().addLast(new Unwritten(), decoder(), new RingReceiver(), new Feeder());
        SocketChannel toOther = connect();
        Channel other = accepted.take();
        other.pipeline().addLast(new Other(toOther));
        other.config().setAutoRead(true);

        BackPressureStatus status = new BackPressureStatus("worker", List.of(), List.of());
        Future<?> unused = fromRing.writeAndFlush(FrameAgreement.announce(status, true)).sync();
        unused = fromRing.eventLoop().submit(() -> fromRing.pipeline().fireChannelRead(
            List.of(new TaskMessage(RingSender.OFFER_TASK, place.name().getBytes(StandardCharsets.US_ASCII))))).sync();
        SocketChannel bell = bells.accept();
        sockets.add(bell);
        Awaitility.await().atMost(DEADLINE).until(ring::isAttached);

        unused = fromRing.eventLoop().submit(() -> {
            feed();
            toOther.write(ByteBuffer.allocate(1));
            bell.write(ByteBuffer.allocate(1)); // It is heard while the next turn is due.
            return fromRing.pipeline().fireChannelRead(List.of(new TaskMessage(RingSender.SWITCH_TASK, new byte[0])));
        }).sync();
        end.get();
        endLoop();

        assertTrue(toRing.isOpen());
        turns.add(readBytes);
        int last = 0;
        for (int turn : turns) {
            assertTrue(turn - last <= TURN_BYTES, "the other connection waited while " + (turn - last) + " bytes were read");
            last = turn;
        }
    }

    private void endLoop() throws InterruptedException {
        Future<?> unused = loops.shutdownGracefully(0, 0, TimeUnit.SECONDS).sync();
    }

    private SocketChannel connect() throws IOException {
        SocketChannel socket = SocketChannel.open(UnixDomainSocketAddress.of(folder.resolve("port")));
        sockets.add(socket);
        return socket;
    }

    private static BoundedDecoder decoder() {
        Map<String, Object> conf = Utils.readDefaultConfig();
        return new BoundedDecoder(new KryoValuesDeserializer(conf), conf, false);
    }

    /** Fills the ring. */
    private void feed() throws IOException {
        while (writtenBytes - readBytes + MESSAGE_BYTES <= CAPACITY_BYTES && writtenBytes < FED_BYTES) {
            ByteBuffer message = ByteBuffer.allocate(MESSAGE_BYTES);
            message.putInt(1).putInt(MESSAGE_BYTES - RingSender.HEAD_BYTES).rewind();
            ring.write(message);
            writtenBytes += MESSAGE_BYTES;
        }
    }

    /** Takes what comes out of the ring, and fills it again. */
    private final class Feeder extends ChannelInboundHandlerAdapter {
        @Override
        public void channelRead(ChannelHandlerContext context, Object received) throws IOException {
            readBytes += ((List<?>) received).size() * MESSAGE_BYTES;
            feed();
            if (readBytes == FED_BYTES) {
                end.complete(null);
            }
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            end.completeExceptionally(cause);
        }
    }

    /** The other connection, which always has something to read. */
    private final class Other extends ChannelInboundHandlerAdapter {

        private final SocketChannel socket;

        Other(SocketChannel socket) {
            this.socket = socket;
        }

        @Override
        public void channelRead(ChannelHandlerContext context, Object received) throws IOException {
            ReferenceCountUtil.release(received);
            turns.add(readBytes);
            socket.write(ByteBuffer.allocate(1));
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            end.completeExceptionally(cause);
        }
    }

    /** Nobody reads what the receiver's channel writes. */
    private static final class Unwritten extends ChannelOutboundHandlerAdapter {
        @Override
        public void write(ChannelHandlerContext context, Object written, ChannelPromise promise) {
            ChannelPromise unused = promise.setSuccess();
        }
    }

    /** A single loop, as a worker has it. */
    private static final class Loops extends MultiThreadIoEventLoopGroup {

        Loops() {
            super(1, EpollIoHandler.newFactory());
        }

        @Override
        protected IoEventLoop newChild(Executor executor, IoHandlerFactory handlers, Object... arguments) {
            return new TransferLoop(this, executor, handlers, NanoClock.SYSTEM);
        }
    }
}
