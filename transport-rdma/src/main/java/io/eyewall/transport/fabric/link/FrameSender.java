package io.eyewall.transport.fabric.link;

import io.eyewall.transport.fabric.binding.Endpoint;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The sending half of a link. Any thread packs its messages into the open frame, which goes out when it is full or flushed; a flush while
 * frames are under way leaves it to the next completion, so that small messages fill frames exactly when sending is slower than they
 * come.
 *
 * <p>Who posts looks at once whether the provider is done, as providers without hardware mostly are; if it is not, the progress thread
 * looks within a millisecond, or is woken if something waits that nobody else looks for. A thread that waits for a buffer looks again and
 * again by itself. So nobody is woken for a send at full speed. Buffers are taken last-in-first-out: the last one is still in the cache.
 *
 * <p>A frame of data is opened only with a free buffer and a credit, so it can always be posted. Frames of other types have buffers of
 * their own and need no credit, so they never wait for data.
 *
 * <p>Safe for any thread. The lock is held for copying a message and for posting, never for waiting, and not while looking for finished
 * sends, which takes the locks of other links.
 */
final class FrameSender {

    /** Buffers for frames that carry no data: one for each that can be under way, and two more. */
    static final int CONTROL_SLOTS = CreditLedger.RESERVED + 2;

    private static final int NONE = -1;
    /** A flush posts at once if fewer frames of data than this are under way. */
    private static final int FLUSH_LIMIT = 2;
    /** Pauses of a thread that waits for a buffer: they double. */
    private static final long SHORTEST_PAUSE_NS = 20_000;
    private static final long LONGEST_PAUSE_NS = 1_000_000;

    private final LinkBuffers memory;
    private final FrameChannel wire;
    private final CreditLedger ledger;
    private final Link link;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();

    // Guarded by the lock, all that follows.
    private final SlotQueue freeData;
    private final SlotQueue freeControl = new SlotQueue(CONTROL_SLOTS);
    private final SlotQueue unposted;
    private final int[] lengths;
    private final int[] messages;
    private FrameWriter writer;
    private int openSlot = NONE;
    private int dataUnderWay;
    private int underWay;
    private int pendingMessages;
    private int sequence;
    private int wantedTypes;
    /** The progress thread has been asked to see to sends, and to hurry. */
    private boolean unfinished;
    private boolean hurried;
    /** A thread is in the middle of a message and waits for the next frame. */
    private boolean inMessage;
    private boolean flushWanted;
    private boolean refused;
    /** No new messages are taken. */
    private boolean closing;
    private boolean goodbyeSent;
    private boolean closed;

    FrameSender(LinkBuffers memory, FrameChannel wire, CreditLedger ledger, Link link, LinkConfiguration configuration) {
        this.memory = memory;
        this.wire = wire;
        this.ledger = ledger;
        this.link = link;
        this.freeData = new SlotQueue(configuration.sendFrames());
        this.unposted = new SlotQueue(configuration.slots());
        this.lengths = new int[configuration.slots()];
        this.messages = new int[configuration.slots()];
        for (int slot = memory.receiveSlots(); slot < configuration.slots(); slot++) {
            (slot < memory.firstControlSlot() ? freeData : freeControl).add(slot);
        }
    }

    /** The peer has greeted: data may be sent. */
    void open(int frameBytes, int window) {
        locked(() -> {
            ledger.open(window);
            writer = new FrameWriter(memory.buffer(), frameBytes);
        });
    }

    /** Sends the first frame of this end. */
    void greet(byte type, Hello hello) {
        locked(() -> {
            int slot = freeControl.remove();
            memory.buffer().position(memory.offset(slot) + FrameHeader.BYTES);
            hello.encode(memory.buffer());
            seal(slot, type, hello.encodedBytes());
        });
    }

