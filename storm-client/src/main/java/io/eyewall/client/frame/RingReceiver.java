package io.eyewall.client.frame;

import io.eyewall.client.ring.RingPlace;
import io.eyewall.client.ring.SharedRing;
import io.eyewall.client.ring.WatchedRings;
import io.eyewall.client.security.BoundedDecoder;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import org.apache.storm.messaging.TaskMessage;
import org.apache.storm.messaging.netty.BackPressureStatus;
import org.apache.storm.shade.io.netty.bootstrap.Bootstrap;
import org.apache.storm.shade.io.netty.buffer.ByteBuf;
import org.apache.storm.shade.io.netty.channel.ChannelDuplexHandler;
import org.apache.storm.shade.io.netty.channel.ChannelFuture;
import org.apache.storm.shade.io.netty.channel.ChannelHandlerContext;
import org.apache.storm.shade.io.netty.channel.ChannelInboundHandler;
import org.apache.storm.shade.io.netty.channel.ChannelPromise;
import org.apache.storm.shade.io.netty.channel.SimpleChannelInboundHandler;
import org.apache.storm.shade.io.netty.channel.epoll.EpollDomainSocketChannel;
import org.apache.storm.shade.io.netty.channel.unix.DomainSocketAddress;
import org.apache.storm.shade.io.netty.util.concurrent.Future;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The reading end of a ring, in a channel that another worker has made. It takes offers once this worker has said on the channel that it
 * does, which is after authentication where that is on. Messages out of the ring go to the channel's last handler, Storm's, like those that
 * came over it. When the other worker ends, what is in the ring is read before the channel ends. When this worker closes the channel,
 * neither the rest of the ring nor that of the channel is read.
 *
 * <p>The channel's thread reads, which the doorbell wakes, too. A thread that watches the rings may read in its place for a moment: whoever
 * has the lock reads, and before it gives the lock back, the doorbell is on again or the channel's thread has another turn to come.
 */
public final class RingReceiver extends ChannelDuplexHandler implements WatchedRings.Ring {

    private static final Logger LOG = LoggerFactory.getLogger(RingReceiver.class);
    /** How many rings that were offered to this process could not be mapped, and how many doorbells not be reached. */
    private static final AtomicLong NOT_MAPPED = new AtomicLong();
    private static final AtomicLong NOT_REACHED = new AtomicLong();
    /** After so many bytes the thread serves its other channels. */
    private static final int TURN_BYTES = 1024 * 1024;

    private final WatchedRings watched;
    private final ReentrantLock lock = new ReentrantLock();
    private boolean takesOffers;
    /** Whether there was one offer already: the other worker makes one, and a stranger's are not logged again and again. */
    private boolean wasOffered;
    private ChannelFuture bell;
    /** Null until an offer was taken, and when the channel has ended. Written on the channel's thread, with the lock once it is in use. */
    private RingMessages ring;
    /** This handler's place, and that of the last one, where messages go. Written once, with the lock. */
    private ChannelHandlerContext own;
    private ChannelHandlerContext last;
    /** Whether messages come out of the ring. Written with the lock. */
    private volatile boolean switched;
    // Guarded by the lock.
    /** Whether the ring has its next turn on the channel's thread to come. The bell need not begin another one. */
    private boolean isTurnDue;

    /** For a channel whose ring is one of those that are watched. */
    public RingReceiver(WatchedRings watched) {
        this.watched = watched;
    }

    @Override
    public void write(ChannelHandlerContext context, Object written, ChannelPromise promise) {
        if (!takesOffers && written instanceof BackPressureStatus status) {
            takesOffers = FrameAgreement.sharesMemory(status);
        }
        Future<Void> unused = context.write(written, promise); // Whoever has the promise learns of the outcome.
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object received) {
        if (!takesOffers || switched || !(received instanceof List<?> messages)) {
            context.fireChannelRead(received);
            return;
        }
        List<Object> others = new ArrayList<>(messages.size());
        boolean switches = false;
        for (Object each : messages) {
            if (each instanceof TaskMessage offer && offer.task() == RingSender.OFFER_TASK) {
                take(context, offer.message() == null ? "" : new String(offer.message(), StandardCharsets.US_ASCII));
            } else if (each instanceof TaskMessage switching && switching.task() == RingSender.SWITCH_TASK) {
                switches = ring != null && bell.isSuccess();
            } else {
                others.add(each);
            }
        }
        if (!others.isEmpty()) {
            context.fireChannelRead(others);
        }
        if (switches && context.channel().isActive()) { // What came before may have closed it.
            begin(context);
        }
    }

    private void begin(ChannelHandlerContext context) {
        lock.lock();
        try {
            own = context;
            last = context.pipeline().lastContext();
            switched = true;
        } finally {
            lock.unlock();
        }
        drainUnlessEnded();
        watched.add(this);
    }

