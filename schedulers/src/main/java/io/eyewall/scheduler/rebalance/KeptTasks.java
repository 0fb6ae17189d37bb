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
 * Changes what a scheduler chose for a topology, so that more tasks stay in the slot in which they were. Each node keeps as many workers of
 * the topology as the scheduler chose, and each component stays spread over workers as evenly.
 *
 * <p>First, workers get slots: greedily, those with the most in common with what ran in a slot first. Then executors of a component are
 * exchanged between workers, in the same way. At last {@link EvenSwaps executors of different components} trade places. The result is never
 * worse than the scheduler's, and not always the best possible one. Pure; not thread-safe.
 */
final class KeptTasks {

    private static final Comparator<WorkerSlot> BY_NAME = Comparator.comparing(WorkerSlot::getNodeId).thenComparing(WorkerSlot::getPort);

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
     * @param anyNode whether executors may be exchanged, and workers put on other nodes; if not, workers change their port only
     */
    static Map<WorkerSlot, Set<ExecutorDetails>> of(Map<Integer, WorkerSlot> before, Map<WorkerSlot, Set<ExecutorDetails>> chosen,
            Map<ExecutorDetails, String> components, Set<WorkerSlot> free, boolean anyNode) {
        KeptTasks kept = new KeptTasks(before, chosen, components, free, anyNode);
        Map<WorkerSlot, Set<ExecutorDetails>> placed = kept.inSlots();
        if (anyNode) {
            placed = kept.exchanged(placed);
            placed = new EvenSwaps(placed, components, (executor, slot) -> common(before, executor, slot)).run(kept.homes(placed));
        }
        return kept.isBetter(placed) ? placed : chosen;
    }

    /** The number of tasks that are in the slot in which they were. */
    static int count(Map<Integer, WorkerSlot> before, Map<WorkerSlot, Set<ExecutorDetails>> placed) {
        return placed.entrySet().stream()
            .mapToInt(worker -> worker.getValue().stream().mapToInt(executor -> common(before, executor, worker.getKey())).sum())
            .sum();
    }

    private boolean isBetter(Map<WorkerSlot, Set<ExecutorDetails>> placed) {
        int difference = count(before, placed) - count(before, chosen);
        return difference > 0 || (difference == 0 && slotsOfBefore(placed) > slotsOfBefore(chosen));
    }

    private long slotsOfBefore(Map<WorkerSlot, Set<ExecutorDetails>> placed) {
        Set<WorkerSlot> slots = new HashSet<>(before.values());
        return placed.keySet().stream().filter(slots::contains).count();
    }

    /** A thing that may be put into a slot, and how much speaks for it. */
    private record Option<T>(T what, WorkerSlot slot, int tasks, boolean wasUsed, boolean isChosen) {
    }

    /** The chosen workers in the slots that they have most in common with. */
    private Map<WorkerSlot, Set<ExecutorDetails>> inSlots() {
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
                if (anyNode || slot.getNodeId().equals(worker.getNodeId())) {
                    int common = runs.entrySet().stream().mapToInt(kind -> Math.min(kind.getValue(), those.getOrDefault(kind.getKey(), 0)))
                        .sum();
                    options.add(new Option<>(worker, slot, common, !those.isEmpty(), slot.equals(worker)));
                }
            });
        });
        Map<String, Long> workersLeft = chosen.keySet().stream()
            .collect(Collectors.groupingBy(WorkerSlot::getNodeId, Collectors.counting()));
        Set<WorkerSlot> taken = new HashSet<>();
        Map<WorkerSlot, WorkerSlot> slots = best(options, slot -> {
            boolean hasRoom = !taken.contains(slot) && workersLeft.getOrDefault(slot.getNodeId(), 0L) > 0;
            if (hasRoom) {
                taken.add(slot);
                workersLeft.merge(slot.getNodeId(), -1L, Long::sum);
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
        placed.forEach((slot, executors) -> executors.forEach(executor -> {
            room.computeIfAbsent(components.get(executor), any -> new TreeMap<>(BY_NAME)).merge(slot, 1, Integer::sum);
            options.add(new Option<>(executor, slot, common(before, executor, slot), true, true));
            tasks(executor).stream().map(before::get).distinct().filter(other -> placed.containsKey(other) && !other.equals(slot))
                .forEach(other -> options.add(new Option<>(executor, other, common(before, executor, other), true, false)));
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
        return exchanged;
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
        options.sort(Comparator.<Option<T>>comparingInt(Option::tasks).thenComparing(Option::wasUsed).thenComparing(Option::isChosen)
            .reversed());
        Map<T, WorkerSlot> best = new HashMap<>();
        for (Option<T> option : options) {
            if (!best.containsKey(option.what()) && takes.test(option.slot())) {
                best.put(option.what(), option.slot());
            }
        }
        return best;
    }

    private static int common(Map<Integer, WorkerSlot> before, ExecutorDetails executor, WorkerSlot slot) {
        return (int) tasks(executor).stream().filter(task -> slot.equals(before.get(task))).count();
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
