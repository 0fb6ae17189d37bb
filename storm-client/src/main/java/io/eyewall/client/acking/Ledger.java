package io.eyewall.client.acking;

import java.util.Arrays;
import java.util.function.Consumer;

/**
 * Root ids, each with its message and the XOR of the ids of its tuples that are neither acked nor failed. The XOR is 0 when the tree is
 * complete, as in upstream's acker. Used by one thread; allocates only when it grows.
 *
 * <p>A table with open addressing and linear probing, root id and XOR side by side in one array, messages in another. A root's place is
 * the upper bits of its product with 2^64 / golden ratio (D. Knuth, The Art of Computer Programming 3, 6.4, "Fibonacci hashing"), which
 * spreads the consecutive roots of a task, and those of several tasks, evenly. Removal moves later roots up (same section, algorithm R),
 * so that there are no tombstones and a table that is filled and emptied for years is as quick as a new one. It doubles when it is half
 * full and moves every root then. With a million pending messages it takes 40 MiB. It does not shrink.
 *
 * @param <M> what the ledger keeps for a message
 */
final class Ledger<M> {

    private static final long GOLDEN = 0x9E37_79B9_7F4A_7C15L;
    private static final int FIRST_CAPACITY = 1 << 10;
    /** Not a root id, since tasks start at 1. */
    private static final long FREE = 0;

    /** The root of place {@code i} is at {@code 2 i}, its XOR at {@code 2 i + 1}. */
    private long[] places;
    private M[] messages;
    private int lastPlace;
    private int hashShift;
    private int size;

    Ledger() {
        makePlaces(FIRST_CAPACITY);
    }

    /** Opens a root that is not in the ledger. */
    void open(long root, long outstanding, M message) {
        if (2 * size > lastPlace) {
            grow();
        }
        insert(root, outstanding, message);
        size++;
    }

    /**
     * XORs a value into the outstanding tuples of a root. A root that becomes complete leaves the ledger.
     *
     * @return the message that became complete; null if none did, or if the root is not in the ledger
     */
    M settle(long root, long value) {
        int place = find(root);
        if (places[2 * place] == FREE) {
            return null;
        }
        long outstanding = places[2 * place + 1] ^ value;
        if (outstanding == 0) {
            return free(place);
        }
        places[2 * place + 1] = outstanding;
        return null;
    }

    /** The message of a root, or null. */
    M get(long root) {
        return messages[find(root)];
    }

    /** Removes a root; returns its message, or null if it was not there. */
    M close(long root) {
        int place = find(root);
        return places[2 * place] == FREE ? null : free(place);
    }

    /** Moves a root with its state to another ledger; returns whether it was here. */
    boolean move(long root, Ledger<M> to) {
        int place = find(root);
        if (places[2 * place] == FREE) {
            return false;
        }
        to.open(root, places[2 * place + 1], messages[place]);
        free(place);
        return true;
    }

    /** Passes every message to {@code action}, in no order. */
    void forEach(Consumer<M> action) {
        for (M message : messages) {
            if (message != null) {
                action.accept(message);
            }
        }
    }

    /** Removes everything. */
    void clear() {
        if (size > 0) {
            Arrays.fill(places, FREE);
            Arrays.fill(messages, null);
            size = 0;
        }
    }

    /** How many roots are open. */
    int size() {
        return size;
    }

    private int home(long root) {
        return (int) ((root * GOLDEN) >>> hashShift);
    }

    /** The place of a root, or the free one where it would be. */
    private int find(long root) {
        int place = home(root);
        while (places[2 * place] != root && places[2 * place] != FREE) {
            place = (place + 1) & lastPlace;
        }
        return place;
    }

    private void insert(long root, long outstanding, M message) {
        int place = find(root);
        places[2 * place] = root;
        places[2 * place + 1] = outstanding;
        messages[place] = message;
    }

    /** Empties a place and moves the next root there that probing would not find after a free place; returns the message of the place. */
    private M free(int place) {
        final M message = messages[place];
        int hole = place;
        int next = hole;
        while (true) {
            next = (next + 1) & lastPlace;
            long root = places[2 * next];
            if (root == FREE) {
                break;
            }
            int fromHome = (next - home(root)) & lastPlace;
            int fromHole = (next - hole) & lastPlace;
            if (fromHome >= fromHole) {
                places[2 * hole] = root;
                places[2 * hole + 1] = places[2 * next + 1];
                messages[hole] = messages[next];
                hole = next;
            }
        }
        places[2 * hole] = FREE;
        messages[hole] = null;
        size--;
        return message;
    }

    private void grow() {
        long[] old = places;
        M[] oldMessages = messages;
        makePlaces(old.length);
        for (int i = 0; i < oldMessages.length; i++) {
            if (old[2 * i] != FREE) {
                insert(old[2 * i], old[2 * i + 1], oldMessages[i]);
            }
        }
    }

    @SuppressWarnings("unchecked")
    private void makePlaces(int capacity) {
        places = new long[2 * capacity];
        messages = (M[]) new Object[capacity];
        lastPlace = capacity - 1;
        hashShift = Long.SIZE - Integer.numberOfTrailingZeros(capacity);
    }
}
