package io.eyewall.transport.fabric.link;

import io.eyewall.transport.fabric.binding.Endpoint;
import io.eyewall.transport.fabric.link.driver.FrameChannel;
import io.eyewall.transport.fabric.link.driver.LinkBuffers;
import io.eyewall.transport.fabric.link.frame.FrameHeader;
import io.eyewall.transport.fabric.link.frame.FrameWriter;
import io.eyewall.transport.fabric.link.frame.Hello;
import io.eyewall.transport.fabric.link.frame.ProtocolException;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The sending half of a link. Any thread packs its messages into the open frame, which is posted when it is full or flushed. A flush while
 * frames are in flight leaves the frame open until one of them completes, so that small messages share frames exactly when messages come
 * faster than frames leave.
 *
 * <p>A thread that posts a frame polls at once for completed sends: providers without hardware have mostly completed theirs by then. If
 * they have not, the progress thread polls within a millisecond, or is woken if something waits for which no other thread polls. A thread
 * that waits for a buffer polls repeatedly itself. So at full speed no send wakes a thread. Buffers are used last in, first out: the last
 * one is still in the cache.
 *
 * <p>A data frame is opened only with a free buffer and a credit, so it can always be posted. Control frames have buffers of their own and
 * need no credit, so they never wait for data frames.
 *
 * <p>Safe for any thread. A thread holds the lock while it copies a message or posts a frame, never while it waits or polls: polling takes
 * the locks of other links.
 */
final class FrameSender {

    /** Buffers for control frames: one for each that can be in flight, and two more. */
    static final int CONTROL_SLOTS = CreditLedger.RESERVED + 2;

    private static final int NONE = -1;
    /** A flush posts at once if fewer data frames than this are in flight. */
    private static final int FLUSH_LIMIT = 2;
    /** The pauses of a thread that waits for a buffer: each is twice the one before. */
    private static final long SHORTEST_PAUSE_NS = 20_000;
    private static final long LONGEST_PAUSE_NS = 1_000_000;

    private final LinkBuffers buffers;
    private final FrameChannel channel;
    private final CreditLedger credits;
    private final LinkSession session;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();

    // All fields from here on are guarded by the lock.
    private final SlotQueue freeData;
    private final SlotQueue freeControl = new SlotQueue(CONTROL_SLOTS);
    private final FramePoster poster;
    /** How many messages end in the frame of each slot. */
    private final int[] messages;
    private FrameWriter writer;
    private int openSlot = NONE;
    private int dataInFlight;
    private int pendingMessages;
    /** One bit for each type of control frame that waits to be sent. */
    private int requestedTypes;
    /** Whether the progress thread knows that there are unfinished sends. */
    private boolean unfinished;
    /** Whether the progress thread was woken to poll for them. */
    private boolean hurried;
    /** Whether a thread is in the middle of a message and waits for the next frame. */
    private boolean inMessage;
    private boolean flushRequested;
    /** Whether an offer was refused since the handler was last told that there is room. */
    private boolean refused;
    /** Whether new messages are refused. */
    private boolean closing;
    private boolean goodbyeSent;
    private boolean closed;

    FrameSender(LinkBuffers buffers, FrameChannel channel, CreditLedger credits, LinkSession session) {
        this.buffers = buffers;
        this.channel = channel;
        this.credits = credits;
        this.session = session;
        this.freeData = new SlotQueue(buffers.firstControlSlot() - buffers.receiveSlots());
        this.poster = new FramePoster(buffers, channel);
        this.messages = new int[buffers.slots()];
        for (int slot = buffers.receiveSlots(); slot < buffers.slots(); slot++) {
            (slot < buffers.firstControlSlot() ? freeData : freeControl).add(slot);
        }
    }

    /** Allows data to be sent, since the peer's hello has arrived. */
    void open(int frameBytes, int window) {
        locked(() -> {
            credits.open(window);
            writer = new FrameWriter(buffers.buffer(), frameBytes);
        });
    }

    /** Sends this end's hello, as its first frame. */
    void sendHello(byte type, Hello hello) {
        locked(() -> {
            int slot = freeControl.remove();
            buffers.buffer().position(buffers.offset(slot) + FrameHeader.BYTES);
            hello.encode(buffers.buffer());
            sealAndPost(slot, type, hello.encodedBytes());
        });
    }

