package io.eyewall.transport.fabric.link.frame;

import java.nio.ByteBuffer;

/**
 * Packs messages into frames. A message is written as its address, its length and its bytes. A message that fits into one frame is never
 * split; a longer one continues at the start of the next frames, without repeating address and length. For one thread at a time.
 */
public final class FrameWriter {

    /** How many bytes of address and length precede a message. */
    public static final int MESSAGE_HEADER_BYTES = 8;
    /** {@link #write} returns this if the message must wait for the next frame. */
    public static final int FULL = -1;

    private final ByteBuffer buffer;
    private final int capacityBytes;
    private int start;
    private int position;
    private int limit;

    /**
     * A writer without an open frame.
     *
     * @param buffer holds the frames, at any offsets
     * @param capacityBytes the longest frame, header included
     */
    public FrameWriter(ByteBuffer buffer, int capacityBytes) {
        this.buffer = buffer;
        this.capacityBytes = capacityBytes;
    }

    /** Begins an empty frame at an offset of the buffer. */
    public void open(int at) {
        start = at;
        position = at + FrameHeader.BYTES;
        limit = at + capacityBytes;
    }

    /** How many bytes are written behind the header of the open frame. */
    public int payloadBytes() {
        return position - start - FrameHeader.BYTES;
    }

    /**
     * Writes as much of a message as fits into the open frame.
     *
     * @param from how many of its bytes earlier frames contain
     * @return how many of its bytes this call wrote, or {@link #FULL}
     */
    public int write(int address, byte[] message, int from) {
        int left = message.length - from;
        if (from == 0) {
            int room = limit - position - MESSAGE_HEADER_BYTES;
            boolean fitsIntoOne = left <= capacityBytes - FrameHeader.BYTES - MESSAGE_HEADER_BYTES;
            if (room < (fitsIntoOne ? left : 1)) {
                return FULL;
            }
            buffer.putInt(position, address);
            buffer.putInt(position + Integer.BYTES, message.length);
            position += MESSAGE_HEADER_BYTES;
        } else if (position == limit) {
            return FULL;
        }
        int written = Math.min(left, limit - position);
        buffer.put(position, message, from, written);
        position += written;
        return written;
    }

    /** How many frames a message takes at most if it begins a new one. */
    public int framesFor(int messageBytes) {
        int perFrame = capacityBytes - FrameHeader.BYTES;
        return (int) (((long) messageBytes + MESSAGE_HEADER_BYTES + perFrame - 1) / perFrame);
    }

    /** Whether a message fits into the rest of the open frame. */
    public boolean fits(int messageBytes) {
        return limit - position - MESSAGE_HEADER_BYTES >= messageBytes;
    }
}
