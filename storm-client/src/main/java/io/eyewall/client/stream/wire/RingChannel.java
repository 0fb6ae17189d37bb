package io.eyewall.client.stream.wire;

import java.io.IOException;
import java.net.SocketAddress;
import java.util.concurrent.TimeUnit;
import org.apache.storm.shade.io.netty.buffer.ByteBuf;
import org.apache.storm.shade.io.netty.channel.AbstractChannel;
import org.apache.storm.shade.io.netty.channel.Channel;
import org.apache.storm.shade.io.netty.channel.ChannelConfig;
import org.apache.storm.shade.io.netty.channel.ChannelHandlerContext;
import org.apache.storm.shade.io.netty.channel.ChannelInboundHandlerAdapter;
import org.apache.storm.shade.io.netty.channel.ChannelMetadata;
import org.apache.storm.shade.io.netty.channel.ChannelOutboundBuffer;
import org.apache.storm.shade.io.netty.channel.ChannelPromise;
import org.apache.storm.shade.io.netty.channel.DefaultChannelConfig;
import org.apache.storm.shade.io.netty.channel.EventLoop;
import org.apache.storm.shade.io.netty.util.ReferenceCountUtil;
import org.apache.storm.shade.io.netty.util.concurrent.Future;

/**
 * A channel whose bytes go through two rings in shared memory. It replaces the socket over which the two sides have met: that is
 * from then on the doorbell, and the channel ends with it. Bytes that find no space in a ring wait in the channel's buffer, as in a
 * channel with a full socket: they count there, and the channel is not writable while there are many.
 *
 * <p>Everything is done by the socket's loop, which waits for nobody. It reads when the other side rings, as much as a ring holds before
 * other channels have a turn, and says that it sleeps when there is nothing more. While the channel is not to be read, it leaves everything
 * in the ring. When the ring to the other side is full, it looks for space once in a millisecond.
 *
 * <p>When the other side ends, what it had written is read first, even if the channel was not to be read.
 */
public final class RingChannel extends AbstractChannel {

    private static final ChannelMetadata METADATA = new ChannelMetadata(false);
    /** How much is read into one buffer at most. */
    private static final int CHUNK_BYTES = 64 * 1024;
    private static final long RETRY_MS = 1;

    private final RingPair rings;
    private final ChannelConfig config = new DefaultChannelConfig(this);
    private volatile boolean open = true;
    // For the loop.
    /** Whether the ring is being read, or has its turn to come. If not, the reader sleeps, or the channel is not to be read. */
    private boolean isReading;
    private boolean isRetryDue;

    private RingChannel(Channel socket, RingPair rings) {
        super(socket);
        this.rings = rings;
        config.setAllocator(socket.alloc());
        config.setWriteBufferWaterMark(socket.config().getWriteBufferWaterMark());
    }

    /**
     * Makes the channel, which reads from the next round of the loop on. The socket loses all of its handlers, and the channel owns it and
     * the rings. Called on the socket's loop.
     */
    public static RingChannel over(Channel socket, RingPair rings) {
        RingChannel channel = new RingChannel(socket, rings);
        while (socket.pipeline().last() != null) {
            socket.pipeline().removeLast();
        }
        socket.pipeline().addLast(channel.new Bell());
        Future<Void> unused = socket.eventLoop().register(channel); // Nothing is registered with the kernel, so it cannot fail.
        return channel;
    }

    @Override
    public ChannelConfig config() {
        return config;
    }

    @Override
    public ChannelMetadata metadata() {
        return METADATA;
    }

    @Override
    public boolean isOpen() {
        return open;
    }

    @Override
    public boolean isActive() {
        return open;
    }

    @Override
    protected AbstractUnsafe newUnsafe() {
        return new RingUnsafe();
    }

    @Override
    protected boolean isCompatible(EventLoop loop) {
        return true;
    }

    @Override
    protected SocketAddress localAddress0() {
        return parent().localAddress();
    }

    @Override
    protected SocketAddress remoteAddress0() {
        return parent().remoteAddress();
    }

