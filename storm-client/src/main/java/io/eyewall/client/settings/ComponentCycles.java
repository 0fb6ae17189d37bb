package io.eyewall.client.settings;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Which components send to each other in a circle. If two components of a circle are full, neither may wait for the other: neither would
 * ever have room. Spouts are in no circle, since they take acks and other tuples whether or not they may emit. Immutable.
 */
public final class ComponentCycles {

    private final Map<String, Set<String>> targets;

    /** {@code targets} has for each component those that get its tuples, except spouts. */
    public ComponentCycles(Map<String, Set<String>> targets) {
        Map<String, Set<String>> copy = new HashMap<>();
        targets.forEach((component, its) -> copy.put(component, Set.copyOf(its)));
        this.targets = Map.copyOf(copy);
    }

    /** Whether tuples of each component can lead to tuples for the other one. */
    public boolean has(String one, String other) {
        return leads(one, other) && leads(other, one);
    }

    private boolean leads(String from, String to) {
        Set<String> seen = new HashSet<>();
        Deque<String> open = new ArrayDeque<>(targets.getOrDefault(from, Set.of()));
        while (!open.isEmpty()) {
            String next = open.remove();
            if (next.equals(to)) {
                return true;
            }
            if (seen.add(next)) {
                open.addAll(targets.getOrDefault(next, Set.of()));
            }
        }
        return false;
    }
}
