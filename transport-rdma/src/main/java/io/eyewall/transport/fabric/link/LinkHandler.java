package io.eyewall.transport.fabric.link;

import java.nio.ByteBuffer;

/**
 * Receives the messages and events of links, on the progress thread of their group. A handler must not block: meanwhile no link of the
 * group makes progress, and no credits go back. An exception closes the link.
 */
public interface LinkHandler {

    /** A link is ready to send and receive. */
    void onOpen(Link link);

    /**
     * A message arrived. Messages arrive in the order in which they were sent.
     *
     * @param address the address that the sender gave it
     * @param message from position to limit, in little-endian order; memory of the fabric that is valid during this call only, unless it
     *     has an array of exactly the message's length, which the handler may keep
     */
    void onMessage(Link link, int address, ByteBuffer message);

    /** All messages of a frame have been passed to {@link #onMessage}. */
    void onBatchEnd(Link link);

    /** A link that {@linkplain Link#offer refused} a message has room again. */
    void onWritable(Link link);

    /**
     * A link is closed, or could not be opened. This is its last event.
     *
     * @param reason why, in words for the log
     */
    void onClosed(Link link, String reason);
}
