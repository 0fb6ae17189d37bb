package io.eyewall.client.frame;

import java.nio.ByteBuffer;

/** The bytes of the frame that is being written. Grows when a tuple needs more. For one thread. */
final class FrameBuffer {

    private static final int MAX_BYTES = Integer.MAX_VALUE - 8;
    private static final int VAR_INT_BYTES = 5;
    private static final int VAR_LONG_BYTES = 9;
    private static final int SEVEN_BITS = 0x7f;
    private static final int MORE = 0x80;
    private static final int LAST_LATIN = 0xff;
    private static final int LAST_OF_TWO_BYTES = 0x7ff;

    private final FramePool pool;
    private ByteBuffer bytes;
    private int position;

    FrameBuffer(FramePool pool) {
        this.pool = pool;
    }

    /** Takes a buffer of the pool, to write into from its beginning. */
    void begin() {
        bytes = pool.take();
        position = 0;
    }

    /** Hands over the buffer, with what was written between position and limit. */
    ByteBuffer end() {
        ByteBuffer written = bytes.position(0).limit(position);
        bytes = null;
        return written;
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
        bytes.put(at, (byte) value);
    }

    void setInt(int at, int value) {
        bytes.putInt(at, value);
    }

    void putByte(int value) {
        ensure(1);
        bytes.put(position++, (byte) value);
    }

    void putVarInt(int value) {
        ensure(VAR_INT_BYTES);
        int rest = value;
        while ((rest & ~SEVEN_BITS) != 0) {
            bytes.put(position++, (byte) (rest | MORE));
            rest >>>= 7;
        }
        bytes.put(position++, (byte) rest);
    }

    void putVarLong(long value) {
        ensure(VAR_LONG_BYTES);
        int last = position + VAR_LONG_BYTES - 1;
        long rest = value;
        while ((rest & ~SEVEN_BITS) != 0 && position < last) {
            bytes.put(position++, (byte) (rest | MORE));
            rest >>>= 7;
        }
        bytes.put(position++, (byte) rest);
    }

    void putLong(long value) {
        ensure(Long.BYTES);
        bytes.putLong(position, value);
        position += Long.BYTES;
    }

    void putBytes(byte[] from, int lengthBytes) {
        ensure(lengthBytes);
        bytes.put(position, from, 0, lengthBytes);
        position += lengthBytes;
    }

    /** Writes the characters as a byte each; or nothing, and returns false, if one of them needs more. */
    boolean tryPutLatin(String text) {
        int length = text.length();
        ensure(length);
        ByteBuffer to = bytes;
        int at = position;
        for (int i = 0; i < length; i++) {
            char next = text.charAt(i);
            if (next > LAST_LATIN) {
                return false;
            }
            to.put(at + i, (byte) next);
        }
        position = at + length;
        return true;
    }

    /** Writes each character as one to three bytes. */
    void putWide(String text) {
        ensure(3L * text.length());
        for (int i = 0; i < text.length(); i++) {
            char next = text.charAt(i);
            if (next <= SEVEN_BITS) {
                bytes.put(position++, (byte) next);
            } else if (next <= LAST_OF_TWO_BYTES) {
                bytes.put(position++, (byte) (0xc0 | (next >> 6)));
                bytes.put(position++, (byte) (0x80 | (next & 0x3f)));
            } else {
                bytes.put(position++, (byte) (0xe0 | (next >> 12)));
                bytes.put(position++, (byte) (0x80 | ((next >> 6) & 0x3f)));
                bytes.put(position++, (byte) (0x80 | (next & 0x3f)));
            }
        }
    }

    private void ensure(long moreBytes) {
        if (bytes.capacity() - position < moreBytes) {
            grow(position + moreBytes);
        }
    }

    /** A larger buffer in the heap: it is needed once. */
    private void grow(long neededBytes) {
        if (neededBytes > MAX_BYTES) {
            throw new IllegalArgumentException("A tuple is larger than 2 GB. Emit its values in several tuples.");
        }
        ByteBuffer larger = ByteBuffer.allocate((int) Math.min(MAX_BYTES, Math.max(neededBytes, 2L * bytes.capacity())));
        larger.put(0, bytes, 0, position);
        pool.give(bytes);
        bytes = larger;
    }
}
