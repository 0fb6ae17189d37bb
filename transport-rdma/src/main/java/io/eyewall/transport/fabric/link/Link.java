package io.eyewall.transport.fabric.link;

/**
 * An ordered, reliable link to another process, for messages of any size. Messages that were sent just before a link breaks may be lost.
 * No message arrives twice or out of order.
 *
 * <p>Safe for any thread. The progress thread, which calls the {@link LinkHandler}, must not call the methods that wait.
 */
public final class Link {

    private final LinkSession session;

    Link(LinkSession session) {
        this.session = session;
    }

    /**
     * Sends a message. Waits while the peer or the network cannot keep up. The message may stay in this process until {@link #flush()}.
     *
     * @param address any number that means something to the peer's handler
     * @return false if the message was not sent because the link is not open, or was closed meanwhile
     * @throws InterruptedException if the thread is interrupted before any part of the message is sent; then no part will be
     * @throws IllegalStateException if the progress thread calls it
     */
    public boolean send(int address, byte[] message) throws InterruptedException {
        return session.send(address, message);
    }

    /**
     * Sends a message if that needs no waiting. If it does, {@link LinkHandler#onWritable} is called when there is room again. The message
     * must not be longer than all send buffers of the link together.
     *
     * @return whether it was sent
     */
    public boolean offer(int address, byte[] message) {
        return session.offer(address, message);
    }

    /**
     * Sends the frame that has been begun. If frames are in flight, it is sent when the next of them has left, together with the messages
     * that are sent until then.
     */
    public void flush() {
        session.flush(false);
    }

    /** As {@link #flush()}, but prefers larger frames to an early send. For a thread that sends many messages and will send more. */
    public void flushSoon() {
        session.flush(true);
    }

    /** Whether messages can be sent. */
    public boolean isOpen() {
        return session.isOpen();
    }

    /** Whether the link is closed for good. */
    public boolean isClosed() {
        return session.isClosed();
    }

    /** How many messages were sent here and may not have left the process. */
    public int pendingMessages() {
        return session.pendingMessages();
    }

    /** The peer's address, in words for the log. */
    public String peer() {
        return session.peer();
    }

    /**
     * Closes the link after all messages sent have been passed to the peer's handler.
     *
     * @param timeoutMs how long to wait for that; 0 to drop messages that are in flight
     * @return whether all messages were passed to the peer's handler
     * @throws IllegalStateException if the progress thread calls it with a timeout
     */
    public boolean close(long timeoutMs) {
        return session.close(timeoutMs);
    }

    @Override
    public String toString() {
        return session.toString();
    }

    /** When the peer's last frame arrived, by the group's clock. */
    long lastReceivedNs() {
        return session.lastReceivedNs();
    }

    /** How long ago the link was created, in nanoseconds. For the progress thread. */
    long ageNs() {
        return session.ageNs();
    }
}
