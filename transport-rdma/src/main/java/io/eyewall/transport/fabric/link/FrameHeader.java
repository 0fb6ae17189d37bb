package io.eyewall.transport.fabric.link;

import java.nio.ByteBuffer;

/**
 * The first 16 bytes of every frame, in little-endian order.
 *
 * <pre>
 *   0  magic (2 bytes)   2  type   3  zero   4  credits returned   8  sequence number   12  bytes that follow
 * </pre>
 */
final class FrameHeader {

    static final int BYTES = 16;

    /** The first frame of the connecting side. */
    static final byte HELLO = 1;
    /** The first frame of the listening side. */
    static final byte WELCOME = 2;
    /** Messages. */
    static final byte DATA = 3;
    /** Nothing but credits. */
    static final byte CREDIT = 4;
    /** Asks for a sign of life. */
    static final byte PING = 5;
    /** The sign of life asked for. */
    static final byte PONG = 6;
    /** Nothing comes after this frame. */
    static final byte GOODBYE = 7;

    private static final short MAGIC = (short) 0xE7EF;

    private FrameHeader() {
    }

    static void write(ByteBuffer buffer, int at, byte type, int credits, int sequence, int payloadBytes) {
        buffer.putShort(at, MAGIC);
        buffer.put(at + 2, type);
        buffer.put(at + 3, (byte) 0);
        buffer.putInt(at + 4, credits);
        buffer.putInt(at + 8, sequence);
        buffer.putInt(at + 12, payloadBytes);
    }

    /**
     * Refuses what is not a frame.
     *
     * @param lengthBytes how many bytes arrived
     */
    static void check(ByteBuffer buffer, int at, int lengthBytes) throws ProtocolException {
        if (lengthBytes < BYTES || buffer.getShort(at) != MAGIC || buffer.get(at + 3) != 0) {
            throw new ProtocolException("what arrived is not a frame (" + lengthBytes + " bytes)");
        }
        byte type = type(buffer, at);
        if (type < HELLO || type > GOODBYE) {
            throw new ProtocolException("a frame of unknown type " + type);
        }
        if (payloadBytes(buffer, at) != lengthBytes - BYTES || credits(buffer, at) < 0) {
            throw new ProtocolException("a frame of " + lengthBytes + " bytes claims " + payloadBytes(buffer, at) + " after the header and "
                + credits(buffer, at) + " credits");
        }
    }

    static byte type(ByteBuffer buffer, int at) {
        return buffer.get(at + 2);
    }

    static int credits(ByteBuffer buffer, int at) {
        return buffer.getInt(at + 4);
    }

    static int sequence(ByteBuffer buffer, int at) {
        return buffer.getInt(at + 8);
    }

    static int payloadBytes(ByteBuffer buffer, int at) {
        return buffer.getInt(at + 12);
    }
}
