package io.eyewall.transport.fabric.link;

import java.util.Arrays;

/** Holds the slots of frames that completed before their turn; datagram providers may complete receives in any order. */
final class FrameReorderBuffer {

    static final int NONE = -1;

    private final int[] slots;
    private int expected;

    /** Room for at least this many frames, the one expected next included. */
    FrameReorderBuffer(int capacity) {
        // A power of two, so that sequence numbers keep their places when they wrap around.
        slots = new int[Integer.highestOneBit(2 * capacity - 1)];
        Arrays.fill(slots, NONE);
    }

    /** Takes the slot of a frame. */
    void put(int sequence, int slot) throws ProtocolException {
        int ahead = sequence - expected;
        if (ahead < 0 || ahead >= slots.length || slots[index(sequence)] != NONE) {
            throw new ProtocolException("frame " + Integer.toUnsignedString(sequence) + " arrived where "
                + Integer.toUnsignedString(expected) + " to " + Integer.toUnsignedString(expected + slots.length - 1)
                + " were possible, or twice");
        }
        slots[index(sequence)] = slot;
    }

    /** Gives the slot whose turn it is, or {@link #NONE} if it has not arrived. */
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
