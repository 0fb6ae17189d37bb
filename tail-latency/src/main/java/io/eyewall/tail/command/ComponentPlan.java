package io.eyewall.tail.command;

import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Which components of a topology receive from which. Immutable.
 */
final class ComponentPlan {

    private final Map<String, Collection<String>> sources;
    private final Map<String, Integer> depths = new HashMap<>();

    /**
     * A plan.
     *
     * @param sources for every component those that it receives from: none for a spout
     */
    ComponentPlan(Map<String, Collection<String>> sources) {
        this.sources = Map.copyOf(sources);
        sources.keySet().forEach(component -> computeDepth(component, new HashSet<>()));
    }

    /** How many hops a component is away from the spouts, by the longest way without going in circles; one that is not known comes last. */
    int depth(String component) {
        return depths.getOrDefault(component, Integer.MAX_VALUE);
    }

    boolean contains(String component) {
        return sources.containsKey(component);
    }

    /** All components, those next to the spouts first. */
    List<String> components() {
        return sources.keySet().stream().sorted().sorted(Comparator.comparing(this::depth)).toList();
    }

    /** The component and all that its tuples lead to. */
    Set<String> reachable(String component) {
        Set<String> reached = new HashSet<>(Set.of(component));
        Deque<String> open = new ArrayDeque<>(reached);
        while (!open.isEmpty()) {
            String source = open.remove();
            sources.forEach((target, from) -> {
                if (from.contains(source) && reached.add(target)) {
                    open.add(target);
                }
            });
        }
        return reached;
    }

    private int computeDepth(String component, Set<String> onTheWay) {
        Integer known = depths.get(component);
        if (known != null) {
            return known;
        }
        if (!onTheWay.add(component)) {
            return 0;
        }
        int depth = 0;
        for (String source : sources.getOrDefault(component, Set.of())) {
            depth = Math.max(depth, computeDepth(source, onTheWay) + 1);
        }
        onTheWay.remove(component);
        depths.put(component, depth);
        return depth;
    }
}
