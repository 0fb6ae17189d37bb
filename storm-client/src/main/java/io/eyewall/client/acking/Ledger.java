package io.eyewall.client.acking;

/**
 * Root ids and, for each, the XOR of the ids of its tuples that are neither acked nor failed: 0 when the tree is complete, as in upstream's
 * acker. Used by one thread; nothing is allocated but when it grows.
 *
 * <p>A table with open addressing and linear probing in one array, root id and XOR side by side. A root's place is the upper bits of its
 * product with 2^64 / golden ratio (D. Knuth, The Art of Computer Programming 3, 6.4, "Fibonacci hashing"), which spreads the consecutive
 * roots of a task, and those of several tasks, evenly. Removal moves later roots up (same section, algorithm R), so that there are no
 * tombstones and a table that is filled and emptied for years is as quick as a new one. It doubles when it is half full, and moves every
 * root then: with a million messages pending 32 MiB. It does not shrink.
 */
final class Ledger {

    private static final long GOLDEN = 0x9E37_79B9_7F4A_7C15L;
    private static final int FIRST_CAPACITY = 1 << 10;
    /** No root id: tasks start at 1. */
    private static final long FREE = 0;

    /** The root of place {@code i} at {@code 2 i}, its XOR behind it. */
    private long[] places;
    private int lastPlace;
    private int hashShift;
    private int size;

    Ledger() {
        makePlaces(FIRST_CAPACITY);
    }

    /** Opens a root that is not in the ledger. */
    void open(long root, long outstanding) {
        if (2 * size > lastPlace) {
            grow();
        }
        insert(root, outstanding);
        size++;
    }

    /**
     * XORs a value into what is outstanding of a root. A root that becomes complete leaves the ledger.
     *
     * @return whether it became complete; false as well where the root is not in the ledger
     */
    boolean settle(long root, long value) {
        int place = find(root);
        if (places[2 * place] == FREE) {
            return false;
        }
        long outstanding = places[2 * place + 1] ^ value;
        if (outstanding == 0) {
            free(place);
            return true;
        }
        places[2 * place + 1] = outstanding;
        return false;
    }

    /** Removes a root; answers whether it was there. */
    boolean close(long root) {
        int place = find(root);
        if (places[2 * place] == FREE) {
            return false;
        }
        free(place);
        return true;
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

    private void insert(long root, long outstanding) {
        int place = find(root);
        places[2 * place] = root;
        places[2 * place + 1] = outstanding;
    }

    /** Empties a place and moves into it the next root that probing would not find behind a free place. */
    private void free(int place) {
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
                hole = next;
            }
        }
        places[2 * hole] = FREE;
        size--;
    }

    private void grow() {
        long[] old = places;
        makePlaces(old.length);
        for (int i = 0; i < old.length; i += 2) {
            if (old[i] != FREE) {
                insert(old[i], old[i + 1]);
            }
        }
    }

    private void makePlaces(int capacity) {
        places = new long[2 * capacity];
        lastPlace = capacity - 1;
        hashShift = Long.SIZE - Integer.numberOfTrailingZeros(capacity);
    }
}
