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
 * Decides which straggler moves to another machine. A straggler is an executor that stays slower than its siblings, the other executors of
 * its operator, although its senders have already taken nearly all traffic away from it. Then the machine makes it slow, not its load.
 *
 * <p>The counters in heartbeats suffice for this. Senders leave each receiver at least a hundredth of an equal share. So if the tasks of an
 * executor execute less than {@value #STARVED_SHARE} of what the tasks of its siblings do, all senders have reduced its traffic to the
 * minimum. The time per tuple is the busy time divided by the number of executed tuples. Example: three siblings execute 400 tuples per
 * second each and are busy for 0.8 of the time, which is 2 ms per tuple. The fourth executes 4 and is busy for 0.04 of the time, which is
 * 10 ms per tuple: 5 times as long, with 0.01 of an equal share.
 *
 * <p>Remembers how long each executor has been a straggler, and when each topology last had a move. Not thread-safe. Time is passed in.
 */
public final class StragglerPlanner {

    /** An executor with at most this share of its siblings' traffic is at the minimum: twice the real one, since Storm counts samples. */
    static final double STARVED_SHARE = 0.02;

    private static final double MS_PER_SEC = 1_000;
    private static final double PERCENT = 100;

    private final Map<ExecutorId, Long> starvedSinceMs = new HashMap<>();
    private final Map<String, Long> lastMoveMs = new HashMap<>();

    /** Forgets all topologies except these. */
    public void retain(Set<String> topologyIds) {
        starvedSinceMs.keySet().removeIf(executor -> !topologyIds.contains(executor.topologyId()));
        lastMoveMs.keySet().retainAll(topologyIds);
    }

    /**
     * The move that a topology needs now, if it needs one. The planner assumes that the move is made.
     *
     * @param balanced the operators whose senders balance traffic among all executors
     * @param factor a straggler takes at least this many times as long per tuple as the median of its siblings
     * @param periodMs how long an executor must be a straggler before it moves, and the shortest time between two moves of the topology, in
     *     milliseconds
     * @param nowMs now, in milliseconds
     */
    public Optional<ExecutorMove> plan(ClusterSnapshot snapshot, String topologyId, Set<String> balanced, double factor, long periodMs,
            long nowMs) {
        PlacedTopology topology = snapshot.state().topology(topologyId)
            .orElseThrow(() -> new IllegalArgumentException("No topology " + topologyId + " in the snapshot"));
        List<Straggler> slow = slow(topology, snapshot.rates().get(topologyId), balanced, factor);
        Set<ExecutorId> starved = new HashSet<>();
        slow.stream().filter(straggler -> straggler.share <= STARVED_SHARE).forEach(straggler -> starved.add(straggler.executor));
        starvedSinceMs.keySet().removeIf(executor -> executor.topologyId().equals(topologyId) && !starved.contains(executor));
        starved.forEach(executor -> starvedSinceMs.putIfAbsent(executor, nowMs));
        if (lastMoveMs.containsKey(topologyId) && nowMs - lastMoveMs.get(topologyId) < periodMs) {
            return Optional.empty();
        }
        Set<String> slowMachines = new HashSet<>();
        slow.forEach(straggler -> slowMachines.add(topology.placement().get(straggler.executor).machine()));
        for (Straggler straggler : slow) {
            long forMs = nowMs - starvedSinceMs.getOrDefault(straggler.executor, nowMs);
            if (starved.contains(straggler.executor) && forMs >= periodMs) {
                Optional<ExecutorMove> move = target(snapshot, topology, straggler, slowMachines)
                    .map(target -> new ExecutorMove(straggler.executor, topology.placement().get(straggler.executor), target.slot,
                        reason(topology, straggler, forMs, target)));
                if (move.isPresent()) {
                    lastMoveMs.put(topologyId, nowMs);
                    starvedSinceMs.keySet().removeIf(executor -> executor.topologyId().equals(topologyId));
                    return move;
                }
            }
        }
        return Optional.empty();
    }

    /** The executors that take at least {@code factor} times as long per tuple as their siblings, the slowest in relation first. */
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
                Straggler straggler = compare(executor, executors);
                if (straggler != null && straggler.secsPerTuple >= factor * straggler.siblingsSecsPerTuple) {
                    slow.add(straggler);
                }
            });
        }
        slow.sort(Comparator.comparingDouble(Straggler::slowdown).reversed().thenComparing(Straggler::executor));
        return slow;
    }

    /** Compares an executor with its siblings; null if none of them is measured. */
    private static Straggler compare(ExecutorId executor, Map<ExecutorId, Rates> executors) {
        List<Double> siblingsSecsPerTuple = new ArrayList<>();
        double executedPerSec = 0;
        int tasks = 0;
        for (Map.Entry<ExecutorId, Rates> other : executors.entrySet()) {
            if (!other.getKey().equals(executor)) {
                siblingsSecsPerTuple.add(secsPerTuple(other.getValue()));
                executedPerSec += other.getValue().executedPerSec();
                tasks += other.getKey().taskCount();
            }
        }
        if (tasks == 0) {
            return null;
        }
        siblingsSecsPerTuple.sort(null);
        double equalPerSec = executedPerSec / tasks * executor.taskCount();
        double median = siblingsSecsPerTuple.get((siblingsSecsPerTuple.size() - 1) / 2);
        Rates own = executors.get(executor);
        return new Straggler(executor, secsPerTuple(own), median, equalPerSec, own.executedPerSec() / equalPerSec);
    }

    /** The time that an executor takes per tuple, in seconds. */
    private static double secsPerTuple(Rates rates) {
        return rates.utilisation() / rates.executedPerSec();
    }

    /**
     * The slot to move to, on the least busy machine that has room for an equal share of the work. The executor's own machine and machines
     * with other slow executors of the topology are left out.
     */
    private static Optional<Target> target(ClusterSnapshot snapshot, PlacedTopology topology, Straggler straggler,
            Set<String> slowMachines) {
        Slot from = topology.placement().get(straggler.executor);
        boolean alone = topology.placement().values().stream().filter(from::equals).count() == 1;
        Set<Slot> used = new HashSet<>();
        snapshot.state().topologies().forEach(other -> used.addAll(other.placement().values()));
        double needed = straggler.equalPerSec * straggler.siblingsSecsPerTuple;
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

    /** The share of a machine's cores that is busy with all topologies, with {@code moreSecs} more seconds of work per second. */
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

    private static String reason(PlacedTopology topology, Straggler straggler, long forMs, Target target) {
        return String.format(Locale.ROOT, "executor %s %d-%d takes %.1f times as long per tuple as its siblings (%.2f ms, siblings %.2f ms)"
            + " although it has had only %.1f %% of an equal share of the traffic for %d s; %s, which is busy for %.0f %% of the time,"
            + " has room",
            topology.graph().componentOf(straggler.executor).id(), straggler.executor.firstTask(), straggler.executor.lastTask(),
            straggler.slowdown(), straggler.secsPerTuple * MS_PER_SEC, straggler.siblingsSecsPerTuple * MS_PER_SEC,
            straggler.share * PERCENT, Math.round(forMs / MS_PER_SEC), target.slot, target.load * PERCENT);
    }

    /**
     * An executor compared with its siblings.
     *
     * @param secsPerTuple its time per tuple, in seconds
     * @param siblingsSecsPerTuple the median of its siblings' times per tuple, in seconds
     * @param equalPerSec the tuples per second of an equal share: as many for each of its tasks as the siblings' tasks get
     * @param share its share of that, 1 for an equal one
     */
    private record Straggler(ExecutorId executor, double secsPerTuple, double siblingsSecsPerTuple, double equalPerSec,
            double share) {

        double slowdown() {
            return secsPerTuple / siblingsSecsPerTuple;
        }
    }

    private record Target(Slot slot, double load) {
    }
}
