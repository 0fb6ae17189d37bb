package io.eyewall.client.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.lang.reflect.Field;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.apache.storm.messaging.ConnectionWithStatus;
import org.apache.storm.messaging.IConnection;
import org.apache.storm.messaging.TaskMessage;
import org.apache.storm.messaging.netty.Context;
import org.apache.storm.metrics2.StormMetricRegistry;
import org.apache.storm.shade.io.netty.bootstrap.Bootstrap;
import org.apache.storm.shade.io.netty.channel.ChannelFuture;
import org.apache.storm.shade.io.netty.channel.ChannelInboundHandlerAdapter;
import org.apache.storm.shade.io.netty.channel.epoll.Epoll;
import org.apache.storm.shade.io.netty.channel.epoll.EpollServerSocketChannel;
import org.apache.storm.shade.io.netty.channel.epoll.EpollSocketChannel;
import org.apache.storm.shade.io.netty.channel.group.ChannelGroup;
import org.apache.storm.shade.io.netty.channel.nio.NioEventLoopGroup;
import org.apache.storm.shade.io.netty.channel.socket.nio.NioSocketChannel;
import org.apache.storm.shade.io.netty.util.concurrent.Future;
import org.apache.storm.utils.Utils;
import org.junit.jupiter.api.Test;

class NettyLoopsTest {

    private static final int TASK = 7;
    private static final long DEADLINE_SECS = 30;
    private static final List<String> TEXTS = List.of("one", "two", "three");

    /** Upstream's wait for two seconds at least. */
    @Test
    @SuppressWarnings("deprecation") // Upstream uses this type.
    void shouldEndBeforeUpstreamsWhichHaveAQuietPeriod() throws Exception {
        NioEventLoopGroup upstreams = new NioEventLoopGroup(1);
        NettyLoops loops = new NettyLoops(1, Thread::new);
        AtomicBoolean hasRun = new AtomicBoolean();
        assertTrue(upstreams.submit(() -> { }).await(DEADLINE_SECS, TimeUnit.SECONDS));
        assertTrue(loops.submit(() -> { }).await(DEADLINE_SECS, TimeUnit.SECONDS));

        loops.execute(() -> hasRun.set(true));
        Future<?> upstreamsEnd = upstreams.shutdownGracefully();
        Future<?> end = loops.shutdownGracefully();

        assertTrue(end.await(DEADLINE_SECS, TimeUnit.SECONDS));
        assertFalse(upstreamsEnd.isDone());
        assertTrue(hasRun.get());
        assertTrue(upstreamsEnd.await(DEADLINE_SECS, TimeUnit.SECONDS));
    }

    @Test
    void shouldCarryMessagesOnEpollWhenTheNativeLibraryIsThere() throws Exception {
        assumeTrue(Epoll.isAvailable(), () -> "no native epoll: " + Epoll.unavailabilityCause());
        Map<String, Object> conf = Utils.readDefaultConfig();
        BlockingQueue<String> received = new LinkedBlockingQueue<>();
        Context context = new Context();
        context.prepare(conf, new StormMetricRegistry());
        try {
            IConnection server = context.bind("topology", 0,
                batch -> batch.forEach(message -> received.add(new String(message.message(), StandardCharsets.UTF_8))), null);
            AtomicBoolean[] pressure = {new AtomicBoolean()};
            IConnection client = context.connect("topology", "127.0.0.1", server.getPort(), pressure);
            awaitConnected((ConnectionWithStatus) client);
            for (String text : TEXTS) {
                client.send(List.of(new TaskMessage(TASK, text.getBytes(StandardCharsets.UTF_8))).iterator());
            }
            for (String text : TEXTS) {
                assertEquals(text, received.poll(DEADLINE_SECS, TimeUnit.SECONDS));
            }
            assertInstanceOf(EpollSocketChannel.class, ((AtomicReference<?>) field(client, "channelRef")).get());
            ChannelGroup channels = (ChannelGroup) field(server, "allChannels");
            assertEquals(1, channels.stream().filter(EpollServerSocketChannel.class::isInstance).count());
            assertEquals(1, channels.stream().filter(EpollSocketChannel.class::isInstance).count());
        } finally {
            context.term();
        }
    }

    @Test
    @SuppressWarnings("deprecation")
    void shouldLeaveUpstreamsChannelsWhenTheLoopsAreUpstreams() {
        ThreadFactory threads = Thread::new;
        NioEventLoopGroup loops = new NioEventLoopGroup(1, threads);
        try {
            Bootstrap bootstrap = new NettyLoops.Client().group(loops).channel(NioSocketChannel.class);
            assertEquals(NioSocketChannel.class,
                bootstrap.handler(new ChannelInboundHandlerAdapter()).register().syncUninterruptibly().channel().getClass());
        } finally {
            assertTrue(loops.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly(DEADLINE_SECS, TimeUnit.SECONDS));
        }
    }

    @Test
    @SuppressWarnings("deprecation")
    void shouldConnectToTheAddressThatAHostHasNow() throws Exception {
        NioEventLoopGroup loops = new NioEventLoopGroup(1, (ThreadFactory) Thread::new);
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getByName("localhost"))) {
            // Of the addresses that are for documentation, so that nobody answers there.
            InetAddress former = InetAddress.getByAddress("localhost", new byte[] {(byte) 192, 0, 2, 1});
            Bootstrap bootstrap = new NettyLoops.Client().group(loops).channel(NioSocketChannel.class);

            ChannelFuture connected = bootstrap.handler(new ChannelInboundHandlerAdapter())
                .connect(new InetSocketAddress(former, server.getLocalPort()));

            assertTrue(connected.await(DEADLINE_SECS, TimeUnit.SECONDS));
            assertTrue(connected.isSuccess(), () -> String.valueOf(connected.cause()));
        } finally {
            assertTrue(loops.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly(DEADLINE_SECS, TimeUnit.SECONDS));
        }
    }

    /** Until then it would drop messages. */
    private static void awaitConnected(ConnectionWithStatus client) {
        assertTimeoutPreemptively(Duration.ofSeconds(DEADLINE_SECS), () -> {
            while (client.status() != ConnectionWithStatus.Status.Ready) {
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
            }
        });
    }

    private static Object field(Object object, String name) throws ReflectiveOperationException {
        Field field = object.getClass().getDeclaredField(name);
        field.setAccessible(true);
        return field.get(object);
    }
}