    /**
     * Packs a message, and waits for credits and buffers if it must.
     *
     * @return false if the link is closed, or is closed before the message is packed
     */
    boolean send(int address, byte[] message) throws InterruptedException {
        lock.lock();
        try {
            int packed = 0;
            boolean complete = false;
            boolean posted = false;
            while (!complete) {
                if (!awaitFrame(packed > 0)) {
                    return false;
                }
                int written = writer.write(address, message, packed);
                if (written == FrameWriter.FULL) {
                    postOpenFrame();
                    posted = true;
                } else {
                    packed += written;
                    complete = packed == message.length;
                    inMessage = !complete;
                }
            }
            onMessagePacked();
            if (flushRequested && dataInFlight < FLUSH_LIMIT) {
                postOpenFrame();
            }
            if (posted) {
                pollSends();
            }
            return true;
        } finally {
            unlock();
        }
    }

    /** As {@link #send}, but returns false instead of waiting. */
    boolean offer(int address, byte[] message) {
        lock.lock();
        try {
            if (closing || closed || writer == null) {
                return false;
            }
            boolean fits = openSlot != NONE && writer.fits(message.length);
            int frames = writer.framesFor(message.length);
            if (inMessage || (!fits && (freeData.size() < frames || credits.available() < frames))) {
                refused = true;
                return false;
            }
            int packed = 0;
            boolean complete = false;
            while (!complete) {
                int written = openFrame() ? writer.write(address, message, packed) : 0;
                if (written == FrameWriter.FULL) {
                    postOpenFrame();
                } else {
                    packed += written;
                    complete = packed == message.length;
                }
            }
            onMessagePacked();
            return true;
        } finally {
            unlock();
        }
    }

    /**
     * Posts the open frame, now or as soon as a frame in flight completes.
     *
     * @param soon whether to leave it to the progress thread to poll for completed sends: it takes a while to wake up, and more messages
     *     are packed until then
     */
    void flush(boolean soon) {
        lock.lock();
        try {
            if (dataInFlight >= FLUSH_LIMIT && !soon) {
                pollSends();
            }
            if (openSlot != NONE && dataInFlight < FLUSH_LIMIT && !inMessage) {
                postOpenFrame();
                if (!soon) {
                    pollSends();
                }
            } else {
                flushRequested = openSlot != NONE;
            }
        } finally {
            unlock();
        }
    }

    /** Sends a control frame as soon as there is a free buffer for it. */
    void requestControlFrame(byte type) {
        locked(() -> {
            requestedTypes |= 1 << type;
            sendRequestedFrames();
        });
    }

    /** Accepts no more messages, and sends the goodbye behind those accepted. */
    void beginClose() {
        locked(() -> {
            closing = true;
            requestedTypes |= 1 << FrameHeader.GOODBYE;
            sendRequestedFrames();
            changed.signalAll();
        });
    }

    /** Drops the messages of the open frame, and sends the goodbye. */
    void dropMessagesAndSayGoodbye() {
        locked(() -> {
            closing = true;
            inMessage = false;
            openSlot = NONE;
            writer = null;
            requestedTypes |= 1 << FrameHeader.GOODBYE;
            sendRequestedFrames();
            changed.signalAll();
        });
    }

    /** Ends everything. From now on nothing is posted, and nothing is written to the buffers, which may soon be freed. */
    void close() {
        locked(() -> {
            closed = true;
            closing = true;
            openSlot = NONE;
            writer = null;
            changed.signalAll();
        });
    }

    /**
     * Handles a completed send.
     *
     * @return whether to report to the handler that there is room again
     */
    boolean completed(int slot) {
        lock.lock();
        try {
            poster.completed();
            if (slot < buffers.firstControlSlot()) {
                dataInFlight--;
                pendingMessages -= messages[slot];
                freeData.add(slot);
            } else {
                freeControl.add(slot);
            }
            return useRoom();
        } finally {
            unlock();
        }
    }

    /** Adds credits that the peer has returned; the result is that of {@link #completed}. */
    boolean credited(int returned) throws ProtocolException {
        lock.lock();
        try {
            credits.add(returned);
            return useRoom();
        } finally {
            unlock();
        }
    }

    /** Posts the frames for which the provider had no resources. */
    void retry() {
        locked(this::post);
    }

    /** How many messages are packed into frames that are not known to have left. */
    int pendingMessages() {
        lock.lock();
        try {
            return pendingMessages;
        } finally {
            unlock();
        }
    }

    /** How many sends are posted and not completed. */
    int inFlight() {
        lock.lock();
        try {
            return poster.inFlight();
        } finally {
            unlock();
        }
    }

    /** Whether the goodbye, and so every frame, has left. */
    boolean isGoodbyeSent() {
        lock.lock();
        try {
            return goodbyeSent && poster.isIdle();
        } finally {
            unlock();
        }
    }

    private void locked(Runnable action) {
        lock.lock();
        try {
            action.run();
        } finally {
            unlock();
        }
    }

    private void unlock() {
        reportUnfinishedSends();
        lock.unlock();
    }

