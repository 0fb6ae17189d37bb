package io.eyewall.elasticity.plan;

import io.eyewall.elasticity.model.Component;
import io.eyewall.elasticity.model.ExecutorId;
import io.eyewall.elasticity.model.PlacedTopology;
import io.eyewall.elasticity.model.Slot;
import io.eyewall.elasticity.model.TopologyGraph;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The new placement of a topology's executors, while a planner works on it. Executors stay where they are unless the planner moves them.
 * Not thread-safe.
 *
 * <p>If the number of a component's executors changes, its tasks are divided again, as Storm divides them: consecutive tasks, as evenly as
 * possible, the larger ranges first. Each new range goes to the slot where most of its tasks were, if an executor stays in that slot.
 */
public final class PlacementDraft {

    private final TopologyGraph graph;
    private final SortedMap<ExecutorId, Slot> kept;
    /** The slots of new executors, by component. */
    private final Map<String, List<Slot>> added = new TreeMap<>();
    /** The components that lost executors. */
    private final TreeSet<String> shrunk = new TreeSet<>();
    /** The slots that may be used, by machine, each with its number of executors. */
    private final Map<String, SortedMap<Slot, Integer>> slots = new TreeMap<>();

    /** Starts from the present placement. */
    public PlacementDraft(PlacedTopology topology) {
        this.graph = topology.graph();
        this.kept = new TreeMap<>(topology.placement());
        topology.placement().values().forEach(slot -> slotsOf(slot.machine()).merge(slot, 1, Integer::sum));
    }

    /** Permits the use of a free slot. */
    public void open(Slot slot) {
        slotsOf(slot.machine()).putIfAbsent(slot, 0);
    }

    /** The present slots of the executors that have not been dropped. */
    public Map<ExecutorId, Slot> kept() {
        return kept;
    }

    /** The number of executors of each operator on each machine, by machine id and by the operator's index in the graph. */
    Map<String, int[]> countsByMachine() {
        Map<String, int[]> counts = new TreeMap<>();
        kept.forEach((executor, slot) -> count(counts, graph.componentOf(executor).id(), slot));
        added.forEach((component, newSlots) -> newSlots.forEach(slot -> count(counts, component, slot)));
        return counts;
    }

    /** Adds an executor to a component, in the slot of the machine that has the fewest executors. */
    public void add(String component, String machine) {
        added.computeIfAbsent(component, id -> new ArrayList<>()).add(take(machine));
    }

    /** Moves an executor to another machine, to the slot that has the fewest executors there. */
    public void move(ExecutorId executor, String machine) {
        release(kept.get(executor));
        kept.put(executor, take(machine));
    }

    /** Removes an executor; the others of its component take over its tasks. */
    public void drop(ExecutorId executor) {
        release(kept.remove(executor));
        shrunk.add(graph.componentOf(executor).id());
    }

    /** The slot of every executor in the new placement. */
    public SortedMap<ExecutorId, Slot> build() {
        SortedMap<ExecutorId, Slot> placement = new TreeMap<>();
        Map<String, SortedMap<ExecutorId, Slot>> byComponent = new HashMap<>();
        kept.forEach((executor, slot) ->
            byComponent.computeIfAbsent(graph.componentOf(executor).id(), id -> new TreeMap<>()).put(executor, slot));
        for (Component component : graph.components()) {
            SortedMap<ExecutorId, Slot> staying = byComponent.getOrDefault(component.id(), new TreeMap<>());
            List<Slot> more = added.getOrDefault(component.id(), List.of());
            if (more.isEmpty() && !shrunk.contains(component.id())) {
                placement.putAll(staying);
            } else {
                placement.putAll(divide(component, staying, more));
            }
        }
        return placement;
    }

    private SortedMap<ExecutorId, Slot> divide(Component component, SortedMap<ExecutorId, Slot> staying, List<Slot> more) {
        List<ExecutorId> before = List.copyOf(staying.keySet());
        List<ExecutorId> after = taskRanges(component, before.size() + more.size());
        ExecutorId[] successors = successors(before, after);
        SortedMap<ExecutorId, Slot> placement = new TreeMap<>();
        for (int i = 0; i < successors.length; i++) {
            if (successors[i] != null) {
                placement.put(successors[i], staying.get(before.get(i)));
            }
        }
        List<Slot> open = new ArrayList<>();
        for (int i = 0; i < successors.length; i++) {
            if (successors[i] == null) {
                open.add(staying.get(before.get(i)));
            }
        }
        open.addAll(more);
        int next = 0;
        for (ExecutorId executor : after) {
            if (!placement.containsKey(executor)) {
                placement.put(executor, open.get(next++));
            }
        }
        return placement;
    }

    /** The tasks of a component, divided among a number of executors. */
    private List<ExecutorId> taskRanges(Component component, int executors) {
        int size = component.taskCount() / executors;
        int larger = component.taskCount() % executors;
        List<ExecutorId> ranges = new ArrayList<>(executors);
        int task = component.firstTask();
        for (int i = 0; i < executors; i++) {
            int end = task + size + (i < larger ? 1 : 0);
            ranges.add(new ExecutorId(graph.id(), task, end - 1));
            task = end;
        }
        return ranges;
    }

    /**
     * For each executor that stays, the new range that takes its place, or null. Pairs that share the most tasks are matched first. Both
     * lists are sorted by task.
     */
    private static ExecutorId[] successors(List<ExecutorId> before, List<ExecutorId> after) {
        List<int[]> pairs = new ArrayList<>();
        int first = 0;
        for (int i = 0; i < before.size(); i++) {
            while (first < after.size() && after.get(first).lastTask() < before.get(i).firstTask()) {
                first++;
            }
            for (int j = first; j < after.size() && after.get(j).firstTask() <= before.get(i).lastTask(); j++) {
                pairs.add(new int[] {i, j, before.get(i).overlap(after.get(j))});
            }
        }
        // The sort is stable: of two pairs that share as many tasks, the one with the lower tasks comes first.
        pairs.sort(Comparator.comparingInt(pair -> -pair[2]));
        ExecutorId[] successors = new ExecutorId[before.size()];
        boolean[] taken = new boolean[after.size()];
        for (int[] pair : pairs) {
            if (successors[pair[0]] == null && !taken[pair[1]]) {
                successors[pair[0]] = after.get(pair[1]);
                taken[pair[1]] = true;
            }
        }
        return successors;
    }

    private void count(Map<String, int[]> counts, String component, Slot slot) {
        int operator = graph.indexOf(component);
        if (operator >= 0) {
            counts.computeIfAbsent(slot.machine(), id -> new int[graph.size()])[operator]++;
        }
    }

    private Slot take(String machine) {
        SortedMap<Slot, Integer> candidates = slotsOf(machine);
        Slot emptiest = null;
        for (Map.Entry<Slot, Integer> candidate : candidates.entrySet()) {
            if (emptiest == null || candidate.getValue() < candidates.get(emptiest)) {
                emptiest = candidate.getKey();
            }
        }
        if (emptiest == null) {
            throw new IllegalStateException("Topology " + graph.id() + " has no slot on machine " + machine);
        }
        candidates.merge(emptiest, 1, Integer::sum);
        return emptiest;
    }

    private void release(Slot slot) {
        slotsOf(slot.machine()).merge(slot, -1, Integer::sum);
    }

    private SortedMap<Slot, Integer> slotsOf(String machine) {
        return slots.computeIfAbsent(machine, id -> new TreeMap<>());
    }
}
