package io.eyewall.client.engine;

import io.eyewall.client.frame.FrameGate;
import io.eyewall.client.frame.RingReceiver;
import io.eyewall.client.ring.RingPlace;
import io.eyewall.client.ring.WatchedRings;
import io.eyewall.client.time.NanoClock;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.file.Path;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import org.apache.storm.shade.io.netty.bootstrap.Bootstrap;
import org.apache.storm.shade.io.netty.bootstrap.ServerBootstrap;
import org.apache.storm.shade.io.netty.channel.Channel;
import org.apache.storm.shade.io.netty.channel.ChannelFuture;
import org.apache.storm.shade.io.netty.channel.ChannelHandler;
import org.apache.storm.shade.io.netty.channel.ChannelHandlerContext;
import org.apache.storm.shade.io.netty.channel.ChannelInboundHandlerAdapter;
import org.apache.storm.shade.io.netty.channel.ChannelInitializer;
import org.apache.storm.shade.io.netty.channel.EventLoopGroup;
import org.apache.storm.shade.io.netty.channel.IoEventLoop;
import org.apache.storm.shade.io.netty.channel.IoHandlerFactory;
import org.apache.storm.shade.io.netty.channel.ServerChannel;
import org.apache.storm.shade.io.netty.channel.epoll.Epoll;
import org.apache.storm.shade.io.netty.channel.epoll.EpollIoHandler;
import org.apache.storm.shade.io.netty.channel.epoll.EpollServerSocketChannel;
import org.apache.storm.shade.io.netty.channel.epoll.EpollSocketChannel;
import org.apache.storm.shade.io.netty.channel.nio.NioEventLoopGroup;
import org.apache.storm.shade.io.netty.util.concurrent.Future;

/**
 * The threads of Storm's Netty transport. If Netty's native library can be loaded, they wait with the kernel's epoll and not with Java's
 * selectors, which cost more system calls. If not, they are upstream's; Netty's own system property
 * {@code org.apache.storm.shade.io.netty.transport.noNative} of a worker has the same effect.
 */
@SuppressWarnings("deprecation") // Upstream uses this type, so what takes its place must.
public class NettyLoops extends NioEventLoopGroup {

    /** Netty's own limit. */
    private static final int END_SECS = 15;

    /** Where connections to other workers make rings for frames; null if they carry none. Written before the first one is made. */
    private volatile Path memory;

    /** A group of so many threads; with 0 Netty chooses the number. */
    public NettyLoops(int threads, ThreadFactory factory) {
        super(threads, factory);
    }

    /** Called by the constructor. */
    @Override
    protected IoEventLoop newChild(Executor executor, IoHandlerFactory selectors, Object... arguments) {
        return Epoll.isAvailable() ? new TransferLoop(this, executor, EpollIoHandler.newFactory(), NanoClock.SYSTEM)
            : super.newChild(executor, selectors, arguments); // Selectors wait for whole milliseconds.
    }

    /**
     * Ends the threads without the quiet period of two seconds that is Netty's default. Upstream ends three groups one after the other, and
     * a worker has three seconds to end by default. What has been submitted is done before, and upstream has asked all connections of a
     * group to close by then.
     */
    @Override
    public Future<?> shutdownGracefully() {
        return shutdownGracefully(0, END_SECS, TimeUnit.SECONDS);
    }

    /**
     * Has connections to other workers that are made from now on carry frames, where the other worker reads them.
     *
     * @param memory where they make rings: {@link RingPlace#SHARED_MEMORY}, or another folder in a test
     */
    public void carryFrames(Path memory) {
        this.memory = memory;
    }

    private static boolean areOnEpoll(EventLoopGroup loops) {
        return loops instanceof NettyLoops && Epoll.isAvailable();
    }

    /** Makes the channels to other workers that match the threads, which are set first. */
    public static final class Client extends Bootstrap {

        /** Looks up no names: Netty would do it on the thread of the connections. */
        public Client() {
            disableResolver();
        }

        @Override
        public Bootstrap channel(Class<? extends Channel> upstreams) {
            return super.channel(areOnEpoll(config().group()) ? EpollSocketChannel.class : upstreams);
        }

        @Override
        public Bootstrap handler(ChannelHandler upstreams) {
            return super.handler(new ChannelInitializer<>() {
                @Override
                protected void initChannel(Channel channel) {
                    channel.pipeline().addLast(upstreams, new SpaceListener());
                    if (config().group() instanceof NettyLoops loops && loops.memory != null) {
                        channel.pipeline().addBefore(FrameGate.BEFORE, "frames", new FrameGate(loops.memory));
                    }
                }
            });
        }

        /**
         * Looks the host up anew, which upstream does once for a worker: a container or pod that comes back under its name may have another
         * address. Called by a thread that only connects.
         */
        @Override
        public ChannelFuture connect(SocketAddress upstreams) {
            if (upstreams instanceof InetSocketAddress known) {
                InetSocketAddress now = new InetSocketAddress(known.getHostString(), known.getPort());
                return super.connect(now.isUnresolved() ? known : now);
            }
            return super.connect(upstreams);
        }
    }

    /** Makes the channel that other workers connect to, which must match, too. Frames may come through shared memory to it. */
    public static final class Server extends ServerBootstrap {
        @Override
        public ServerBootstrap channel(Class<? extends ServerChannel> upstreams) {
            return super.channel(areOnEpoll(config().group()) ? EpollServerSocketChannel.class : upstreams);
        }

        @Override
        public ServerBootstrap childHandler(ChannelHandler upstreams) {
            return super.childHandler(new ChannelInitializer<>() {
                @Override
                protected void initChannel(Channel channel) {
                    channel.pipeline().addLast(upstreams);
                    if (channel instanceof EpollSocketChannel) {
                        channel.pipeline().addBefore(FrameGate.BEFORE, "rings", new RingReceiver(WatchedRings.ofProcess()));
                    }
                }
            });
        }
    }

    /** Learns, after Storm's handlers, that the other worker may have reported space, or that there is space in the connection. */
    private static final class SpaceListener extends ChannelInboundHandlerAdapter {
        @Override
        public void channelReadComplete(ChannelHandlerContext context) {
            SpaceSignal.ofOtherWorkers().signal();
            context.fireChannelReadComplete();
        }

        @Override
        public void channelWritabilityChanged(ChannelHandlerContext context) {
            SpaceSignal.ofOtherWorkers().signal();
            context.fireChannelWritabilityChanged();
        }
    }
}
