package io.eyewall.scheduler.rebalance;

import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.ToIntBiFunction;
import org.apache.storm.scheduler.ExecutorDetails;
import org.apache.storm.scheduler.WorkerSlot;

/**
 * Brings executors home to the worker in which most of their tasks were: one trades places with an executor of another component, or goes
 * to a worker that has one fewer. It does so only where each component stays spread over workers as evenly, and workers keep their sizes,
 * except that two workers may have each other's. Each step leaves more tasks where they were, so it ends. Not thread-safe.
 */
final class EvenSwaps {

    private static final Comparator<ExecutorDetails> BY_TASK = Comparator.comparing(ExecutorDetails::getStartTask);

    private final Map<ExecutorDetails, String> components;
    private final ToIntBiFunction<ExecutorDetails, WorkerSlot> common;
    private final Map<WorkerSlot, Set<ExecutorDetails>> workers = new HashMap<>();
    private final Map<ExecutorDetails, WorkerSlot> slots = new HashMap<>();
    private final Map<String, Map<WorkerSlot, Integer>> counts = new HashMap<>();

    /**
     * Begins with a placement, which it does not change.
     *
     * @param common how many tasks of an executor were in a slot
     */
    EvenSwaps(Map<WorkerSlot, Set<ExecutorDetails>> placed, Map<ExecutorDetails, String> components,
            ToIntBiFunction<ExecutorDetails, WorkerSlot> common) {
        this.components = components;
        this.common = common;
        placed.forEach((slot, executors) -> {
            workers.put(slot, new HashSet<>());
            executors.forEach(executor -> put(executor, slot));
        });
    }

    /**
     * Swaps until no swap helps.
     *
     * @param homes the slots that each executor may go home to, of those that were passed
     */
    Map<WorkerSlot, Set<ExecutorDetails>> run(Map<ExecutorDetails, List<WorkerSlot>> homes) {
        List<ExecutorDetails> all = homes.keySet().stream().sorted(BY_TASK).toList();
        boolean changed = true;
        while (changed) {
            changed = false;
            for (ExecutorDetails executor : all) {
                for (WorkerSlot home : homes.get(executor)) {
                    changed |= bringHome(executor, home);
                }
            }
        }
        return workers;
    }

    private boolean bringHome(ExecutorDetails executor, WorkerSlot home) {
        WorkerSlot away = slots.get(executor);
        int gain = gain(executor, home);
        if (gain <= 0 || !mayGo(executor, home)) {
            return false;
        }
        if (workers.get(away).size() == workers.get(home).size() + 1) {
            move(executor, home);
            return true;
        }
        Optional<ExecutorDetails> other = workers.get(home).stream()
            .filter(one -> !components.get(one).equals(components.get(executor)) && mayGo(one, away) && gain + gain(one, away) > 0)
            .max(Comparator.<ExecutorDetails>comparingInt(one -> gain(one, away)).thenComparing(BY_TASK.reversed()));
        other.ifPresent(one -> {
            move(one, away);
            move(executor, home);
        });
        return other.isPresent();
    }

    /** Whether the component stays spread as evenly: the two workers then have each other's number of its executors. */
    private boolean mayGo(ExecutorDetails executor, WorkerSlot to) {
        Map<WorkerSlot, Integer> own = counts.get(components.get(executor));
        return own.getOrDefault(slots.get(executor), 0) == own.getOrDefault(to, 0) + 1;
    }

    private int gain(ExecutorDetails executor, WorkerSlot to) {
        return common.applyAsInt(executor, to) - common.applyAsInt(executor, slots.get(executor));
    }

    private void move(ExecutorDetails executor, WorkerSlot to) {
        WorkerSlot from = slots.get(executor);
        workers.get(from).remove(executor);
        counts.get(components.get(executor)).merge(from, -1, Integer::sum);
        put(executor, to);
    }

    private void put(ExecutorDetails executor, WorkerSlot slot) {
        workers.get(slot).add(executor);
        slots.put(executor, slot);
        counts.computeIfAbsent(components.get(executor), any -> new HashMap<>()).merge(slot, 1, Integer::sum);
    }
}
