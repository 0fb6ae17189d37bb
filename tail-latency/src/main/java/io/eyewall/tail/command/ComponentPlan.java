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
 * The components of a topology and the components from which each receives. Immutable.
 */
final class ComponentPlan {

    private final Map<String, Collection<String>> sources;
    private final Map<String, Integer> depths = new HashMap<>();

    /**
     * A plan.
     *
     * @param sources for every component the components that it receives from; none for a spout
     */
    ComponentPlan(Map<String, Collection<String>> sources) {
        this.sources = Map.copyOf(sources);
        sources.keySet().forEach(component -> computeDepth(component, new HashSet<>()));
    }

    /** The number of hops from the spouts to a component, on the longest way without a circle; an unknown component comes last. */
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

    /** The component and all components that its tuples lead to. */
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
