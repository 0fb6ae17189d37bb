package io.eyewall.transport.fabric.link;

/** A queue of at most as many slot numbers as it was made for. */
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
            throw new IllegalStateException("More than " + slots.length + " slots: one was given back twice");
        }
        slots[(head + size++) % slots.length] = slot;
    }

    /** The oldest. */
    int peek() {
        return slots[head];
    }

    /** Takes the oldest out. */
    int remove() {
        int slot = slots[head];
        head = (head + 1) % slots.length;
        size--;
        return slot;
    }

    /** Takes the newest out. */
    int removeNewest() {
        size--;
        return slots[(head + size) % slots.length];
    }
}
