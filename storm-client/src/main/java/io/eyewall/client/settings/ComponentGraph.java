package io.eyewall.client.settings;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Which components send to which. If two components of a circle are full, neither may wait for the other: neither would ever have room.
 * Nobody counts as sending to a spout, since spouts take acks and other tuples whether or not they may emit. Immutable.
 */
public final class ComponentGraph {

    private final Map<String, Set<String>> targets;

    /** {@code targets} has for each component those that get its tuples, except spouts. */
    public ComponentGraph(Map<String, Set<String>> targets) {
        Map<String, Set<String>> copy = new HashMap<>();
        targets.forEach((component, its) -> copy.put(component, Set.copyOf(its)));
        this.targets = Map.copyOf(copy);
    }

    /** Whether tuples of each component can lead to tuples for the other one. */
    public boolean hasCycle(String one, String other) {
        return reached(one, component -> true).contains(other) && reached(other, component -> true).contains(one);
    }

    /** Whether tuples of a component can lead to tuples for the other one, and not the other way round. */
    public boolean isBefore(String one, String other) {
        return reached(one, component -> true).contains(other) && !reached(other, component -> true).contains(one);
    }

    /**
     * Whether a component that cannot keep up may only be waiting for another one that cannot either: one that gets its tuples, directly or
     * through others that cannot keep up, and is not in a circle of such components with it.
     */
    public boolean mayWait(String component, Set<String> slow) {
        return reached(component, slow::contains).stream().anyMatch(other -> !reached(other, slow::contains).contains(component));
    }

    /** The components of that kind to which a component sends, directly or through components of that kind. */
    private Set<String> reached(String from, Predicate<String> kind) {
        Set<String> found = new HashSet<>();
        Deque<String> open = new ArrayDeque<>(Set.of(from));
        while (!open.isEmpty()) {
            for (String next : targets.getOrDefault(open.remove(), Set.of())) {
                if (kind.test(next) && found.add(next)) {
                    open.add(next);
                }
            }
        }
        return found;
    }
}
