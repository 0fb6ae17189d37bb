package io.eyewall.tail.balance;

import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.WeakHashMap;

/**
 * The groupings that are in use: each stays as long as an executor has it. An executor may leave the worker, or may get another grouping
 * when the worker's tasks change. No call reports either, so the references are weak. Safe for use by any thread.
 */
final class LiveGroupings {

    private final Set<WeightedShuffle> groupings = Collections.newSetFromMap(new WeakHashMap<>());

    /** Adds a grouping. */
    synchronized void add(WeightedShuffle grouping) {
        groupings.add(grouping);
    }

    /** The groupings in use, and perhaps some that no longer are. */
    synchronized List<WeightedShuffle> all() {
        return List.copyOf(groupings);
    }
}
