package io.eyewall.transport.fabric.link;

import java.nio.ByteBuffer;

/**
 * Packs messages into frames: each is written as its address, its length and its bytes. A message that fits into a frame is never split;
 * one that does not goes on at the start of the next frames, without another address and length.
 */
final class FrameWriter {

    static final int MESSAGE_HEADER_BYTES = 8;
    /** What {@link #write} returns if the message must wait for the next frame. */
    static final int FULL = -1;

    private final ByteBuffer buffer;
    private final int capacityBytes;
    private int start;
    private int position;
    private int limit;

    /**
     * A writer over a buffer that holds many frames.
     *
     * @param capacityBytes how much fits into a frame, header included
     */
    FrameWriter(ByteBuffer buffer, int capacityBytes) {
        this.buffer = buffer;
        this.capacityBytes = capacityBytes;
    }

    /** Begins an empty frame at an offset of the buffer. */
    void open(int at) {
        start = at;
        position = at + FrameHeader.BYTES;
        limit = at + capacityBytes;
    }

    /** How many bytes follow the header of the frame so far. */
    int payloadBytes() {
        return position - start - FrameHeader.BYTES;
    }

    /**
     * Writes what fits of a message.
     *
     * @param from how many of its bytes are in frames already
     * @return how many of its bytes are in this one, or {@link #FULL}
     */
    int write(int address, byte[] message, int from) {
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

    /** How many frames a message takes at most, if it starts a new one. */
    int framesFor(int messageBytes) {
        int perFrame = capacityBytes - FrameHeader.BYTES;
        return (int) (((long) messageBytes + MESSAGE_HEADER_BYTES + perFrame - 1) / perFrame);
    }

    /** Whether a message fits into what is left of the open frame. */
    boolean fits(int messageBytes) {
        return limit - position - MESSAGE_HEADER_BYTES >= messageBytes;
    }
}
