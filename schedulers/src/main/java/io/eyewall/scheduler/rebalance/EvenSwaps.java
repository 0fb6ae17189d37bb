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
 * Brings executors home to a worker in which more of their tasks were: one trades places with another executor, or goes to a worker that
 * has one fewer. It does so only where the topology and each component stay spread over workers and nodes as evenly: two workers, or nodes,
 * may get each other's numbers. Each step leaves more tasks where they were, so it ends. Not thread-safe.
 */
final class EvenSwaps {

    /** In the place of a component: all executors. No component has this name. */
    private static final String ALL = "";
    private static final Comparator<ExecutorDetails> BY_TASK = Comparator.comparing(ExecutorDetails::getStartTask);

    private final Map<ExecutorDetails, String> components;
    private final ToIntBiFunction<ExecutorDetails, WorkerSlot> common;
    private final Map<WorkerSlot, Set<ExecutorDetails>> workers = new HashMap<>();
    private final Map<ExecutorDetails, WorkerSlot> slots = new HashMap<>();
    /** By component, and by slot or by node. */
    private final Map<String, Map<Object, Integer>> counts = new HashMap<>();

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
        if (gain <= 0) {
            return false;
        }
        boolean mayGo = mayGo(executor, home);
        if (mayGo && mayExchange(ALL, away, home)) {
            move(executor, home);
            return true;
        }
        Optional<ExecutorDetails> other = workers.get(home).stream()
            .filter(one -> gain + gain(one, away) > 0
                && (components.get(one).equals(components.get(executor)) || (mayGo && mayGo(one, away))))
            .max(Comparator.<ExecutorDetails>comparingInt(one -> gain(one, away)).thenComparing(BY_TASK.reversed()));
        other.ifPresent(one -> {
            move(one, away);
            move(executor, home);
        });
        return other.isPresent();
    }

    private boolean mayGo(ExecutorDetails executor, WorkerSlot to) {
        return mayExchange(components.get(executor), slots.get(executor), to);
    }

    /** Whether a component stays spread as evenly without an executor here, and with one more there. */
    private boolean mayExchange(String component, WorkerSlot here, WorkerSlot there) {
        Map<Object, Integer> own = counts.get(component);
        return hasOneMore(own, here, there)
            && (here.getNodeId().equals(there.getNodeId()) || hasOneMore(own, here.getNodeId(), there.getNodeId()));
    }

    private static boolean hasOneMore(Map<Object, Integer> counts, Object here, Object there) {
        return counts.getOrDefault(here, 0) == counts.getOrDefault(there, 0) + 1;
    }

    private int gain(ExecutorDetails executor, WorkerSlot to) {
        return common.applyAsInt(executor, to) - common.applyAsInt(executor, slots.get(executor));
    }

    private void move(ExecutorDetails executor, WorkerSlot to) {
        WorkerSlot from = slots.get(executor);
        workers.get(from).remove(executor);
        count(executor, from, -1);
        put(executor, to);
    }

    private void put(ExecutorDetails executor, WorkerSlot slot) {
        workers.get(slot).add(executor);
        slots.put(executor, slot);
        count(executor, slot, 1);
    }

    private void count(ExecutorDetails executor, WorkerSlot slot, int change) {
        for (String component : List.of(ALL, components.get(executor))) {
            Map<Object, Integer> own = counts.computeIfAbsent(component, any -> new HashMap<>());
            own.merge(slot, change, Integer::sum);
            own.merge(slot.getNodeId(), change, Integer::sum);
        }
    }
}
