package io.eyewall.transport.fabric.link;

import io.eyewall.transport.fabric.link.frame.ProtocolException;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The credits of one link, in both directions. A credit stands for one receive that the peer has posted for data. A data frame costs one
 * credit, and the peer returns it after it has posted the receive again. A receiver with 16 receives that sends no data itself returns 8
 * credits after every 8th frame, so that the sender runs out only if the receiver is more than 8 frames behind.
 *
 * <p>Other frames cost nothing: {@link #RESERVED} receives beyond the credits are posted for them.
 */
final class CreditLedger {

    /**
     * Receives for frames that cost no credit. At most this many can be in flight: the hello, two frames that return credits (each returns
     * at least half of them, and the peer cannot use them before it has read the frame), a ping, a pong and a goodbye.
     */
    static final int RESERVED = 6;

    private final int returnAt;
    /** All credits that the peer gives. Guarded by the lock of the {@link FrameSender}, as is the next field. */
    private int peerWindow;
    private int available;
    /** Receives posted again whose credits have not been returned. The progress thread adds, any thread takes. */
    private final AtomicInteger unreturned = new AtomicInteger();
    /** Data frames that the peer may still send. */
    private final AtomicInteger granted;

    /**
     * The ledger of a new link, which may not send data yet.
     *
     * @param ownWindow how many receives this end posts for data
     */
    CreditLedger(int ownWindow) {
        this.returnAt = (ownWindow + 1) / 2;
        this.granted = new AtomicInteger(ownWindow);
    }

    /** Opens the ledger when the peer's hello has announced how many receives it posted for data. */
    void open(int window) {
        peerWindow = window;
        available = window;
    }

    /** How many data frames this end may send. */
    int available() {
        return available;
    }

    /** Spends a credit on a data frame. */
    void spend() {
        available--;
    }

    /**
     * Adds credits that the peer has returned.
     *
     * @throws ProtocolException if it returned more than this end had spent
     */
    void add(int credits) throws ProtocolException {
        if (credits > peerWindow - available) {
            throw new ProtocolException("the peer returned " + credits + " credits, but only " + (peerWindow - available) + " of "
                + peerWindow + " were spent");
        }
        available += credits;
    }

    /**
     * Counts a data frame that arrived.
     *
     * @throws ProtocolException if the peer had no credit for it
     */
    void received() throws ProtocolException {
        if (granted.decrementAndGet() < 0) {
            throw new ProtocolException("the peer sent more data frames than it had credits for");
        }
    }

    /** Notes that the receive of a data frame is posted again. */
    void reposted() {
        unreturned.incrementAndGet();
    }

    /** Whether half of the credits wait to be returned. */
    boolean isReturnDue() {
        return unreturned.get() >= returnAt;
    }

    /** Takes all credits that wait to be returned, for the header of the next frame. */
    int takeReturns() {
        int credits = unreturned.getAndSet(0);
        granted.addAndGet(credits);
        return credits;
    }
}
