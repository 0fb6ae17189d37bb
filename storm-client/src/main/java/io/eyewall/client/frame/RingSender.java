package io.eyewall.client.frame;

import io.eyewall.client.ring.RingPlace;
import io.eyewall.client.ring.SharedRing;
import io.eyewall.client.ring.WatchedRings;
import io.eyewall.client.seam.ConnectionCounters;
import java.io.Closeable;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.apache.storm.messaging.TaskMessage;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The sending end of a ring, which belongs to one channel of Storm's Netty transport. It is offered to the other worker over the channel,
 * and used once that worker has opened it. Any thread may send; the channel's is not needed. Messages that the ring has no space for wait
 * here. The doorbell's socket does not block, so that no interrupt of a thread that sends closes it.
 */
final class RingSender implements Closeable {

    /** The task that the offer of a ring is addressed to. */
    static final int OFFER_TASK = -701;
    /** The task that the last message over the channel is addressed to: what follows is in the ring. */
    static final int SWITCH_TASK = -702;
    /** The task and the length in front of each message. */
    static final int HEAD_BYTES = 2 * Integer.BYTES;

    private static final Logger LOG = LoggerFactory.getLogger(RingSender.class);
    private static final int CAPACITY_BYTES = 256 * 1024;

    private final RingPlace place;
    private final SharedRing ring;
    private final ServerSocketChannel bells;
    private final ConnectionCounters counters;
    private final Owner owner;
    /** What waits for space. Guarded by this object, like the next three fields. */
    private final ArrayDeque<Part> waiting = new ArrayDeque<>();
    private final ByteBuffer sign = ByteBuffer.allocate(1);
    private SocketChannel bell;
    /** Whether the owner knows that something waits. */
    private boolean told;
    /** Written under the lock of this object, read by any thread. */
    private volatile boolean closed;
    /** Whether something waits for space. Written under the lock of this object, read by any thread. */
    private volatile boolean behind;

    /** What the ring belongs to. Called on any thread. */
    interface Owner {

        /** The ring can be used no longer. Called once. */
        void broken();

        /** Messages wait for space: call {@code catchesUp} from time to time until it returns true. */
        void behind(BooleanSupplier catchesUp);
    }

    /** A part of a message: its head, or its bytes. {@code counted} is how many messages the counters have sent with it, 0 or 1. */
    private record Part(ByteBuffer bytes, int counted) {
    }

    private RingSender(RingPlace place, SharedRing ring, ServerSocketChannel bells, ConnectionCounters counters, Owner owner) {
        this.place = place;
        this.ring = ring;
        this.bells = bells;
        this.counters = counters;
        this.owner = owner;
    }

    /**
     * Makes a ring.
     *
     * @param parent where shared memory is
     * @param counters those of the connection
     * @throws IOException if there is no space, or no shared memory
     */
    static RingSender create(Path parent, ConnectionCounters counters, Owner owner) throws IOException {
        RingPlace place = RingPlace.create(parent);
        SharedRing ring = null;
        ServerSocketChannel bells = null;
        try {
            ring = SharedRing.create(place.ring(), CAPACITY_BYTES);
            bells = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
            bells.bind(UnixDomainSocketAddress.of(place.bell())).configureBlocking(false);
            return new RingSender(place, ring, bells, counters, owner);
        } catch (IOException e) {
            if (bells != null) {
                bells.close();
            }
            if (ring != null) {
                ring.close();
            }
            place.remove();
            throw e;
        }
    }

    /** The message that offers the ring to the other worker. */
    TaskMessage offer() {
        return new TaskMessage(OFFER_TASK, place.name().getBytes(StandardCharsets.US_ASCII));
    }

    ConnectionCounters counters() {
        return counters;
    }

    boolean isClosed() {
        return closed;
    }

    /** Whether messages wait for space. */
    boolean isBehind() {
        return behind && !closed;
    }

    /** Withdraws the offer, unless the other worker has the ring, or had it; returns whether it did. */
    synchronized boolean withdraw() {
        if (closed || isAccepted()) {
            return false;
        }
        close();
        return true;
    }

    /** Whether the other worker has the ring. */
    synchronized boolean isAccepted() {
        if (bell == null && !closed && ring.isAttached()) {
            try {
                bell = bells.accept();
                if (bell != null) {
                    bell.configureBlocking(false);
                    bells.close();
                }
            } catch (IOException e) {
                broken(e);
            }
        }
        return bell != null && !closed;
    }

    /** Sends messages, after the earlier ones. Messages that a closed ring does not take are lost with its connection. */
    synchronized void send(List<TaskMessage> messages) {
        counters.getPendingMessages().addAndGet(messages.size());
        add(messages, 1);
    }

    /** The same for messages that the connection has counted already. */
    synchronized void forward(List<TaskMessage> messages) {
        add(messages, 0);
    }

    private void add(List<TaskMessage> messages, int counted) {
        for (TaskMessage message : messages) {
            waiting.add(new Part(ByteBuffer.allocate(HEAD_BYTES).putInt(message.task()).putInt(message.message().length).flip(), 0));
            waiting.add(new Part(ByteBuffer.wrap(message.message()), counted));
        }
        catchUp();
        if (isBehind() && !told) {
            told = true;
            owner.behind(this::catchesUp);
        }
    }

    private synchronized boolean catchesUp() {
        catchUp();
        told = isBehind();
        return !told;
    }

    /** Sends what waits, as far as there is space. */
    synchronized void catchUp() {
        if (closed) {
            dropWaiting();
        }
        try {
            boolean wrote = false;
            while (!waiting.isEmpty()) {
                wrote |= ring.write(waiting.peek().bytes) > 0;
                if (waiting.peek().bytes.hasRemaining()) {
                    break;
                }
                count(waiting.remove(), counters.getMessagesSent());
            }
            behind = !waiting.isEmpty();
            if (wrote) {
                if (ring.mustWake()) {
                    sign.clear();
                    int unused = bell.write(sign); // If the socket is full, the reader has something to wake for.
                }
                WatchedRings.ofProcess().expect();
            }
        } catch (IOException e) {
            broken(e);
        }
    }

    private void dropWaiting() {
        while (!waiting.isEmpty()) {
            count(waiting.remove(), counters.getMessagesLost());
        }
    }

    private void count(Part part, AtomicInteger counter) {
        if (part.counted > 0) {
            counter.addAndGet(part.counted);
            counters.getPendingMessages().addAndGet(-part.counted);
        }
    }

    private void broken(IOException e) {
        if (!closed) {
            LOG.warn("The ring to another worker of this host cannot be used any longer. Its connection is made anew.", e);
            close();
            owner.broken();
        }
    }

    @Override
    public synchronized void close() {
        if (closed) {
            return;
        }
        closed = true;
        dropWaiting();
        ring.close();
        try {
            bells.close();
            if (bell != null) {
                bell.close();
            }
            place.remove();
        } catch (IOException e) {
            LOG.warn("Cannot remove {}, which nothing uses any longer. Remove it by hand.", place.ring().getParent(), e);
        }
    }
}