    @Override
    protected void doBind(SocketAddress address) {
        throw new UnsupportedOperationException("A ring has no address");
    }

    @Override
    protected void doDisconnect() {
        doClose();
    }

    @Override
    protected void doClose() {
        open = false;
        rings.close();
        Future<Void> unused = parent().close();
    }

    @Override
    protected void doBeginRead() {
        if (!isReading) {
            isReading = true;
            eventLoop().execute(this::readTurn);
        }
    }

    private boolean mayRead() {
        return open && config.isAutoRead();
    }

    /**
     * Reads at most what a ring holds. The next turn is a timer and not a task, since the loop runs all tasks before it polls
     * its sockets.
     */
    private void readTurn() {
        isReading = true;
        boolean sleeps = false;
        int left = rings.in().capacityBytes();
        try {
            while (mayRead() && !sleeps && left > 0) {
                int passed = passAll(left);
                left -= passed;
                if (passed > 0) {
                    pipeline().fireChannelReadComplete();
                } else {
                    sleeps = rings.in().trySleep();
                }
            }
        } catch (IOException e) {
            pipeline().fireExceptionCaught(e);
            Future<Void> unused = close(); // Nothing in the ring can be trusted.
        }
        isReading = mayRead() && !sleeps;
        if (isReading) {
            Future<?> unused = eventLoop().schedule(this::readTurn, 0, TimeUnit.NANOSECONDS);
        }
    }

    /** Passes on what is in the ring, up to so many bytes, while the channel may be read; returns how many bytes it was. */
    private int passAll(int mostBytes) throws IOException {
        int all = Math.min(rings.in().available(), mostBytes);
        int passed = 0;
        while (mayRead() && passed < all) {
            passed += pass(all - passed);
        }
        return passed;
    }

    private int pass(int mostBytes) {
        int length = Math.min(mostBytes, CHUNK_BYTES);
        ByteBuf chunk = alloc().directBuffer(length);
        rings.in().read(chunk.nioBuffer(0, length));
        pipeline().fireChannelRead(chunk.writerIndex(length));
        return length;
    }

    /** The other side has ended. */
    private void ended() {
        try {
            int left = open ? rings.in().available() : 0;
            while (open && left > 0) {
                left -= pass(left);
            }
        } catch (IOException e) {
            pipeline().fireExceptionCaught(e);
        }
        if (open) {
            pipeline().fireChannelReadComplete();
            unsafe().close(voidPromise());
        }
    }

    @Override
    protected void doWrite(ChannelOutboundBuffer waiting) throws IOException {
        boolean wrote = false;
        boolean isFull = false;
        while (open && !isFull && waiting.current() != null) {
            ByteBuf message = (ByteBuf) waiting.current();
            int length = message.readableBytes();
            int written = rings.out().write(message.nioBuffer());
            wrote |= written > 0;
            isFull = written < length;
            waiting.removeBytes(written);
        }
        if (wrote && open && rings.out().mustWake()) {
            Future<Void> unused = parent().writeAndFlush(alloc().directBuffer(1).writeByte(0));
        }
        if (isFull && !isRetryDue) {
            isRetryDue = true;
            Future<?> unused = eventLoop().schedule(this::retryWrite, RETRY_MS, TimeUnit.MILLISECONDS);
        }
    }

    private void retryWrite() {
        isRetryDue = false;
        unsafe().flush();
    }

    /** What comes over the socket. */
    private final class Bell extends ChannelInboundHandlerAdapter {

        @Override
        public void channelRead(ChannelHandlerContext context, Object sign) {
            ReferenceCountUtil.release(sign);
            if (!isReading) {
                readTurn();
            }
        }

        @Override
        public void channelInactive(ChannelHandlerContext context) {
            ended();
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            Future<Void> unused = context.close(); // The other side may have died.
        }
    }

    private final class RingUnsafe extends AbstractUnsafe {

        @Override
        public void connect(SocketAddress remote, SocketAddress local, ChannelPromise promise) {
            Future<Void> unused = promise.setFailure(new UnsupportedOperationException("A ring is connected"));
        }
    }
}
