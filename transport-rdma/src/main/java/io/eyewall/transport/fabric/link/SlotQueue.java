package io.eyewall.transport.fabric.link;

/** A queue of slot numbers with a fixed capacity, which also returns the newest number first. For one thread at a time. */
final class SlotQueue {

    private final int[] slots;
    private int head;
    private int size;

    SlotQueue(int capacity) {
        slots = new int[capacity];
    }

    boolean isEmpty() {
        return size == 0;
    }

    int size() {
        return size;
    }

    void add(int slot) {
        if (size == slots.length) {
            throw new IllegalStateException("More than " + slots.length + " slots in the queue: one was added twice");
        }
        slots[(head + size++) % slots.length] = slot;
    }

    /** Returns the oldest slot. */
    int peek() {
        return slots[head];
    }

    /** Removes and returns the oldest slot. */
    int remove() {
        int slot = slots[head];
        head = (head + 1) % slots.length;
        size--;
        return slot;
    }

    /** Removes and returns the newest slot. */
    int removeNewest() {
        size--;
        return slots[(head + size) % slots.length];
    }
}
