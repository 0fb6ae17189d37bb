package io.eyewall.elasticity.plan;

import io.eyewall.elasticity.measure.ClusterSnapshot;
import io.eyewall.elasticity.measure.Rates;
import io.eyewall.elasticity.measure.TopologyRates;
import io.eyewall.elasticity.model.Component;
import io.eyewall.elasticity.model.ExecutorId;
import io.eyewall.elasticity.model.Machine;
import io.eyewall.elasticity.model.PlacedTopology;
import io.eyewall.elasticity.model.Slot;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * Decides which executor moves to another machine: one that stays slower than its siblings, the other executors of its operator, although
 * those who send to it have taken nearly all its traffic from it. What it is slow for then is not its load but its place.
 *
 * <p>Only what heartbeats say is needed. A sender leaves each receiver a hundredth of an equal share at least; so an executor whose tasks
 * execute less than {@value #FLOOR} of what those of its siblings do has been left with as little by all senders. How long it takes for a
 * tuple is the time that it is busy over the tuples that it executes. Example: three siblings execute 400 tuples a second and are busy for
 * 0.8 of the time, 2 ms for each; a fourth executes 4 and is busy for 0.04, 10 ms for each: 5 times as long with 0.01 of an equal share.
 *
 * <p>Remembers since when each executor is like that, and when a topology's last move was. For one thread; time is handed in.
 */
public final class StragglerPlanner {

    /** Up to which part of its siblings' traffic an executor counts as left with the least: twice that, since Storm counts samples. */
    static final double FLOOR = 0.02;

    private static final double MS_PER_SEC = 1_000;
    private static final double PERCENT = 100;

    private final Map<ExecutorId, Long> sinceMs = new HashMap<>();
    private final Map<String, Long> movedMs = new HashMap<>();

    /** Forgets all topologies but these. */
    public void retain(Set<String> topologyIds) {
        sinceMs.keySet().removeIf(executor -> !topologyIds.contains(executor.topologyId()));
        movedMs.keySet().retainAll(topologyIds);
    }

    /**
     * The move that a topology needs now, if it needs one; it counts as made.
     *
     * @param balanced the operators whose senders balance traffic among all executors
     * @param factor how many times as long as the median of its siblings an executor takes that is to move
     * @param periodMs for how long it has to, in milliseconds, and how far apart the topology's moves are at least
     * @param nowMs now, in milliseconds
     */
    public Optional<ExecutorMove> plan(ClusterSnapshot snapshot, String topologyId, Set<String> balanced, double factor, long periodMs,
            long nowMs) {
        PlacedTopology topology = snapshot.state().topologies().stream().filter(one -> one.graph().id().equals(topologyId)).findFirst()
            .orElseThrow(() -> new IllegalArgumentException("No topology " + topologyId + " in the snapshot"));
        List<Straggler> slow = slow(topology, snapshot.rates().get(topologyId), balanced, factor);
        Set<ExecutorId> starved = new HashSet<>();
        slow.stream().filter(one -> one.share <= FLOOR).forEach(one -> starved.add(one.executor));
        sinceMs.keySet().removeIf(executor -> executor.topologyId().equals(topologyId) && !starved.contains(executor));
        starved.forEach(executor -> sinceMs.putIfAbsent(executor, nowMs));
        if (movedMs.containsKey(topologyId) && nowMs - movedMs.get(topologyId) < periodMs) {
            return Optional.empty();
        }
        Set<String> slowMachines = new HashSet<>();
        slow.forEach(one -> slowMachines.add(topology.placement().get(one.executor).machine()));
        for (Straggler one : slow) {
            long forMs = nowMs - sinceMs.getOrDefault(one.executor, nowMs);
            if (starved.contains(one.executor) && forMs >= periodMs) {
                Optional<ExecutorMove> move = target(snapshot, topology, one, slowMachines)
                    .map(target -> new ExecutorMove(one.executor, topology.placement().get(one.executor), target.slot,
                        reason(topology, one, forMs, target)));
                if (move.isPresent()) {
                    movedMs.put(topologyId, nowMs);
                    sinceMs.keySet().removeIf(executor -> executor.topologyId().equals(topologyId));
                    return move;
                }
            }
        }
        return Optional.empty();
    }

    /** The executors that take so many times as long as their siblings, the slowest by comparison first. */
    private static List<Straggler> slow(PlacedTopology topology, TopologyRates rates, Set<String> balanced, double factor) {
        List<Straggler> slow = new ArrayList<>();
        for (Component operator : topology.graph().operators()) {
            if (!balanced.contains(operator.id())) {
                continue;
            }
            Map<ExecutorId, Rates> executors = new TreeMap<>();
            topology.placement().keySet().forEach(executor -> {
                Rates measured = rates.executors().get(executor);
                if (measured != null && topology.graph().componentOf(executor).equals(operator) && measured.executedPerSec() > 0
                        && measured.utilisation() > 0) {
                    executors.put(executor, measured);
                }
            });
            executors.forEach((executor, measured) -> {
                Straggler one = compare(executor, executors);
                if (one != null && one.secs >= factor * one.siblingsSecs) {
                    slow.add(one);
                }
            });
        }
        slow.sort(Comparator.comparingDouble((Straggler one) -> -one.secs / one.siblingsSecs).thenComparing(one -> one.executor));
        return slow;
    }

    /** One executor beside its siblings; null if it has none that are measured. */
    private static Straggler compare(ExecutorId executor, Map<ExecutorId, Rates> executors) {
        List<Double> siblingsSecs = new ArrayList<>();
        double executedPerSec = 0;
        int tasks = 0;
        for (Map.Entry<ExecutorId, Rates> other : executors.entrySet()) {
            if (!other.getKey().equals(executor)) {
                siblingsSecs.add(secs(other.getValue()));
                executedPerSec += other.getValue().executedPerSec();
                tasks += other.getKey().taskCount();
            }
        }
        if (tasks == 0) {
            return null;
        }
        siblingsSecs.sort(null);
        double equalPerSec = executedPerSec / tasks * executor.taskCount();
        return new Straggler(executor, secs(executors.get(executor)), siblingsSecs.get((siblingsSecs.size() - 1) / 2), equalPerSec,
            executors.get(executor).executedPerSec() / equalPerSec);
    }

    /** How long an executor takes for a tuple, in seconds. */
    private static double secs(Rates rates) {
        return rates.utilisation() / rates.executedPerSec();
    }

    /**
     * The slot on the least busy of the machines that have room for an equal share of the work: not the executor's own, and none on which
     * an executor of the topology is slow, too.
     */
    private static Optional<Target> target(ClusterSnapshot snapshot, PlacedTopology topology, Straggler one, Set<String> slowMachines) {
        Slot from = topology.placement().get(one.executor);
        boolean alone = topology.placement().values().stream().filter(from::equals).count() == 1;
        Set<Slot> used = new HashSet<>();
        snapshot.state().topologies().forEach(other -> used.addAll(other.placement().values()));
        double needed = one.equalPerSec * one.siblingsSecs;
        return snapshot.state().machines().stream()
            .filter(machine -> !machine.id().equals(from.machine()) && !slowMachines.contains(machine.id()))
            .filter(machine -> load(snapshot, machine, needed) <= 1)
            .sorted(Comparator.comparingDouble((Machine machine) -> load(snapshot, machine, 0)).thenComparing(Machine::id))
            .flatMap(machine -> machine.ports().stream().map(port -> new Slot(machine.id(), port))
                .filter(slot -> alone ? !used.contains(slot) : topology.placement().containsValue(slot))
                .min(Comparator.comparingLong((Slot slot) -> topology.placement().values().stream().filter(slot::equals).count())
                    .thenComparing(slot -> slot))
                .map(slot -> new Target(slot, load(snapshot, machine, 0)))
                .stream())
            .findFirst();
    }

    /** Which part of a machine is busy with what all topologies execute on it, and with {@code moreSecs} of work in a second. */
    private static double load(ClusterSnapshot snapshot, Machine machine, double moreSecs) {
        double busy = moreSecs;
        for (PlacedTopology topology : snapshot.state().topologies()) {
            TopologyRates rates = snapshot.rates().get(topology.graph().id());
            for (Map.Entry<ExecutorId, Slot> place : topology.placement().entrySet()) {
                Rates measured = rates.executors().get(place.getKey());
                if (place.getValue().machine().equals(machine.id()) && measured != null && measured.utilisation() > 0) {
                    busy += measured.utilisation();
                }
            }
        }
        return busy / machine.cores();
    }

    private static String reason(PlacedTopology topology, Straggler one, long forMs, Target target) {
        return String.format(Locale.ROOT, "%s %d-%d takes %.1f times as long for a tuple as its siblings (%.2f ms, they %.2f ms) with"
            + " %.1f %% of an equal share of the traffic, for %d s now; on %s, which is busy for %.0f %% of its time, it has room",
            topology.graph().componentOf(one.executor).id(), one.executor.firstTask(), one.executor.lastTask(),
            one.secs / one.siblingsSecs, one.secs * MS_PER_SEC, one.siblingsSecs * MS_PER_SEC, one.share * PERCENT,
            Math.round(forMs / MS_PER_SEC), target.slot, target.load * PERCENT);
    }

    /**
     * An executor beside its siblings.
     *
     * @param secs how long it takes for a tuple, in seconds
     * @param siblingsSecs how long its siblings take, in the median
     * @param equalPerSec how many tuples it would get if all tasks got as many as the siblings' do
     * @param share which part of that it gets
     */
    private record Straggler(ExecutorId executor, double secs, double siblingsSecs, double equalPerSec, double share) {
    }

    private record Target(Slot slot, double load) {
    }
}
