package io.eyewall.transport.fabric.link;

import io.eyewall.transport.fabric.binding.CompletionQueue;
import io.eyewall.transport.fabric.binding.FabricException;
import java.nio.ByteBuffer;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An ordered, reliable link to a link in another process, for messages of any size. What is packed before a link breaks may be lost, but
 * nothing arrives twice or out of order.
 *
 * <p>Public methods are safe for any thread, but those that wait must not be called by the progress thread, that is from a
 * {@link LinkHandler}.
 */
public final class Link {

    private static final Logger LOG = LoggerFactory.getLogger(Link.class);
    /** How long the first frames may take, at most. */
    private static final long GREETING_NS = TimeUnit.SECONDS.toNanos(10);

    private final LinkGroup group;
    private final LinkSecret secret;
    private final LinkHandler listener;
    private final boolean connecting;
    private final String peer;
    private final CountDownLatch ended = new CountDownLatch(1);
    private final long bornNs;
    private final FrameReader.Consumer messages = this::onMessage;

    // Written by the progress thread before the link is open, then only read.
    private LinkBuffers memory;
    private FrameChannel wire;
    private CreditLedger ledger;
    private FrameReceiver receiveSide;
    private FrameSender sendSide;
    // Written by the progress thread.
    private volatile boolean open;
    private volatile boolean closed;
    private boolean peerSaidGoodbye;
    /** Written by the thread that closes the link. */
    private volatile boolean closingHere;
    private boolean memoryIsOurs;
    private boolean pingSent;
    private volatile long lastReceivedNs;

    /**
     * A link to be {@linkplain #attach attached}.
     *
     * @param peer the peer's address, for people to read
     * @param connecting whether this end asked for the link
     */
    Link(LinkGroup group, LinkSecret secret, LinkHandler listener, String peer, boolean connecting) {
        this.group = group;
        this.secret = secret;
        this.listener = listener;
        this.peer = peer;
        this.connecting = connecting;
        this.bornNs = group.nowNs();
        this.lastReceivedNs = bornNs;
    }

    /**
     * Sends a message, in its turn. Waits for the peer if it does not keep up. The message may stay here until {@link #flush()}.
     *
     * @param address any number that means something to the peer's listener
     * @return false if the message was not sent because the link is not open, or closed meanwhile
     * @throws InterruptedException if the thread is interrupted before any of the message is sent; none of it will be
     */
    public boolean send(int address, byte[] message) throws InterruptedException {
        group.refuseProgressThread("send on a link, which may wait");
        return open && sendSide.send(address, message);
    }

    /**
     * Sends a message if that takes no waiting. If not, {@link LinkHandler#onWritable} tells when to try again. The message must be no
     * longer than all buffers of the link together.
     *
     * @return whether it was sent
     */
    public boolean offer(int address, byte[] message) {
        return open && sendSide.offer(address, message);
    }

    /** Lets go what was sent so far: at once, or, while frames are under way, together with what is sent until the next has left. */
    public void flush() {
        if (open) {
            sendSide.flush(false);
        }
    }

    /** As {@link #flush()}, but rather together with more than at once: for who sends much and will go on. */
    public void flushSoon() {
        if (open) {
            sendSide.flush(true);
        }
    }

    /** Whether messages can be sent. */
    public boolean isOpen() {
        return open && !closed;
    }

    /** Whether it will never be open again. */
    public boolean isClosed() {
        return closed;
    }

    /** Messages sent here that are not known to have left the process. */
    public int pendingMessages() {
        return isOpen() ? sendSide.pendingMessages() : 0;
    }

    /** When the peer last gave a sign of life. */
    long lastReceivedNs() {
        return lastReceivedNs;
    }

    /** How long ago it was begun, in nanoseconds; by the progress thread. */
    long ageNs() {
        return group.nowNs() - bornNs;
    }

    /** The peer's address, for people to read. */
    public String peer() {
        return peer;
    }