    private void take(ChannelHandlerContext context, String name) {
        RingPlace place = wasOffered ? null : RingPlace.find(RingPlace.SHARED_MEMORY, name).orElse(null);
        wasOffered = true;
        if (place == null) {
            return; // Another host's, another container's, or a second one.
        }
        try {
            ring = new RingMessages(SharedRing.open(place.ring()), context.pipeline().get(BoundedDecoder.class).maxBytes());
        } catch (IOException e) {
            warn(NOT_MAPPED.incrementAndGet(), "Cannot map the ring",
                "Run all workers of this topology as the same user and with the same version", context, e);
            return;
        }
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
                warn(NOT_REACHED.incrementAndGet(), "Cannot reach the doorbell",
                    "Let this worker open more files (ulimit -n) if it has reached its limit", context, connected.cause());
                unmap();
            }
        });
    }

    /** Logs each doubling of the number of such offers: whoever may connect can make them. */
    private static void warn(long count, String what, String remedy, ChannelHandlerContext context, Throwable cause) {
        if (Long.bitCount(count) == 1) {
            LOG.warn("{} of the worker at {}, number {} by now, so its frames come over the network. {}, or set {} to off.", what,
                context.channel().remoteAddress(), count, remedy, "topology.transfer.shared.memory", cause);
        }
    }

    private void unmap() {
        lock.lock();
        try {
            if (ring != null) {
                ring.close();
                ring = null;
            }
        } finally {
            lock.unlock();
        }
    }

    /**
     * Hands over what is in the ring, and sleeps when that is all; with the lock. After many bytes others have a turn first: the ring's
     * next one is a timer's and no task, since the loop carries out all tasks before it looks at its sockets.
     */
    private void drain() throws Exception {
        int readBytes = 0;
        do {
            readBytes += readAll();
            if (readBytes >= TURN_BYTES) {
                leaveToChannel();
                return;
            }
        } while (switched && !ring.trySleep());
    }

    /** Has the channel's thread read the rest; with the lock. */
    private void leaveToChannel() {
        isTurnDue = true;
        Future<?> unused = own.channel().eventLoop().schedule(this::turn, 0, TimeUnit.NANOSECONDS);
    }

    /** Hands over what is in the ring now; returns how many bytes it was. With the lock. */
    private int readAll() throws Exception {
        if (ring.isEmpty()) {
            return 0;
        }
        List<Object> messages = new ArrayList<>();
        int readBytes = ring.read(messages);
        if (!messages.isEmpty()) {
            ((ChannelInboundHandler) last.handler()).channelRead(last, messages);
        }
        return readBytes;
    }

    private void turn() {
        lock.lock();
        try {
            isTurnDue = false;
        } finally {
            lock.unlock();
        }
        drainUnlessEnded();
    }

    /** Reads, unless the channel has ended or a turn is due anyway. A ring that is wrong ends it. */
    private void drainUnlessEnded() {
        lock.lock();
        try {
            if (switched && !isTurnDue) {
                drain();
            }
        } catch (Throwable e) { // Netty, too, hands on whatever a handler throws.
            failed(e);
        } finally {
            lock.unlock();
        }
    }

    /** Reads no more, since nothing in the ring can be trusted. The last handler logs why and closes the channel. With the lock. */
    private void failed(Throwable failure) {
        switched = false;
        ChannelHandlerContext to = last;
        try {
            to.channel().eventLoop().execute(() -> {
                try {
                    ((ChannelInboundHandler) to.handler()).exceptionCaught(to, failure);
                } catch (Exception e) {
                    to.fireExceptionCaught(e);
                }
            });
        } catch (RejectedExecutionException e) {
            LOG.debug("The connections have ended, and so has the ring.", failure);
        }
    }

    /** Reads what the other worker had written when it ended, on the channel's thread. */
    private void readRest() {
        lock.lock();
        try {
            while (switched && readAll() > 0) {
                LOG.debug("The worker at {} has ended, and left tuples in its ring.", own.channel().remoteAddress());
            }
        } catch (Exception e) {
            LOG.warn("What the worker at {} left in its ring cannot be read: {}", own.channel().remoteAddress(), e.getMessage());
        } finally {
            switched = false;
            lock.unlock();
        }
    }

    @Override
    public boolean tryBegin() {
        if (!lock.tryLock()) {
            return false;
        }
        if (!switched || isTurnDue) {
            lock.unlock();
            return false;
        }
        ring.stayAwake();
        return true;
    }

    @Override
    public boolean read() {
        try {
            return switched && readAll() > 0;
        } catch (Throwable e) { // As in drainUnlessEnded.
            failed(e);
            return true;
        }
    }

    @Override
    public void end() {
        try {
            if (switched && !ring.trySleep()) {
                leaveToChannel();
            }
        } catch (Throwable e) { // As in drainUnlessEnded.
            failed(e);
        } finally {
            lock.unlock();
        }
    }

    /** This worker closes the channel, and reads no more. */
    @Override
    public void close(ChannelHandlerContext context, ChannelPromise promise) {
        lock.lock();
        try {
            switched = false;
        } finally {
            lock.unlock();
        }
        Future<Void> unused = context.close(promise); // Whoever has the promise learns of the outcome.
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        watched.remove(this);
        readRest();
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
            drainUnlessEnded();
        }

        @Override
        public void channelInactive(ChannelHandlerContext context) {
            if (switched) {
                readRest();
                Future<Void> unused = connection.close(); // The other worker makes another connection, if it lives.
            }
        }
    }
}
