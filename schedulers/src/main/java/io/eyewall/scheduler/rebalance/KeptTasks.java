package io.eyewall.scheduler.rebalance;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.apache.storm.scheduler.ExecutorDetails;
import org.apache.storm.scheduler.WorkerSlot;

/**
 * Changes what a scheduler chose for a topology, so that more tasks stay in the slot in which they were. The topology and each of its
 * components stay spread over workers and over nodes as evenly. A node takes the place of another one only if it has as many free slots.
 *
 * <p>First, workers get slots: greedily, those with the most in common with what ran in a slot first. Then executors of a component are
 * exchanged between workers, in the same way. At last {@link EvenSwaps executors trade places} where that helps. As many tasks stay as with
 * the scheduler's choice or more, and not always as many as could. Pure; not thread-safe.
 */
final class KeptTasks {

    private static final Comparator<WorkerSlot> BY_NAME = Comparator.comparing(WorkerSlot::getNodeId).thenComparing(WorkerSlot::getPort);
    /** No component has this name. */
    private static final String ALL = "";

    private final Map<Integer, WorkerSlot> before;
    private final Map<WorkerSlot, Set<ExecutorDetails>> chosen;
    private final Map<ExecutorDetails, String> components;
    private final Set<WorkerSlot> usable;
    private final boolean anyNode;

    private KeptTasks(Map<Integer, WorkerSlot> before, Map<WorkerSlot, Set<ExecutorDetails>> chosen,
            Map<ExecutorDetails, String> components, Set<WorkerSlot> free, boolean anyNode) {
        this.before = before;
        this.chosen = chosen;
        this.components = components;
        this.usable = new HashSet<>(free);
        usable.addAll(chosen.keySet());
        this.anyNode = anyNode;
    }

    /**
     * What runs in which slot.
     *
     * @param before the slot of each task before the rebalance
     * @param chosen what the scheduler chose, by slot
     * @param components the component of each executor
     * @param free the slots that nobody uses
     * @param anyNode whether nodes and executors of a component are alike to the scheduler; if not, workers change their port only
     */
    static Map<WorkerSlot, Set<ExecutorDetails>> of(Map<Integer, WorkerSlot> before, Map<WorkerSlot, Set<ExecutorDetails>> chosen,
            Map<ExecutorDetails, String> components, Set<WorkerSlot> free, boolean anyNode) {
        KeptTasks kept = new KeptTasks(before, chosen, components, free, anyNode);
        List<Map<WorkerSlot, Set<ExecutorDetails>>> starts = new ArrayList<>(List.of(chosen, kept.inSlots(false)));
        if (anyNode) {
            Map<WorkerSlot, Set<ExecutorDetails>> elsewhere = kept.inSlots(true);
            if (kept.spreadOverNodes(elsewhere).equals(kept.spreadOverNodes(chosen))) {
                starts.add(elsewhere);
            }
        }
        Map<WorkerSlot, Set<ExecutorDetails>> best = chosen;
        for (Map<WorkerSlot, Set<ExecutorDetails>> start : starts) {
            Map<WorkerSlot, Set<ExecutorDetails>> placed = anyNode ? kept.exchanged(start) : start;
            best = kept.isBetter(placed, best) ? placed : best;
        }
        return best;
    }

    /** The number of tasks that are in the slot in which they were. */
    static int count(Map<Integer, WorkerSlot> before, Map<WorkerSlot, Set<ExecutorDetails>> placed) {
        return placed.entrySet().stream()
            .mapToInt(worker -> worker.getValue().stream().mapToInt(executor -> common(before, executor, worker.getKey())).sum())
            .sum();
    }

    /** Where nodes are not alike, a process has the memory that its executors had, so another worker's executors get another one. */
    private boolean isBetter(Map<WorkerSlot, Set<ExecutorDetails>> placed, Map<WorkerSlot, Set<ExecutorDetails>> other) {
        int difference = count(before, placed) - count(before, other);
        return difference > 0 || (difference == 0 && anyNode && slotsOfBefore(placed) > slotsOfBefore(other));
    }

    /** How many executors nodes have, and how many of each component. */
    private Map<String, List<Integer>> spreadOverNodes(Map<WorkerSlot, Set<ExecutorDetails>> placed) {
        Map<String, Map<String, Integer>> counts = new HashMap<>();
        placed.forEach((slot, executors) -> executors.forEach(executor -> {
            counts.computeIfAbsent(ALL, any -> new HashMap<>()).merge(slot.getNodeId(), 1, Integer::sum);
            counts.computeIfAbsent(components.get(executor), any -> new HashMap<>()).merge(slot.getNodeId(), 1, Integer::sum);
        }));
        Map<String, List<Integer>> spread = new HashMap<>();
        counts.forEach((component, nodes) -> spread.put(component, nodes.values().stream().sorted().toList()));
        return spread;
    }

