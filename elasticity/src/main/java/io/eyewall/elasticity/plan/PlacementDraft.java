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
 * Where the executors of a topology are to be, while a planner works on it. Executors stay where they are unless they are moved. For one
 * thread.
 *
 * <p>A component whose number of executors changes has its tasks divided anew, as Storm divides them: consecutive tasks, as evenly as
 * possible, the larger shares first. Each new share goes to where most of its tasks were, as far as an executor stays there.
 */
final class PlacementDraft {

    private final TopologyGraph graph;
    private final SortedMap<ExecutorId, Slot> kept;
    /** New executors, by component. */
    private final Map<String, List<Slot>> added = new TreeMap<>();
    /** The components of which executors were dropped. */
    private final TreeSet<String> shrunk = new TreeSet<>();
    /** The slots that may be used, by machine, each with how many executors it has. */
    private final Map<String, SortedMap<Slot, Integer>> slots = new TreeMap<>();

    /** A draft in which everything stays where it is. */
    PlacementDraft(PlacedTopology topology) {
        this.graph = topology.graph();
        this.kept = new TreeMap<>(topology.placement());
        topology.placement().values().forEach(slot -> slotsOf(slot.machine()).merge(slot, 1, Integer::sum));
    }

    /** Allows the use of a free slot. */
    void open(Slot slot) {
        slotsOf(slot.machine()).putIfAbsent(slot, 0);
    }

    /** Where executors are now: those of the snapshot that have not been dropped. */
    Map<ExecutorId, Slot> kept() {
        return kept;
    }

    /** How many executors of each operator are on each machine, by machine id and by the operator's number in the graph. */
    Map<String, int[]> countsByMachine() {
        Map<String, int[]> counts = new TreeMap<>();
        kept.forEach((executor, slot) -> count(counts, graph.componentOf(executor).id(), slot));
        added.forEach((component, newSlots) -> newSlots.forEach(slot -> count(counts, component, slot)));
        return counts;
    }

    /** Gives an operator one more executor, in the slot of the machine that has the fewest. */
    void add(String component, String machine) {
        added.computeIfAbsent(component, id -> new ArrayList<>()).add(take(machine));
    }

    /** Moves an executor to the slot of another machine that has the fewest. */
    void move(ExecutorId executor, String machine) {
        release(kept.get(executor));
        kept.put(executor, take(machine));
    }

    /** Takes an executor away; the others of its component get its tasks. */
    void drop(ExecutorId executor) {
        release(kept.remove(executor));
        shrunk.add(graph.componentOf(executor).id());
    }

    /** The slot of every executor. */
    SortedMap<ExecutorId, Slot> build() {
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
        List<ExecutorId> after = shares(component, before.size() + more.size());
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
    private List<ExecutorId> shares(Component component, int executors) {
        int size = component.taskCount() / executors;
        int larger = component.taskCount() % executors;
        List<ExecutorId> shares = new ArrayList<>(executors);
        int task = component.firstTask();
        for (int i = 0; i < executors; i++) {
            int end = task + size + (i < larger ? 1 : 0);
            shares.add(new ExecutorId(graph.id(), task, end - 1));
            task = end;
        }
        return shares;
    }

    /**
     * For each executor that stays, the one of the new shares that it goes on as, or null: pairs with the most tasks in common first.
     * Both lists are in the order of tasks.
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
        // A stable sort: where two pairs have as many tasks in common, the one with the lower tasks comes first.
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