    private void reportUnfinishedSends() {
        boolean now = !closed && !poster.isIdle();
        if (now != unfinished) {
            unfinished = now;
            session.setSendsUnfinished(now);
        }
        boolean hurry = now && (flushRequested || refused || requestedTypes != 0 || closing);
        if (hurry && !hurried) {
            session.pollSendsSoon();
        }
        hurried = hurry;
    }

    /** Gives up the lock while it polls: everything may have changed afterwards. */
    private void pollSends() {
        if (poster.inFlight() > 0) {
            lock.unlock();
            try {
                channel.pollSends();
            } finally {
                lock.lock();
            }
        }
    }

    /** Sends the frames that waited for a buffer or a credit; returns whether to report to the handler that there is room again. */
    private boolean useRoom() {
        // A thread in the middle of a message fills the frame first.
        if (flushRequested && !inMessage) {
            postOpenFrame();
        }
        sendRequestedFrames();
        changed.signalAll();
        boolean report = refused && !inMessage && !freeData.isEmpty() && credits.available() > 0;
        if (report) {
            refused = false;
        }
        return report;
    }

    /**
     * Waits until there is an open frame to write to and no other thread is in the middle of a message.
     *
     * @param begun whether the caller is in the middle of a message; it then finishes it even if the link is closing, since otherwise the
     *     peer could not read what follows
     */
    private boolean awaitFrame(boolean begun) throws InterruptedException {
        boolean interrupted = false;
        long pauseNs = 0;
        try {
            while (!closed && writer != null && (begun || !closing)) {
                if ((begun || !inMessage) && openFrame()) {
                    return true;
                }
                try {
                    pauseNs = awaitChange(pauseNs);
                } catch (InterruptedException e) {
                    if (!begun) {
                        throw e;
                    }
                    interrupted = true;
                }
            }
            return false;
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /**
     * Waits for a change. Nothing reports a completed send to this thread, so that it polls for one itself, at once and then after pauses.
     *
     * @param pauseNs the result of the last call, 0 for the first
     */
    @SuppressWarnings("WaitNotInLoop") // The caller loops.
    private long awaitChange(long pauseNs) throws InterruptedException {
        boolean sending = dataInFlight > 0;
        if (sending && pauseNs == 0) {
            pollSends();
            return SHORTEST_PAUSE_NS;
        }
        reportUnfinishedSends();
        if (!sending) {
            changed.await();
            return 0;
        }
        if (changed.awaitNanos(pauseNs) <= 0) {
            pollSends();
        }
        return Math.min(LONGEST_PAUSE_NS, 2 * pauseNs);
    }

    private boolean openFrame() {
        if (openSlot == NONE && writer != null && !freeData.isEmpty() && credits.available() > 0) {
            openSlot = freeData.removeNewest();
            messages[openSlot] = 0;
            credits.spend();
            writer.open(buffers.offset(openSlot));
        }
        return openSlot != NONE;
    }

    private void onMessagePacked() {
        messages[openSlot]++;
        pendingMessages++;
        if (lock.hasWaiters(changed)) {
            changed.signalAll();
        }
        if (closing) {
            sendRequestedFrames();
        }
        if (refused) {
            refused = false;
            session.reportWritableSoon();
        }
    }

    private void postOpenFrame() {
        if (openSlot != NONE) {
            int slot = openSlot;
            openSlot = NONE;
            dataInFlight++;
            sealAndPost(slot, FrameHeader.DATA, writer.payloadBytes());
        }
        flushRequested = false;
    }

    private void sendRequestedFrames() {
        sendRequestedFrame(FrameHeader.CREDIT, credits.isReturnDue());
        sendRequestedFrame(FrameHeader.PING, true);
        sendRequestedFrame(FrameHeader.PONG, true);
        if ((requestedTypes & (1 << FrameHeader.GOODBYE)) != 0 && !inMessage) {
            postOpenFrame();
            goodbyeSent |= sendRequestedFrame(FrameHeader.GOODBYE, true);
        }
    }

    private boolean sendRequestedFrame(byte type, boolean stillNeeded) {
        int bit = 1 << type;
        if ((requestedTypes & bit) == 0 || freeControl.isEmpty() || goodbyeSent) {
            return false;
        }
        requestedTypes &= ~bit;
        if (stillNeeded) {
            sealAndPost(freeControl.remove(), type, 0);
        }
        return stillNeeded;
    }

    private void sealAndPost(int slot, byte type, int payloadBytes) {
        if (!closed) {
            poster.seal(slot, type, credits.takeReturns(), payloadBytes);
            post();
        }
    }

    private void post() {
        if (closed) {
            return;
        }
        long result = poster.post();
        if (Endpoint.mustRetry(result)) {
            session.retrySoon();
        } else if (result != 0) {
            closed = true;
            session.failSoon(channel.describe(result));
        }
    }
}