    /**
     * Packs a message, waiting for credits and buffers.
     *
     * @return false if the link is closed, or closes before the message is packed
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
                    sealOpenFrame();
                    posted = true;
                } else {
                    packed += written;
                    complete = packed == message.length;
                    inMessage = !complete;
                }
            }
            packedOne();
            if (flushWanted && dataUnderWay < FLUSH_LIMIT) {
                sealOpenFrame();
            }
            if (posted) {
                lookForFinishedSends();
            }
            return true;
        } finally {
            unlock();
        }
    }

    /** As {@link #send}, but returns false rather than wait. */
    boolean offer(int address, byte[] message) {
        lock.lock();
        try {
            if (closing || closed || writer == null) {
                return false;
            }
            boolean fits = openSlot != NONE && writer.fits(message.length);
            int frames = writer.framesFor(message.length);
            if (inMessage || (!fits && (freeData.size() < frames || ledger.available() < frames))) {
                refused = true;
                return false;
            }
            int packed = 0;
            boolean complete = false;
            while (!complete) {
                int written = openFrame() ? writer.write(address, message, packed) : 0;
                if (written == FrameWriter.FULL) {
                    sealOpenFrame();
                } else {
                    packed += written;
                    complete = packed == message.length;
                }
            }
            packedOne();
            return true;
        } finally {
            unlock();
        }
    }

    /**
     * Sends what is packed, now or as soon as a frame under way is done.
     *
     * @param leaving whether to leave it to the progress thread to look what is done: it takes a while to wake up, and more is packed
     *     meanwhile
     */
    void flush(boolean leaving) {
        lock.lock();
        try {
            if (dataUnderWay >= FLUSH_LIMIT && !leaving) {
                lookForFinishedSends();
            }
            if (openSlot != NONE && dataUnderWay < FLUSH_LIMIT && !inMessage) {
                sealOpenFrame();
                if (!leaving) {
                    lookForFinishedSends();
                }
            } else {
                flushWanted = openSlot != NONE;
            }
        } finally {
            unlock();
        }
    }

    /** Sends a frame without data as soon as a buffer for it is free. */
    void want(byte type) {
        locked(() -> {
            wantedTypes |= 1 << type;
            sendWanted();
        });
    }

    /** Takes no more messages, and says goodbye after those that it has. */
    void beginClose() {
        locked(() -> {
            closing = true;
            wantedTypes |= 1 << FrameHeader.GOODBYE;
            sendWanted();
            changed.signalAll();
        });
    }

    /** Drops the messages that are not sent yet, and says goodbye. */
    void abortAndSayGoodbye() {
        locked(() -> {
            closing = true;
            inMessage = false;
            openSlot = NONE;
            writer = null;
            wantedTypes |= 1 << FrameHeader.GOODBYE;
            sendWanted();
            changed.signalAll();
        });
    }

    /** Ends everything: nothing is posted from now on, nor written to buffers, which will go when no operation uses them. */
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
     * A send is complete.
     *
     * @return whether to tell that there is room again
     */
    boolean completed(int slot) {
        lock.lock();
        try {
            underWay--;
            if (slot < memory.firstControlSlot()) {
                dataUnderWay--;
                pendingMessages -= messages[slot];
                freeData.add(slot);
            } else {
                freeControl.add(slot);
            }
            return proceed();
        } finally {
            unlock();
        }
    }

    /** The peer returned credits; otherwise as {@link #completed}. */
    boolean credited(int credits) throws ProtocolException {
        lock.lock();
        try {
            ledger.add(credits);
            return proceed();
        } finally {
            unlock();
        }
    }

    /** Tries again to post what the provider had no resources for. */
    void retry() {
        locked(this::postSealed);
    }

    /** Messages that are packed, but whose frames are not known to have left. */
    int pendingMessages() {
        lock.lock();
        try {
            return pendingMessages;
        } finally {
            unlock();
        }
    }

    /** Sends whose completion is outstanding. */
    int underWay() {
        lock.lock();
        try {
            return underWay;
        } finally {
            unlock();
        }
    }

