package io.eyewall.client.frame;

/**
 * The format of a frame, version 1. Numbers of a fixed length have their highest byte first. A <em>varint</em> has seven bits in each byte,
 * the lowest first, and the highest bit of a byte says that another one follows; the ninth byte of a {@code long} has eight bits. Signed
 * numbers and differences are first mapped to small unsigned ones: 0, -1, 1, -2 become 0, 1, 2, 3 (zigzag).
 *
 * <pre>
 *  frame  = version (1 byte), length of the tuples in bytes (4), number of tuples (4), tuples
 *  tuple  = head (1)
 *           [destination: difference from the tuple before]
 *           [source: task, number of the stream]
 *           [anchors]
 *           [trailer: length of the rest of this tuple (4)]
 *           [number of values], values   or   length, values as Kryo writes them
 *           [trailer]
 * </pre>
 *
 * <p>The head says which parts are there. A part that is left out is the same as in the tuple before in the same frame; before the first
 * tuple are task 0, no source and root 0. So a frame can be read without any other. Tasks and streams have the numbers that Storm gives
 * them in this topology.
 */
final class FrameFormat {

    static final byte VERSION = 1;
    static final int HEAD_BYTES = 1 + Integer.BYTES + Integer.BYTES;
    static final int LENGTH_AT = 1;
    static final int TUPLES_AT = LENGTH_AT + Integer.BYTES;

    /** Another task than the tuple before. */
    static final int DESTINATION = 1;
    /** Another task or stream that the tuple comes from. */
    static final int SOURCE = 1 << 1;
    /** Two bits. */
    static final int ANCHORS = 3 << 2;
    static final int NO_ANCHOR = 0;
    /** One: difference of its root from the last root, as a varint; its id, eight bytes. */
    static final int NEAR_ANCHOR = 1 << 2;
    /** One: root and id, eight bytes each. */
    static final int FAR_ANCHOR = 2 << 2;
    /** Their number; then each as a near one. */
    static final int SEVERAL_ANCHORS = 3 << 2;
    static final int KRYO = 1 << 4;
    static final int TRAILER = 1 << 5;
    /** The number of values is in the two bits above, or a varint if these are 0. */
    static final int COUNT_SHIFT = 6;
    static final int MAX_COUNT_IN_HEAD = 3;

    /** A difference of roots that takes more bytes than this is not worth it. */
    static final int NEAR_ROOT_BYTES = 7;

    /** What a value begins with. A short text has its length in the lower six bits. */
    static final int NULL = 0;
    static final int FALSE = 1;
    static final int TRUE = 2;
    static final int INT = 3;
    static final int LONG = 4;
    static final int DOUBLE = 5;
    /** Characters up to {@code 0xff}, a byte each. */
    static final int TEXT = 6;
    /** Other characters: one to three bytes each, as in UTF-8, with surrogates one by one, so that unpaired ones arrive. */
    static final int WIDE_TEXT = 7;
    static final int BYTES = 8;
    static final int LIST = 9;
    static final int SHORT_TEXT = 0x40;
    static final int SHORT_TEXT_LENGTH = 0x3f;

    /** Lists within lists beyond this depth are Kryo's. */
    static final int MAX_DEPTH = 8;

    private FrameFormat() {
    }

    static int zigzag(int number) {
        return (number << 1) ^ (number >> (Integer.SIZE - 1));
    }

    static long zigzag(long number) {
        return (number << 1) ^ (number >> (Long.SIZE - 1));
    }

    static int unzigzag(int number) {
        return (number >>> 1) ^ -(number & 1);
    }

    static long unzigzag(long number) {
        return (number >>> 1) ^ -(number & 1);
    }
}
