package io.eyewall.client.frame;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/** The bytes of the frame that is being written. Grows when a tuple needs more. For one thread. */
final class FrameBuffer {

    private static final VarHandle INTS = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);
    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);
    private static final int MAX_BYTES = Integer.MAX_VALUE - 8;
    private static final int VAR_INT_BYTES = 5;
    private static final int VAR_LONG_BYTES = 9;
    private static final int SEVEN_BITS = 0x7f;
    private static final int MORE = 0x80;
    private static final int LAST_LATIN = 0xff;
    private static final int LAST_OF_TWO_BYTES = 0x7ff;

    private final FramePool pool;
    private final int mostBytes;
    private byte[] bytes;
    private int position;

    FrameBuffer(FramePool pool) {
        this(pool, MAX_BYTES);
    }

    /** A buffer that grows up to that length. */
    FrameBuffer(FramePool pool, int mostBytes) {
        this.pool = pool;
        this.mostBytes = mostBytes;
    }

    /** Takes a buffer of the pool, to write into from its beginning. */
    void begin() {
        bytes = pool.take();
        position = 0;
    }

    /** Returns a copy of what was written, and gives the buffer back. */
    byte[] end() {
        byte[] written = Arrays.copyOf(bytes, position);
        clear();
        return written;
    }

    /** Forgets what was written, and gives the buffer back. */
    void clear() {
        pool.give(bytes);
        bytes = null;
    }

    boolean isOpen() {
        return bytes != null;
    }

    int position() {
        return position;
    }

    /** Goes back, and forgets what was written since. */
    void reset(int to) {
        position = to;
    }

    /** Leaves room for what is known later; returns where it is. */
    int skip(int lengthBytes) {
        ensure(lengthBytes);
        int at = position;
        position += lengthBytes;
        return at;
    }

    void setByte(int at, int value) {
        bytes[at] = (byte) value;
    }

    void setInt(int at, int value) {
        INTS.set(bytes, at, value);
    }

    void putByte(int value) {
        ensure(1);
        bytes[position++] = (byte) value;
    }

    void putVarInt(int value) {
        ensure(VAR_INT_BYTES);
        int rest = value;
        while ((rest & ~SEVEN_BITS) != 0) {
            bytes[position++] = (byte) (rest | MORE);
            rest >>>= 7;
        }
        bytes[position++] = (byte) rest;
    }

    void putVarLong(long value) {
        ensure(VAR_LONG_BYTES);
        int last = position + VAR_LONG_BYTES - 1;
        long rest = value;
        while ((rest & ~SEVEN_BITS) != 0 && position < last) {
            bytes[position++] = (byte) (rest | MORE);
            rest >>>= 7;
        }
        bytes[position++] = (byte) rest;
    }

    void putLong(long value) {
        ensure(Long.BYTES);
        LONGS.set(bytes, position, value);
        position += Long.BYTES;
    }

    void putBytes(byte[] from, int lengthBytes) {
        ensure(lengthBytes);
        System.arraycopy(from, 0, bytes, position, lengthBytes);
        position += lengthBytes;
    }

    /** Writes the characters as a byte each; or nothing, and returns false, if one of them needs more. */
    @SuppressWarnings("deprecation") // For characters of one byte it does just what is needed, at the speed of an array copy.
    boolean tryPutLatin(String text) {
        int length = text.length();
        int all = 0;
        for (int i = 0; i < length; i++) {
            all |= text.charAt(i);
        }
        if (all > LAST_LATIN) {
            return false;
        }
        ensure(length);
        text.getBytes(0, length, bytes, position);
        position += length;
        return true;
    }

    /** Writes each character as one to three bytes. */
    void putWide(String text) {
        ensure(3L * text.length());
        for (int i = 0; i < text.length(); i++) {
            char next = text.charAt(i);
            if (next <= SEVEN_BITS) {
                bytes[position++] = (byte) next;
            } else if (next <= LAST_OF_TWO_BYTES) {
                bytes[position++] = (byte) (0xc0 | (next >> 6));
                bytes[position++] = (byte) (0x80 | (next & 0x3f));
            } else {
                bytes[position++] = (byte) (0xe0 | (next >> 12));
                bytes[position++] = (byte) (0x80 | ((next >> 6) & 0x3f));
                bytes[position++] = (byte) (0x80 | (next & 0x3f));
            }
        }
    }

    private void ensure(long moreBytes) {
        if (bytes.length - position < moreBytes) {
            grow(position + moreBytes);
        }
    }

    private void grow(long neededBytes) {
        if (neededBytes > mostBytes) {
            throw new IllegalArgumentException("A tuple takes more than " + mostBytes + " bytes, the longest array of Java's. Emit it in"
                + " parts, or emit where its content is stored in place of the content.");
        }
        byte[] larger = new byte[(int) Math.min(mostBytes, Math.max(neededBytes, 2L * bytes.length))];
        System.arraycopy(bytes, 0, larger, 0, position);
        pool.give(bytes);
        bytes = larger;
    }
}
