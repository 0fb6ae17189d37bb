package io.eyewall.transport.fabric.link;

import io.eyewall.transport.fabric.link.frame.ProtocolException;
import java.util.Arrays;

/**
 * Restores the order of frames by their sequence numbers: datagram providers may complete receives in any order. Holds the slots of frames
 * that arrived early. For one thread.
 */
final class FrameReorderBuffer {

    static final int NONE = -1;

    private final int[] slots;
    private int expected;

    /**
     * A buffer that expects frame 0.
     *
     * @param capacity how many frames it holds at least, the one expected next included
     */
    FrameReorderBuffer(int capacity) {
        // A power of two, so that a sequence number keeps its place when the numbers wrap around.
        slots = new int[Integer.highestOneBit(2 * capacity - 1)];
        Arrays.fill(slots, NONE);
    }

    /**
     * Adds the slot of a frame.
     *
     * @throws ProtocolException if the sequence number was not expected, or came twice
     */
    void put(int sequence, int slot) throws ProtocolException {
        int ahead = sequence - expected;
        if (ahead < 0 || ahead >= slots.length || slots[index(sequence)] != NONE) {
            throw new ProtocolException("the peer sent frame " + Integer.toUnsignedString(sequence) + " twice, or outside of the expected "
                + Integer.toUnsignedString(expected) + " to " + Integer.toUnsignedString(expected + slots.length - 1));
        }
        slots[index(sequence)] = slot;
    }

    /** Removes and returns the slot of the next frame in order, or {@link #NONE} if that frame has not arrived. */
    int next() {
        int index = index(expected);
        int slot = slots[index];
        if (slot != NONE) {
            slots[index] = NONE;
            expected++;
        }
        return slot;
    }

    private int index(int sequence) {
        return sequence & (slots.length - 1);
    }
}