    /** How many workers each node gets: as many as the scheduler chose, except that nodes with as many free slots may change places. */
    private Map<String, Integer> workersPerNode() {
        Map<String, Integer> workers = new TreeMap<>();
        chosen.keySet().forEach(slot -> workers.merge(slot.getNodeId(), 1, Integer::sum));
        Map<String, Integer> had = new TreeMap<>();
        before.values().stream().distinct().filter(usable::contains).forEach(slot -> had.merge(slot.getNodeId(), 1, Integer::sum));
        Map<String, Integer> left = new HashMap<>();
        usable.forEach(slot -> left.merge(slot.getNodeId(), 1, Integer::sum));
        workers.forEach((node, its) -> left.merge(node, -its, Integer::sum));
        for (String home : had.keySet()) {
            for (String other : List.copyOf(workers.keySet())) {
                int here = workers.getOrDefault(home, 0);
                int there = workers.get(other);
                if (here < had.get(home) && there > had.getOrDefault(other, 0) && there == here + 1
                        && left.get(home) > left.get(other)) {
                    workers.put(home, there);
                    workers.put(other, here);
                    left.merge(home, -1, Integer::sum);
                    left.merge(other, 1, Integer::sum);
                }
            }
        }
        return workers;
    }

    private long slotsOfBefore(Map<WorkerSlot, Set<ExecutorDetails>> placed) {
        Set<WorkerSlot> slots = new HashSet<>(before.values());
        return placed.keySet().stream().filter(slots::contains).count();
    }

    /** A thing that may be put into a slot, and how much speaks for it. */
    private record Option<T>(T what, WorkerSlot slot, int tasks, boolean wasUsed, boolean isOnNode, boolean isChosen) {
    }

    /** The chosen workers in the slots that they have most in common with. */
    private Map<WorkerSlot, Set<ExecutorDetails>> inSlots(boolean onOtherNodes) {
        Map<WorkerSlot, Map<Object, Integer>> ran = new TreeMap<>(BY_NAME);
        Map<Integer, Object> kinds = new HashMap<>();
        components.forEach((executor, component) -> tasks(executor).forEach(task -> kinds.put(task, anyNode ? component : task)));
        before.forEach((task, slot) -> {
            if (usable.contains(slot) && kinds.containsKey(task)) {
                ran.computeIfAbsent(slot, any -> new HashMap<>()).merge(kinds.get(task), 1, Integer::sum);
            }
        });
        chosen.keySet().forEach(slot -> ran.putIfAbsent(slot, Map.of()));
        List<Option<WorkerSlot>> options = new ArrayList<>();
        chosen.keySet().stream().sorted(BY_NAME).forEach(worker -> {
            Map<Object, Integer> runs = new HashMap<>();
            chosen.get(worker).forEach(executor -> tasks(executor).forEach(task -> runs.merge(kinds.get(task), 1, Integer::sum)));
            ran.forEach((slot, those) -> {
                boolean isOnNode = slot.getNodeId().equals(worker.getNodeId());
                if (onOtherNodes || isOnNode) {
                    int common = runs.entrySet().stream().mapToInt(kind -> Math.min(kind.getValue(), those.getOrDefault(kind.getKey(), 0)))
                        .sum();
                    options.add(new Option<>(worker, slot, common, !those.isEmpty() && anyNode, isOnNode, slot.equals(worker)));
                }
            });
        });
        Map<String, Integer> workersLeft = new HashMap<>();
        if (onOtherNodes) {
            workersLeft.putAll(workersPerNode());
        } else {
            chosen.keySet().forEach(slot -> workersLeft.merge(slot.getNodeId(), 1, Integer::sum));
        }
        Set<WorkerSlot> taken = new HashSet<>();
        Map<WorkerSlot, WorkerSlot> slots = best(options, slot -> {
            boolean hasRoom = !taken.contains(slot) && workersLeft.getOrDefault(slot.getNodeId(), 0) > 0;
            if (hasRoom) {
                taken.add(slot);
                workersLeft.merge(slot.getNodeId(), -1, Integer::sum);
            }
            return hasRoom;
        });
        Map<WorkerSlot, Set<ExecutorDetails>> placed = new HashMap<>();
        slots.forEach((worker, slot) -> placed.put(slot, chosen.get(worker)));
        return placed;
    }

