package io.eyewall.tail.balance;

import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.WeakHashMap;

/**
 * The groupings that are in use: each is here for as long as an executor has it, which may leave the worker or, when the tasks of that
 * change, get another. Nothing says so, hence the references are weak. Safe for use by any thread.
 */
final class LiveGroupings {

    private final Set<WeightedShuffle> groupings = Collections.newSetFromMap(new WeakHashMap<>());

    /** One more. */
    synchronized void add(WeightedShuffle grouping) {
        groupings.add(grouping);
    }

    /** Those in use, and perhaps some that no longer are. */
    synchronized List<WeightedShuffle> all() {
        return List.copyOf(groupings);
    }
}
