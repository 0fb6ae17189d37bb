package io.eyewall.transport.fabric.link;

import io.eyewall.transport.fabric.binding.CompletionQueue;
import io.eyewall.transport.fabric.binding.FabricException;
import io.eyewall.transport.fabric.link.driver.DriverLink;
import io.eyewall.transport.fabric.link.driver.FrameChannel;
import io.eyewall.transport.fabric.link.driver.LinkBuffers;
import io.eyewall.transport.fabric.link.frame.FrameHeader;
import io.eyewall.transport.fabric.link.frame.FrameReader;
import io.eyewall.transport.fabric.link.frame.Hello;
import io.eyewall.transport.fabric.link.frame.ProtocolException;
import io.eyewall.transport.fabric.link.frame.RefusedPeers;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The protocol of one link, from the hello to the goodbye: what happens on a frame, a tick, a failure or a close. {@link Link} is what
 * users see of it. For the progress thread, except the methods behind {@link Link} and those that say otherwise.
 */
final class LinkSession implements DriverLink {

    private static final Logger LOG = LoggerFactory.getLogger(LinkSession.class);
    private static final long HELLO_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(10);
    private static final byte[] NO_ENDPOINT = {};

    private final Link link = new Link(this);
    private final LinkGroup group;
    private final LinkSecret secret;
    private final LinkHandler handler;
    private final boolean connecting;
    private final String peer;
    private final CountDownLatch ended = new CountDownLatch(1);
    private final long createdNs;
    private final FrameReader.Consumer messages = this::onMessage;

    // Written by the progress thread before the link is open, then only read.
    private LinkBuffers buffers;
    private FrameChannel channel;
    private CreditLedger credits;
    private FrameReceiver receiver;
    private FrameSender sender;
    // Written by the progress thread.
    private volatile boolean open;
    private volatile boolean closed;
    private boolean peerSaidGoodbye;
    /** Written by the thread that closes the link. */
    private volatile boolean closingHere;
    /** Whether closing the channel ended all operations, so that the provider uses no buffers. */
    private boolean operationsEnded;
    private boolean pingSent;
    private volatile long lastReceivedNs;

    /**
     * A link without a channel yet.
     *
     * @param peer the peer's address, in words for the log
     * @param connecting whether this end asked for the link
     */
    LinkSession(LinkGroup group, LinkSecret secret, LinkHandler handler, String peer, boolean connecting) {
        this.group = group;
        this.secret = secret;
        this.handler = handler;
        this.peer = peer;
        this.connecting = connecting;
        this.createdNs = group.nowNs();
        this.lastReceivedNs = createdNs;
    }

    Link link() {
        return link;
    }

    /** See {@link Link#send}. */
    boolean send(int address, byte[] message) throws InterruptedException {
        group.refuseProgressThread("send on a link, which may wait");
        return open && sender.send(address, message);
    }

    /** See {@link Link#offer}. */
    boolean offer(int address, byte[] message) {
        return open && sender.offer(address, message);
    }

    /** See {@link Link#flush()}, or {@link Link#flushSoon()} if {@code soon}. */
    void flush(boolean soon) {
        if (open) {
            sender.flush(soon);
        }
    }

    boolean isOpen() {
        return open && !closed;
    }

    @Override
    public boolean isClosed() {
        return closed;
    }

    int pendingMessages() {
        return isOpen() ? sender.pendingMessages() : 0;
    }

    String peer() {
        return peer;
    }

    long lastReceivedNs() {
        return lastReceivedNs;
    }

    long ageNs() {
        return group.nowNs() - createdNs;
    }

