package io.eyewall.transport.fabric.link;

import java.nio.ByteBuffer;

/**
 * Told about links by the progress thread of their group. It must not block: while it runs, no link of the group makes progress, and no
 * credits go back. What it throws closes the link.
 */
public interface LinkHandler {

    /** A link is ready to send and receive. */
    void onOpen(Link link);

    /**
     * A message arrived, in the order in which it was sent.
     *
     * @param address what the sender addressed it to
     * @param message from position to limit, in little-endian order; memory of the fabric, to be read during the call only, unless it has
     *     an array of exactly the message's length, which may be kept
     */
    void onMessage(Link link, int address, ByteBuffer message);

    /** All messages of a frame have been handed over. */
    void onBatchEnd(Link link);

    /** There is room again on a link that {@linkplain Link#offer refused} a message. */
    void onWritable(Link link);

    /**
     * A link is closed, or could not be opened; nothing is told of it any more.
     *
     * @param reason for people to read
     */
    void onClosed(Link link, String reason);
}
