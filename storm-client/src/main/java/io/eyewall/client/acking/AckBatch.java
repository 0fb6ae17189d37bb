package io.eyewall.client.acking;

import java.util.Arrays;

/**
 * The acks, fails and timeout resets that one executor sends to the ledger of one spout task, in order; or the cancelled trees that a spout
 * executor sends to bolts. Immutable. It is handed from thread to thread inside a tuple, and to another worker by
 * {@link AckBatchSerializer}.
 */
final class AckBatch {

    /** The kind of an entry, in the two bits that are 0 in a root id. */
    static final long ACK = 0;
    static final long FAIL = 1L << RootIds.FREE_SHIFT;
    static final long RESET_TIMEOUT = 2L << RootIds.FREE_SHIFT;
    static final long CANCEL = 3L << RootIds.FREE_SHIFT;

    /** Root and kind of entry {@code i} are at {@code 2 i}; the XOR of an ack is at {@code 2 i + 1}. */
    private final long[] entries;

    private AckBatch(long[] entries) {
        this.entries = entries;
    }

    /** Copies the first {@code length} numbers of an array: pairs of a root with its kind, and the XOR of an ack or else 0. */
    static AckBatch copyOf(long[] entries, int length) {
        return new AckBatch(Arrays.copyOf(entries, length));
    }

    /** Takes the array without copying it. */
    static AckBatch of(long... entries) {
        return new AckBatch(entries);
    }

    int size() {
        return entries.length / 2;
    }

    /** The root of an entry. */
    long root(int i) {
        return entries[2 * i] & ~RootIds.FREE_BITS;
    }

    /** {@link #ACK}, {@link #FAIL}, {@link #RESET_TIMEOUT} or {@link #CANCEL}. */
    long kind(int i) {
        return entries[2 * i] & RootIds.FREE_BITS;
    }

    /** The value that an ack removes from the outstanding tuples of its root, as XOR. */
    long value(int i) {
        return entries[2 * i + 1];
    }

    /** The entries in words, for logs. */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder("acks");
        for (int i = 0; i < size(); i++) {
            String what = kind(i) == ACK ? " " : kind(i) == FAIL ? " fail of " : kind(i) == CANCEL ? " end of " : " new timeout of ";
            text.append(what).append(root(i));
        }
        return text.toString();
    }
}
