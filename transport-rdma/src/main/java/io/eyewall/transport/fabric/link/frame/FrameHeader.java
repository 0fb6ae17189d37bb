package io.eyewall.transport.fabric.link.frame;

import java.nio.ByteBuffer;

/**
 * The first {@value #BYTES} bytes of every frame, in little-endian order.
 *
 * <pre>
 *   offset   0      2      3      4                  8                 12
 *          | magic | type | zero | credits returned | sequence number | payload bytes |
 * </pre>
 *
 * <p>All methods take a buffer in little-endian order and the offset at which the frame begins.
 */
public final class FrameHeader {

    /** The length of a header. */
    public static final int BYTES = 16;

    /** The first frame of the connecting end; its payload is a {@link Hello}. */
    public static final byte HELLO = 1;
    /** The first frame of the listening end; its payload is a {@link Hello}. */
    public static final byte WELCOME = 2;
    /** A frame with messages, as {@link FrameWriter} packs them. */
    public static final byte DATA = 3;
    /** A frame that only returns credits. */
    public static final byte CREDIT = 4;
    /** Asks the peer for a {@link #PONG}. */
    public static final byte PING = 5;
    /** Shows that this end is alive. */
    public static final byte PONG = 6;
    /** The last frame that this end sends. */
    public static final byte GOODBYE = 7;

    private static final short MAGIC = (short) 0xE7EF;

    private FrameHeader() {
    }

    /** Writes a header. */
    public static void write(ByteBuffer buffer, int at, byte type, int credits, int sequence, int payloadBytes) {
        buffer.putShort(at, MAGIC);
        buffer.put(at + 2, type);
        buffer.put(at + 3, (byte) 0);
        buffer.putInt(at + 4, credits);
        buffer.putInt(at + 8, sequence);
        buffer.putInt(at + 12, payloadBytes);
    }

    /**
     * Checks that the bytes received are a frame.
     *
     * @param lengthBytes how many bytes were received
     * @throws ProtocolException if the header is damaged, its type unknown or its length wrong
     */
    public static void check(ByteBuffer buffer, int at, int lengthBytes) throws ProtocolException {
        if (lengthBytes < BYTES || buffer.getShort(at) != MAGIC || buffer.get(at + 3) != 0) {
            throw new ProtocolException("the peer sent " + lengthBytes + " bytes that are not a frame");
        }
        byte type = type(buffer, at);
        if (type < HELLO || type > GOODBYE) {
            throw new ProtocolException("the peer sent a frame of the unknown type " + type);
        }
        if (payloadBytes(buffer, at) != lengthBytes - BYTES || credits(buffer, at) < 0) {
            throw new ProtocolException("the peer sent a frame of " + lengthBytes + " bytes whose header announces a payload of "
                + payloadBytes(buffer, at) + " bytes and " + credits(buffer, at) + " credits");
        }
    }

    /** The type of the frame, one of the constants above. */
    public static byte type(ByteBuffer buffer, int at) {
        return buffer.get(at + 2);
    }

    /** How many credits the frame returns. */
    public static int credits(ByteBuffer buffer, int at) {
        return buffer.getInt(at + 4);
    }

    /** The number of the frame on its link, counted from 0; it wraps around. */
    public static int sequence(ByteBuffer buffer, int at) {
        return buffer.getInt(at + 8);
    }

    /** How many bytes follow the header. */
    public static int payloadBytes(ByteBuffer buffer, int at) {
        return buffer.getInt(at + 12);
    }
}