    /** The same workers, with as many executors of each component, and those of them that have most tasks in common with the slot. */
    private Map<WorkerSlot, Set<ExecutorDetails>> exchanged(Map<WorkerSlot, Set<ExecutorDetails>> placed) {
        Map<String, Map<WorkerSlot, Integer>> room = new HashMap<>();
        List<Option<ExecutorDetails>> options = new ArrayList<>();
        sorted(placed).forEach((slot, executors) -> executors.forEach(executor -> {
            room.computeIfAbsent(components.get(executor), any -> new TreeMap<>(BY_NAME)).merge(slot, 1, Integer::sum);
            options.add(new Option<>(executor, slot, common(before, executor, slot), true, true, true));
            tasks(executor).stream().map(before::get).distinct().filter(other -> placed.containsKey(other) && !other.equals(slot))
                .forEach(other -> options.add(new Option<>(executor, other, common(before, executor, other), true, false, false)));
        }));
        Map<ExecutorDetails, WorkerSlot> slots = new HashMap<>();
        options.stream().collect(Collectors.groupingBy(option -> components.get(option.what()))).forEach((component, those) -> {
            Map<WorkerSlot, Integer> left = room.get(component);
            slots.putAll(best(those, slot -> {
                boolean hasRoom = left.getOrDefault(slot, 0) > 0;
                if (hasRoom) {
                    left.merge(slot, -1, Integer::sum);
                }
                return hasRoom;
            }));
        });
        Map<WorkerSlot, Set<ExecutorDetails>> exchanged = new HashMap<>();
        placed.values().stream().flatMap(Set::stream).sorted(Comparator.comparing(ExecutorDetails::getStartTask)).forEach(executor -> {
            WorkerSlot slot = slots.get(executor);
            if (slot == null) {
                // Others took its slot, and left room elsewhere.
                Map<WorkerSlot, Integer> left = room.get(components.get(executor));
                slot = left.keySet().stream().filter(other -> left.get(other) > 0).findFirst().orElseThrow();
                left.merge(slot, -1, Integer::sum);
            }
            exchanged.computeIfAbsent(slot, any -> new HashSet<>()).add(executor);
        });
        return new EvenSwaps(exchanged, components, (executor, slot) -> common(before, executor, slot)).run(homes(exchanged));
    }

    private static Map<WorkerSlot, List<ExecutorDetails>> sorted(Map<WorkerSlot, Set<ExecutorDetails>> placed) {
        Map<WorkerSlot, List<ExecutorDetails>> sorted = new TreeMap<>(BY_NAME);
        placed.forEach((slot, executors) ->
            sorted.put(slot, executors.stream().sorted(Comparator.comparing(ExecutorDetails::getStartTask)).toList()));
        return sorted;
    }

    /** The slots in which tasks of each executor were. */
    private Map<ExecutorDetails, List<WorkerSlot>> homes(Map<WorkerSlot, Set<ExecutorDetails>> placed) {
        Map<ExecutorDetails, List<WorkerSlot>> homes = new HashMap<>();
        placed.values().forEach(executors -> executors.forEach(executor ->
            homes.put(executor, tasks(executor).stream().map(before::get).filter(placed::containsKey).distinct().toList())));
        return homes;
    }

    /** The options that are taken, best first; each thing gets one slot at most. */
    private static <T> Map<T, WorkerSlot> best(List<Option<T>> options, Predicate<WorkerSlot> takes) {
        options.sort(Comparator.<Option<T>>comparingInt(Option::tasks).thenComparing(Option::wasUsed).thenComparing(Option::isOnNode)
            .thenComparing(Option::isChosen).reversed());
        Map<T, WorkerSlot> best = new HashMap<>();
        for (Option<T> option : options) {
            if (!best.containsKey(option.what()) && takes.test(option.slot())) {
                best.put(option.what(), option.slot());
            }
        }
        return best;
    }

    private static int common(Map<Integer, WorkerSlot> before, ExecutorDetails executor, WorkerSlot slot) {
        int common = 0;
        for (int task = executor.getStartTask(); task <= executor.getEndTask(); task++) {
            common += slot.equals(before.get(task)) ? 1 : 0;
        }
        return common;
    }

    /** The tasks of an executor. */
    static List<Integer> tasks(ExecutorDetails executor) {
        List<Integer> tasks = new ArrayList<>();
        for (int task = executor.getStartTask(); task <= executor.getEndTask(); task++) {
            tasks.add(task);
        }
        return tasks;
    }
}