    /** See {@link Link#close}. */
    boolean close(long timeoutMs) {
        boolean delivered = false;
        try {
            if (timeoutMs > 0 && isOpen()) {
                group.refuseProgressThread("wait until a link is closed");
                closingHere = true;
                sender.beginClose();
                delivered = ended.await(timeoutMs, TimeUnit.MILLISECONDS) && peerSaidGoodbye;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        group.execute(() -> finish("closed here"));
        return delivered;
    }

    @Override
    public String toString() {
        return "link " + (connecting ? "to " : "from ") + peer;
    }

    @Override
    public void attach(LinkBuffers ownBuffers, FrameChannel ownChannel) {
        buffers = ownBuffers;
        channel = ownChannel;
        credits = new CreditLedger(group.configuration().receiveFrames());
        sender = new FrameSender(buffers, channel, credits, this);
        receiver = new FrameReceiver(buffers, channel, this);
        receiver.start();
    }

    @Override
    public Hello hello(int linkId, byte[] endpointName) {
        LinkConfiguration configuration = group.configuration();
        return new Hello(secret.proof(connecting), configuration.frameBytes(), configuration.receiveFrames(), linkId, endpointName);
    }

    @Override
    public void check(Hello hello) throws ProtocolException {
        secret.check(hello, !connecting);
    }

    /** The connecting end sends its hello, and the other end waits for it. */
    @Override
    public void onConnected() {
        guarded(() -> {
            if (connecting) {
                sender.sendHello(FrameHeader.HELLO, hello(0, NO_ENDPOINT));
            }
            receiver.release();
        });
    }

    @Override
    public void onReceived(int slot, int lengthBytes, int error) {
        if (closed || error != 0) {
            receiver.ended();
            // If the connection could not be made, all receives fail, and an event reports the cause.
            if (open) {
                fail("the connection failed: " + CompletionQueue.describe(error));
            }
        } else {
            guarded(() -> receiver.completed(slot, lengthBytes));
        }
    }

    @Override
    public void onSent(int slot, int error) {
        if (sender.completed(slot)) {
            reportWritableSoon();
        }
        if (error != 0) {
            failSoon("the connection failed: " + CompletionQueue.describe(error));
        } else if (closingHere) {
            group.execute(this::finishIfBothSaidGoodbye);
        }
    }

    /** Handles the next frame in order. */
    void onFrame(byte type, int returnedCredits, ByteBuffer payload) throws ProtocolException {
        lastReceivedNs = group.nowNs();
        pingSent = false;
        if (!open) {
            onFirstFrame(type, payload);
            return;
        }
        if (returnedCredits > 0 && sender.credited(returnedCredits)) {
            handler.onWritable(link);
        }
        switch (type) {
            case FrameHeader.DATA -> {
                credits.received();
                receiver.read(payload, messages);
                handler.onBatchEnd(link);
            }
            case FrameHeader.PING -> sender.requestControlFrame(FrameHeader.PONG);
            case FrameHeader.GOODBYE -> onGoodbye();
            case FrameHeader.CREDIT, FrameHeader.PONG -> LOG.trace("{}: a frame of type {}", this, type);
            default -> throw new ProtocolException("the peer sent a second hello");
        }
    }

    /** Called when the buffer of a data frame has been posted again. */
    void onDataReposted() {
        credits.reposted();
        if (credits.isReturnDue()) {
            sender.requestControlFrame(FrameHeader.CREDIT);
        }
    }

    /** Checks every few milliseconds that the peer is alive. */
    void onTick(long nowNs) {
        if (!open) {
            if (nowNs - createdNs > Math.min(HELLO_TIMEOUT_NS, group.peerTimeoutNs())) {
                fail("the peer did not send its hello in time");
            }
            return;
        }
        long silentNs = nowNs - lastReceivedNs;
        if (silentNs > group.peerTimeoutNs()) {
            fail("no sign of life from the peer for " + TimeUnit.NANOSECONDS.toMillis(silentNs) + " ms");
        } else if (!pingSent && silentNs > group.peerTimeoutNs() / 3) {
            pingSent = true;
            sender.requestControlFrame(FrameHeader.PING);
        }
    }

    /** Posts the receives and frames for which the provider had no resources. */
    void retry() {
        if (!closed) {
            sender.retry();
            receiver.retry();
        }
    }

    /**
     * Frees the buffers of this closed link if no operation uses them any more.
     *
     * @param completionsRead whether the last poll found no completion
     * @return whether it did, or there are none
     */
    boolean release(boolean completionsRead) {
        if (buffers != null) {
            if (operationsEnded ? !completionsRead : receiver.posted() + sender.inFlight() > 0) {
                return false;
            }
            channel.released();
            buffers.close();
        }
        return true;
    }

    /** Frees the buffers after all endpoints are closed, when the provider cannot use them any more. */
    void releaseAfterEndpoints() {
        if (buffers != null) {
            buffers.close();
        }
    }

    @Override
    public void fail(String reason) {
        finish(peerSaidGoodbye && !closingHere ? "closed by the peer" : reason);
    }

    /** Lets the progress thread call {@link #fail}. Any thread may call it. */
    void failSoon(String reason) {
        group.execute(() -> fail(reason));
    }

    /** Lets the progress thread call {@link #retry()}. Any thread may call it. */
    void retrySoon() {
        group.retry(this);
    }

    /**
     * Sets for the progress thread whether this link has unfinished sends to poll for. Any thread may call it, with true and false in turn.
     */
    void setSendsUnfinished(boolean unfinished) {
        group.countUnfinishedLink(unfinished);
    }

    /** Wakes the progress thread to poll for completed sends. Any thread may call it. */
    void pollSendsSoon() {
        group.pollSendsSoon();
    }

    /** Lets the progress thread call {@link LinkHandler#onWritable}. Any thread may call it. */
    void reportWritableSoon() {
        group.execute(() -> {
            if (!closed) {
                guarded(() -> handler.onWritable(link));
            }
        });
    }

    private void finish(String reason) {
        if (closed) {
            return;
        }
        closed = true;
        if (channel != null) {
            sender.close();
            long[] receives = new long[buffers.receiveSlots()];
            for (int slot = 0; slot < receives.length; slot++) {
                receives[slot] = buffers.context(slot);
            }
            try {
                operationsEnded = channel.close(receives);
            } catch (FabricException e) {
                LOG.error("{}: cannot close its endpoint; its buffers stay allocated until the transport is closed", this, e);
            }
        }
        group.onClosed(this);
        ended.countDown();
        try {
            handler.onClosed(link, reason);
        } catch (RuntimeException e) {
            LOG.error("{}: its handler failed in onClosed", this, e);
        }
    }

    private void onFirstFrame(byte type, ByteBuffer payload) throws ProtocolException {
        if (type != (connecting ? FrameHeader.WELCOME : FrameHeader.HELLO)) {
            throw new ProtocolException("the peer's first frame is of type " + type + ", not a hello");
        }
        Hello hello = Hello.decode(payload);
        check(hello);
        if (!connecting) {
            sender.sendHello(FrameHeader.WELCOME, hello(0, NO_ENDPOINT));
        }
        sender.open(Math.min(hello.frameBytes(), group.configuration().frameBytes()), hello.window());
        open = true;
        handler.onOpen(link);
    }

    private void onMessage(int address, ByteBuffer message) {
        handler.onMessage(link, address, message);
    }

    private void onGoodbye() {
        peerSaidGoodbye = true;
        if (closingHere) {
            finishIfBothSaidGoodbye();
        } else {
            // The peer closes the connection after it has read this end's goodbye, so that the goodbye is not lost.
            sender.dropMessagesAndSayGoodbye();
        }
    }

    private void finishIfBothSaidGoodbye() {
        if (closingHere && peerSaidGoodbye && sender.isGoodbyeSent()) {
            finish("closed here");
        }
    }

    private void guarded(Step step) {
        if (closed) {
            return;
        }
        try {
            step.run();
        } catch (ProtocolException e) {
            if (open) {
                LOG.warn("{} is closed: {}", this, e.getMessage());
            } else {
                RefusedPeers.log(LOG, this, e.getMessage());
            }
            fail(e.getMessage());
        } catch (UncheckedIOException e) {
            LOG.warn("{} is closed: {}", this, e.getCause().getMessage());
            fail(e.getCause().getMessage());
        } catch (RuntimeException e) {
            LOG.error("{} is closed: its handler or its provider failed", this, e);
            fail("failed: " + e.getMessage());
        }
    }

    private interface Step {

        void run() throws ProtocolException;
    }
}
