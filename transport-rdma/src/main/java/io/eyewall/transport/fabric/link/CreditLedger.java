package io.eyewall.transport.fabric.link;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * The credits of one link. A credit is one receive that the peer has posted for data; a frame of data costs one, and the peer gives it back
 * when it has posted the receive again. With 16 receives and frames that nothing is sent in return for, the receiver tells of 8 credits
 * after every 8th frame, so that the sender runs out only if the receiver is more than 8 frames behind.
 *
 * <p>Frames of other types cost nothing: {@link #RESERVED} receives are posted beyond the credits for all that can be under way.
 */
final class CreditLedger {

    /**
     * Receives for frames that cost no credit. At most this many can be unread: the first frame, two that return credits (each returns at
     * least half, and the credits returned cannot be used before the peer has read of them), a ping, a pong and a goodbye.
     */
    static final int RESERVED = 6;

    private final int reportAt;
    /** Credits that the peer gives at most. Guarded by the lock of the {@link FrameSender}, as the next. */
    private int peerWindow;
    private int available;
    /** Receives posted again that the peer has not been told of. */
    private final AtomicInteger unreported = new AtomicInteger();
    /** Frames of data that the peer may still send. */
    private final AtomicInteger granted;

    /**
     * The ledger of a new link, on which nothing may be sent yet.
     *
     * @param ownWindow receives posted for data here
     */
    CreditLedger(int ownWindow) {
        this.reportAt = (ownWindow + 1) / 2;
        this.granted = new AtomicInteger(ownWindow);
    }

    /** The peer has told how many receives it posted for data. */
    void open(int window) {
        peerWindow = window;
        available = window;
    }

    /** How many frames of data may be sent. */
    int available() {
        return available;
    }

    /** A frame of data will be sent. */
    void take() {
        available--;
    }

    /** The peer returned credits. */
    void add(int credits) throws ProtocolException {
        if (credits > peerWindow - available) {
            throw new ProtocolException("the peer returned more credits than were spent: " + credits + " where " + available + " of "
                + peerWindow + " are left");
        }
        available += credits;
    }

    /** A frame of data arrived. */
    void spent() throws ProtocolException {
        if (granted.decrementAndGet() < 0) {
            throw new ProtocolException("the peer sent more frames than it had credits for");
        }
    }

    /** The receive of a frame of data was posted again. */
    void reposted() {
        unreported.incrementAndGet();
    }

    /** Whether half the credits are waiting to be returned. */
    boolean isReportDue() {
        return unreported.get() >= reportAt;
    }

    /** What to return in the frame about to be sent. */
    int report() {
        int credits = unreported.getAndSet(0);
        granted.addAndGet(credits);
        return credits;
    }
}
