package io.eyewall.client.frame;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/** The bytes of the frame that is being read. Each method throws {@link FrameException} where the bytes end too early. For one thread. */
final class FrameInput {

    private static final VarHandle INTS = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);
    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);
    private static final int SEVEN_BITS = 0x7f;
    private static final int LAST_INT_SHIFT = 28;
    private static final int LAST_LONG_SHIFT = 56;
    private static final int FIRST_CHARS = 256;

    private byte[] bytes = {};
    private int position;
    private int limit;
    private char[] chars = new char[FIRST_CHARS];

    /** Reads from there on. */
    void begin(byte[] from, int offset, int lengthBytes) {
        bytes = from;
        position = offset;
        limit = offset + lengthBytes;
    }

    byte[] bytes() {
        return bytes;
    }

    int position() {
        return position;
    }

    /** How many bytes are left. */
    int remaining() {
        return limit - position;
    }

    /** Skips the next {@code lengthBytes}; returns where these begin. */
    int skip(int lengthBytes) throws FrameException {
        require(lengthBytes);
        int at = position;
        position += lengthBytes;
        return at;
    }

    int readByte() throws FrameException {
        require(1);
        return bytes[position++];
    }

    int readInt() throws FrameException {
        return (int) INTS.get(bytes, skip(Integer.BYTES));
    }

    long readLong() throws FrameException {
        return (long) LONGS.get(bytes, skip(Long.BYTES));
    }

    int readVarInt() throws FrameException {
        int next = readByte();
        int number = next & SEVEN_BITS;
        for (int shift = 7; next < 0; shift += 7) {
            if (shift > LAST_INT_SHIFT) {
                throw new FrameException("it sent a number of more than five bytes where an int belongs");
            }
            next = readByte();
            number |= (next & SEVEN_BITS) << shift;
        }
        return number;
    }

    long readVarLong() throws FrameException {
        long number = 0;
        for (int shift = 0; shift < LAST_LONG_SHIFT; shift += 7) {
            int next = readByte();
            number |= (long) (next & SEVEN_BITS) << shift;
            if (next >= 0) {
                return number;
            }
        }
        return number | ((long) readByte() << LAST_LONG_SHIFT);
    }

    /** Reads how many items of at least one byte each follow, or how many bytes. */
    int readLength() throws FrameException {
        int length = readVarInt();
        require(length);
        return length;
    }

    String readLatin(int length) throws FrameException {
        return new String(bytes, skip(length), length, StandardCharsets.ISO_8859_1);
    }

    byte[] readBytes(int length) throws FrameException {
        byte[] read = new byte[length];
        System.arraycopy(bytes, skip(length), read, 0, length);
        return read;
    }

    /** Reads characters of one to three bytes each. */
    String readWide(int length) throws FrameException {
        if (chars.length < length) {
            chars = new char[length];
        }
        for (int i = 0; i < length; i++) {
            chars[i] = readWideChar();
        }
        return new String(chars, 0, length);
    }

    private char readWideChar() throws FrameException {
        int first = readByte();
        if (first >= 0) {
            return (char) first;
        }
        if (first >> 5 == -2) {
            return (char) (((first & 0x1f) << 6) | readRestOfChar());
        }
        if (first >> 4 == -2) {
            return (char) (((first & 0xf) << 12) | (readRestOfChar() << 6) | readRestOfChar());
        }
        throw new FrameException("it sent a byte that begins no character of a text");
    }

    private int readRestOfChar() throws FrameException {
        int next = readByte();
        if (next >> 6 != -2) {
            throw new FrameException("it sent a byte that continues no character of a text");
        }
        return next & 0x3f;
    }

    private void require(int lengthBytes) throws FrameException {
        if (lengthBytes < 0 || lengthBytes > limit - position) {
            throw new FrameException("it sent a frame that ends within a tuple");
        }
    }
}