    /** Whether the last frame has left. */
    boolean isGoodbyeSent() {
        lock.lock();
        try {
            return goodbyeSent && underWay == 0 && unposted.isEmpty();
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
        tellWhetherFinished();
        lock.unlock();
    }

    private void tellWhetherFinished() {
        boolean now = !closed && (underWay > 0 || !unposted.isEmpty());
        if (now != unfinished) {
            unfinished = now;
            link.leaveSends(now);
        }
        boolean hurry = now && (flushWanted || refused || wantedTypes != 0 || closing);
        if (hurry && !hurried) {
            link.hurrySends();
        }
        hurried = hurry;
    }

    /** Gives up the lock meanwhile: everything may have changed afterwards. */
    private void lookForFinishedSends() {
        if (underWay > 0) {
            lock.unlock();
            try {
                wire.pollSends();
            } finally {
                lock.lock();
            }
        }
    }

    private boolean proceed() {
        // Who is in the middle of a message fills the frame first.
        if (flushWanted && !inMessage) {
            sealOpenFrame();
        }
        sendWanted();
        changed.signalAll();
        boolean tell = refused && !inMessage && !freeData.isEmpty() && ledger.available() > 0;
        if (tell) {
            refused = false;
        }
        return tell;
    }

    /**
     * Waits until there is an open frame to write to, and no other thread is in the middle of a message.
     *
     * @param begun whether the caller itself is: then it goes on even if the link is closing, or the peer could not read what follows
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
     * Waits for a change. The end of a send is one that nobody tells of: whoever waits for a buffer looks for it, at once and then after
     * pauses.
     *
     * @param pauseNs what the last call returned, 0 for the first
     */
    @SuppressWarnings("WaitNotInLoop") // The loop is the caller's.
    private long awaitChange(long pauseNs) throws InterruptedException {
        boolean sending = dataUnderWay > 0;
        if (sending && pauseNs == 0) {
            lookForFinishedSends();
            return SHORTEST_PAUSE_NS;
        }
        tellWhetherFinished();
        if (!sending) {
            changed.await();
            return 0;
        }
        if (changed.awaitNanos(pauseNs) <= 0) {
            lookForFinishedSends();
        }
        return Math.min(LONGEST_PAUSE_NS, 2 * pauseNs);
    }

    private boolean openFrame() {
        if (openSlot == NONE && writer != null && !freeData.isEmpty() && ledger.available() > 0) {
            openSlot = freeData.removeNewest();
            messages[openSlot] = 0;
            ledger.take();
            writer.open(memory.offset(openSlot));
        }
        return openSlot != NONE;
    }

    private void packedOne() {
        messages[openSlot]++;
        pendingMessages++;
        if (lock.hasWaiters(changed)) {
            changed.signalAll();
        }
        if (closing) {
            sendWanted();
        }
        if (refused) {
            refused = false;
            link.writableSoon();
        }
    }

    private void sealOpenFrame() {
        if (openSlot != NONE) {
            int slot = openSlot;
            openSlot = NONE;
            dataUnderWay++;
            seal(slot, FrameHeader.DATA, writer.payloadBytes());
        }
        flushWanted = false;
    }

    private void sendWanted() {
        sendWanted(FrameHeader.CREDIT, ledger.isReportDue());
        sendWanted(FrameHeader.PING, true);
        sendWanted(FrameHeader.PONG, true);
        if ((wantedTypes & (1 << FrameHeader.GOODBYE)) != 0 && !inMessage) {
            sealOpenFrame();
            goodbyeSent |= sendWanted(FrameHeader.GOODBYE, true);
        }
    }

    private boolean sendWanted(byte type, boolean stillWanted) {
        int bit = 1 << type;
        if ((wantedTypes & bit) == 0 || freeControl.isEmpty() || goodbyeSent) {
            return false;
        }
        wantedTypes &= ~bit;
        if (stillWanted) {
            seal(freeControl.remove(), type, 0);
        }
        return stillWanted;
    }

    private void seal(int slot, byte type, int payloadBytes) {
        if (closed) {
            return;
        }
        FrameHeader.write(memory.buffer(), memory.offset(slot), type, ledger.report(), sequence++, payloadBytes);
        lengths[slot] = FrameHeader.BYTES + payloadBytes;
        unposted.add(slot);
        postSealed();
    }

    private void postSealed() {
        while (!closed && !unposted.isEmpty()) {
            int slot = unposted.peek();
            long result = wire.send(memory.address(slot), lengths[slot], memory.context(slot));
            if (Endpoint.mustRetry(result)) {
                link.retrySoon();
                return;
            }
            if (result != 0) {
                closed = true;
                link.failSoon(wire.describe(result));
                return;
            }
            unposted.remove();
            underWay++;
        }
    }
}
