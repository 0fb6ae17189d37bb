package io.eyewall.client.stream.instance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.eyewall.client.seam.DrainableTransport.Drain;
import io.eyewall.client.stream.plan.Instance;
import io.eyewall.client.stream.slot.ParentContainer.Leave;
import io.eyewall.client.stream.wire.DomainSockets;
import io.eyewall.client.stream.wire.InstanceStatus;
import io.eyewall.client.stream.wire.Moves;
import io.eyewall.client.stream.wire.StreamWire;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.apache.storm.messaging.netty.BackPressureStatus;
import org.apache.storm.shade.io.netty.bootstrap.ServerBootstrap;
import org.apache.storm.shade.io.netty.buffer.ByteBuf;
import org.apache.storm.shade.io.netty.channel.Channel;
import org.apache.storm.shade.io.netty.channel.ChannelHandlerContext;
import org.apache.storm.shade.io.netty.channel.ChannelInitializer;
import org.apache.storm.shade.io.netty.channel.EventLoopGroup;
import org.apache.storm.shade.io.netty.channel.MultiThreadIoEventLoopGroup;
import org.apache.storm.shade.io.netty.channel.SimpleChannelInboundHandler;
import org.apache.storm.shade.io.netty.util.concurrent.Future;
import org.apache.storm.utils.Utils;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** When an instance leaves, at a socket at which the test is the stream manager. */
class StreamTransportTest {

    private static final int OWN = 1;
    private static final int SENDER = 2;
    private static final int WAIT_SECS = 120;
    private static final InstanceStatus ALONE = new InstanceStatus(Set.of(OWN), Set.of(), Map.of());

    private final EventLoopGroup loop = new MultiThreadIoEventLoopGroup(1, DomainSockets.ioHandlerFactory());
    private final BlockingQueue<Channel> accepted = new LinkedBlockingQueue<>();
    private final BlockingQueue<InstanceStatus> reports = new LinkedBlockingQueue<>();
    private final AtomicInteger leaves = new AtomicInteger();
    private final Executors executors = new Executors();
    private volatile Leave when = Leave.BEHIND_ALL;
    private StreamTransport transport;
    private Channel manager;

    @BeforeEach
    void connect(@TempDir Path directory) throws Exception {
        Path socket = directory.resolve("s");
        Channel listener = new ServerBootstrap().group(loop).channel(DomainSockets.serverType()).childHandler(new ChannelInitializer<>() {
            @Override
            protected void initChannel(Channel made) {
                made.pipeline().addLast(StreamWire.splitter(), new Manager());
                accepted.add(made);
            }
        }).bind(DomainSockets.address(socket)).sync().channel();
        assertTrue(listener.isActive());
        transport = new StreamTransport(socket, new Instance(OWN, "bolt", List.of(List.of(1L, 1L))), "s".repeat(64), directory, false);
        transport.prepare(Utils.readDefaultConfig());
        transport.bind("topology", 0, messages -> { }, () -> new BackPressureStatus("worker", new ArrayList<>(), new ArrayList<>()));
        transport.drainedBy(executors);
        manager = accepted.poll(WAIT_SECS, TimeUnit.SECONDS);
    }

    @AfterEach
    void close() throws InterruptedException {
        transport.term();
        Future<?> unused = loop.shutdownGracefully(0, WAIT_SECS, TimeUnit.SECONDS).sync();
    }

    @Test
    void shouldLeaveWhenNothingIsLeftInItsLoop() throws Exception {
        transport.isAssigned(Set.of(OWN), Set.of(SENDER), true);
        send(new InstanceStatus(Set.of(OWN, SENDER), Set.of(), Map.of()));
        executors.areAtRest = true;
        CompletableFuture<Void> left = leave();
        send(ALONE);
        assertEquals(Map.of(OWN, 0L), awaitRest());
        assertEquals(Map.of(OWN, 0L), awaitRest(), "the stream manager may have seen a tuple meanwhile");
        assertEquals(0, leaves.get());
        assertFalse(executors.haveEnded);

        send(new InstanceStatus(Set.of(OWN), Moves.ofRest(OWN, 0), Set.of(), Set.of(), Map.of()));

        left.get(WAIT_SECS, TimeUnit.SECONDS);
        assertEquals(2, leaves.get());
        assertTrue(executors.haveEnded);
    }

    @Test
    void shouldNotWaitForItsLoopWhenTheTimeForOthersIsOver() throws Exception {
        transport.isAssigned(Set.of(OWN), Set.of(SENDER), true);
        send(ALONE);
        executors.areAtRest = true;
        CompletableFuture<Void> left = leave();
        assertEquals(Map.of(OWN, 0L), awaitRest());

        when = Leave.BEHIND_CONTAINER;

        left.get(WAIT_SECS, TimeUnit.SECONDS);
        assertTrue(executors.haveEnded);
    }

    @Test
    void shouldNotWaitForItsLoopWhenItMoves() throws Exception {
        transport.isAssigned(Set.of(OWN), Set.of(), true);
        send(ALONE);
        when = Leave.NOW;

        leave().get(WAIT_SECS, TimeUnit.SECONDS);

        assertEquals(0, executors.looks.get());
    }

    @Test
    void shouldNotWaitForALoopThatItIsNotIn() throws Exception {
        transport.isAssigned(Set.of(OWN), Set.of(SENDER), false);
        send(ALONE);

        leave().get(WAIT_SECS, TimeUnit.SECONDS);

        assertEquals(0, executors.looks.get());
    }

    private CompletableFuture<Void> leave() {
        return CompletableFuture.runAsync(() -> {
            try {
                transport.leave(() -> when);
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        });
    }

    private void send(InstanceStatus status) throws InterruptedException {
        Future<Void> unused = manager.writeAndFlush(StreamWire.message(manager.alloc(), status)).sync();
    }

    private Map<Integer, Long> awaitRest() throws InterruptedException {
        InstanceStatus next;
        do {
            next = reports.poll(WAIT_SECS, TimeUnit.SECONDS);
        } while (next != null && next.moves().resting().isEmpty());
        return next == null ? Map.of() : next.moves().resting();
    }

    /** Lets the instance leave as soon as it asks. */
    private final class Manager extends SimpleChannelInboundHandler<ByteBuf> {
        @Override
        protected void channelRead0(ChannelHandlerContext context, ByteBuf message) throws Exception {
            if (StreamWire.type(message) == StreamWire.STATUS) {
                reports.add(InstanceStatus.read(StreamWire.content(message)));
            } else if (StreamWire.type(message) == StreamWire.LEAVE && leaves.incrementAndGet() == 1) {
                Future<Void> unused = context.writeAndFlush(StreamWire.leave(context.alloc()));
            } else if (StreamWire.type(message) == StreamWire.LEAVE) {
                Future<Void> unused = context.close();
            }
        }
    }

    /** The instance has none. */
    private static final class Executors implements Drain {

        private final AtomicInteger looks = new AtomicInteger();
        private volatile boolean areAtRest;
        private volatile boolean haveEnded;

        @Override
        public void stopSpouts(BooleanSupplier mayWait) {
            // There are none.
        }

        @Override
        public boolean areAtRest() {
            looks.incrementAndGet();
            return areAtRest;
        }

        @Override
        public int end() {
            haveEnded = true;
            return 0;
        }
    }
}