    /**
     * Closes the link after all that was sent has been handed to the peer's listener.
     *
     * @param timeoutMs how long to wait for that; 0 to drop what is on its way
     * @return whether all was handed over
     */
    public boolean close(long timeoutMs) {
        boolean handedOver = false;
        try {
            if (timeoutMs > 0 && isOpen()) {
                group.refuseProgressThread("wait until a link is closed");
                closingHere = true;
                sendSide.beginClose();
                handedOver = ended.await(timeoutMs, TimeUnit.MILLISECONDS) && peerSaidGoodbye;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        group.execute(() -> finish("closed here"));
        return handedOver;
    }

    @Override
    public String toString() {
        return "link " + (connecting ? "to " : "from ") + peer;
    }

    /** Gives the link its buffers and its way to the peer, and posts all receives. */
    void attach(LinkBuffers ownMemory, FrameChannel ownWire, LinkConfiguration configuration) {
        memory = ownMemory;
        wire = ownWire;
        ledger = new CreditLedger(configuration.receiveFrames());
        sendSide = new FrameSender(memory, wire, ledger, this, configuration);
        receiveSide = new FrameReceiver(memory, wire, this, configuration);
        receiveSide.start();
    }

    /** Frames can reach the peer: the connecting end greets, the other answers. */
    void onConnected() {
        guarded(() -> {
            if (connecting) {
                sendSide.greet(FrameHeader.HELLO, group.hello(secret.connectingProof(), 0, new byte[0]));
            }
            receiveSide.release();
        });
    }

    /** A receive of this link is complete, or failed. */
    void onReceived(int slot, int lengthBytes, int error) {
        if (closed || error != 0) {
            receiveSide.ended();
            // A connection that is not made ends all receives; why, its event tells.
            if (open) {
                fail("the connection broke: " + CompletionQueue.describe(error));
            }
        } else {
            guarded(() -> receiveSide.completed(slot, lengthBytes));
        }
    }

    /** A send of this link is complete, or failed; by any thread that holds no lock of a link. */
    void onSent(int slot, int error) {
        if (sendSide.completed(slot)) {
            writableSoon();
        }
        if (error != 0) {
            failSoon("the connection broke: " + CompletionQueue.describe(error));
        } else if (closingHere) {
            group.execute(this::finishIfBothSaidGoodbye);
        }
    }

    /** A frame, in its turn; called by the {@link FrameReceiver}. */
    void onFrame(byte type, int credits, ByteBuffer payload) throws ProtocolException {
        lastReceivedNs = group.nowNs();
        pingSent = false;
        if (!open) {
            onFirstFrame(type, payload);
            return;
        }
        if (credits > 0 && sendSide.credited(credits)) {
            listener.onWritable(this);
        }
        switch (type) {
            case FrameHeader.DATA -> {
                ledger.spent();
                receiveSide.read(payload, messages);
                listener.onBatchEnd(this);
            }
            case FrameHeader.PING -> sendSide.want(FrameHeader.PONG);
            case FrameHeader.GOODBYE -> onGoodbye();
            case FrameHeader.CREDIT, FrameHeader.PONG -> LOG.trace("{}: a frame of type {}", this, type);
            default -> throw new ProtocolException("a second greeting");
        }
    }

    /** The buffer of a frame of data has been posted again. */
    void onDataReposted() {
        ledger.reposted();
        if (ledger.isReportDue()) {
            sendSide.want(FrameHeader.CREDIT);
        }
    }

    /** Looks whether the peer is alive; called every few milliseconds. */
    void onTick(long nowNs) {
        if (!open) {
            if (nowNs - bornNs > Math.min(GREETING_NS, group.peerTimeoutNs())) {
                fail("no greeting from the peer in time");
            }
            return;
        }
        long silentNs = nowNs - lastReceivedNs;
        if (silentNs > group.peerTimeoutNs()) {
            fail("no sign of life from the peer for " + TimeUnit.NANOSECONDS.toMillis(silentNs) + " ms");
        } else if (!pingSent && silentNs > group.peerTimeoutNs() / 3) {
            pingSent = true;
            sendSide.want(FrameHeader.PING);
        }
    }

    /** Tries again what the provider had no resources for. */
    void retry() {
        if (!closed) {
            sendSide.retry();
            receiveSide.retry();
        }
    }

    /** Whether no operation uses the memory of this closed link any more, so that it could be released. */
    boolean release(boolean completionsRead) {
        if (memory != null) {
            if (memoryIsOurs ? !completionsRead : receiveSide.posted() + sendSide.underWay() > 0) {
                return false;
            }
            wire.released();
            memory.close();
        }
        return true;
    }

    /** Releases memory that the provider cannot use any more, because its endpoint is closed. */
    void releaseAnyway() {
        if (memory != null) {
            memory.close();
        }
    }

    /** Something went wrong. */
    void fail(String reason) {
        finish(peerSaidGoodbye && !closingHere ? "closed by the peer" : reason);
    }

    /** As {@link #fail}, by the progress thread as soon as it can. */
    void failSoon(String reason) {
        group.execute(() -> fail(reason));
    }

    /** Asks the progress thread to {@link #retry()}. */
    void retrySoon() {
        group.retry(this);
    }

    /** Leaves sends that are not finished to the progress thread, or tells it that there are none any more. */
    void leaveSends(boolean unfinished) {
        group.leaveSends(unfinished);
    }

    /** Asks the progress thread to look soon whether sends are finished. */
    void hurrySends() {
        group.hurrySends();
    }

    /** Tells the listener that there is room again, by the progress thread. */
    void writableSoon() {
        group.execute(() -> {
            if (!closed) {
                guarded(() -> listener.onWritable(this));
            }
        });
    }

    /** Ends the link: by the progress thread, once. */
    void finish(String reason) {
        if (closed) {
            return;
        }
        closed = true;
        if (wire != null) {
            sendSide.close();
            long[] receives = new long[memory.receiveSlots()];
            for (int slot = 0; slot < receives.length; slot++) {
                receives[slot] = memory.context(slot);
            }
            try {
                memoryIsOurs = wire.close(receives);
            } catch (FabricException e) {
                LOG.error("{}: its endpoint cannot be closed; its buffers stay until the group is closed", this, e);
            }
        }
        group.forget(this);
        ended.countDown();
        try {
            listener.onClosed(this, reason);
        } catch (RuntimeException e) {
            LOG.error("{}: the listener failed when it was told of the end", this, e);
        }
    }

    private void onFirstFrame(byte type, ByteBuffer payload) throws ProtocolException {
        if (type != (connecting ? FrameHeader.WELCOME : FrameHeader.HELLO)) {
            throw new ProtocolException("the first frame is of type " + type + ", not a greeting");
        }
        Hello hello = Hello.decode(payload);
        check(hello, secret, connecting);
        if (!connecting) {
            sendSide.greet(FrameHeader.WELCOME, group.hello(secret.listeningProof(), 0, new byte[0]));
        }
        open(hello);
    }

    /** Refuses a peer that does not know the secret. */
    static void check(Hello hello, LinkSecret secret, boolean connecting) throws ProtocolException {
        if (connecting ? !secret.isListeningProof(hello.proof()) : !secret.isConnectingProof(hello.proof())) {
            throw new ProtocolException("the peer belongs to something else or does not know the secret");
        }
    }

    private void open(Hello hello) {
        sendSide.open(Math.min(hello.frameBytes(), group.configuration().frameBytes()), hello.window());
        open = true;
        listener.onOpen(this);
    }

    private void onMessage(int address, ByteBuffer message) {
        listener.onMessage(this, address, message);
    }

    private void onGoodbye() {
        peerSaidGoodbye = true;
        if (closingHere) {
            finishIfBothSaidGoodbye();
        } else {
            // The peer ends the connection when it has read the answer, so that the answer is not lost.
            sendSide.abortAndSayGoodbye();
        }
    }

    private void finishIfBothSaidGoodbye() {
        if (closingHere && peerSaidGoodbye && sendSide.isGoodbyeSent()) {
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
            LOG.warn("{} is closed: {}", this, e.getMessage());
            fail(e.getMessage());
        } catch (RuntimeException e) {
            LOG.error("{} is closed: its listener or its provider failed", this, e);
            fail("failed: " + e.getMessage());
        }
    }

    private interface Step {

        void run() throws ProtocolException;
    }
}
