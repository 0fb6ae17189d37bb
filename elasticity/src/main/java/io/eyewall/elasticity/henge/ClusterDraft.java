package io.eyewall.elasticity.henge;

import io.eyewall.elasticity.measure.Rates;
import io.eyewall.elasticity.measure.TopologyRates;
import io.eyewall.elasticity.model.Component;
import io.eyewall.elasticity.model.ExecutorId;
import io.eyewall.elasticity.model.Machine;
import io.eyewall.elasticity.model.PlacedTopology;
import io.eyewall.elasticity.model.Slot;
import io.eyewall.elasticity.plan.PlacementDraft;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The machines of a cluster with their load, while a plan changes topologies on them. The load of a machine is what it reports or, if it
 * reports nothing, the sum of its executors' utilisations divided by its cores. Part of an executor's busy time may be waiting,
 * such as for a database: how much CPU executors use is estimated from machines that report their load. Counts the work that it does. Not
 * thread-safe.
 */
final class ClusterDraft {

    /**
     * A topology starts a worker on a machine only if the machine's load is at least this much lower than that of each machine it already
     * uses.
     */
    private static final double WORTH_A_WORKER = 0.1;
    private static final double MOSTLY = 0.5;

    private final Map<String, Machine> machines = new HashMap<>();
    private final Map<String, Double> load = new HashMap<>();
    private final Set<Slot> used = new HashSet<>();
    /** Machines that have a free slot, the least loaded first. */
    private final NavigableSet<String> open = new TreeSet<>(Comparator.<String>comparingDouble(this::load).thenComparing(id -> id));
    private final double highCpu;
    /** The loads of the machines that report theirs. */
    private final Map<String, Double> reported;
    /** For how much of each second the executors on a machine are busy together, by machine id, where machines report their load. */
    private final Map<String, Double> busyOn = new HashMap<>();
    /** How many cores an executor takes that is busy all the time, at most 1: less if executors wait while they are busy. */
    private final double coresPerBusy;
    private long work;

    ClusterDraft(Observation now, double highCpu) {
        this.highCpu = highCpu;
        this.reported = now.cpuLoad();
        for (Machine machine : now.cluster().state().machines()) {
            machines.put(machine.id(), machine);
            load.put(machine.id(), reported.getOrDefault(machine.id(), 0.0));
        }
        for (PlacedTopology topology : now.cluster().state().topologies()) {
            TopologyRates rates = now.rates(topology.graph().id());
            for (Map.Entry<ExecutorId, Slot> executor : topology.placement().entrySet()) {
                Slot slot = executor.getValue();
                double share = busy(rates, topology.graph().componentOf(executor.getKey()));
                work++;
                used.add(slot);
                if (!reported.containsKey(slot.machine())) {
                    add(slot.machine(), share);
                } else if (!Double.isNaN(share)) {
                    busyOn.merge(slot.machine(), share, Double::sum);
                }
            }
        }
        // Other processes of the machines count, too, so the estimate is on the high side.
        double cores = machines.values().stream().filter(machine -> reported.containsKey(machine.id()))
            .mapToDouble(machine -> load(machine.id()) * machine.cores()).sum();
        double busy = busyOn.values().stream().mapToDouble(Double::doubleValue).sum();
        coresPerBusy = cores < busy ? cores / busy : 1;
        machines.values().stream().filter(this::hasFreeSlot).forEach(machine -> open.add(machine.id()));
    }

    /** How many cores an executor takes on a machine that is busy for a share of its time. */
    private double cores(String machine, double busy) {
        return reported.containsKey(machine) ? coresPerBusy * busy : busy;
    }

    /** How many executors, machines and operators have been looked at. */
    long work() {
        return work;
    }

    /** Whether executors wait for most of the time that they are busy, as for a database: then they need little CPU time. */
    boolean executorsMostlyWait() {
        return coresPerBusy < MOSTLY;
    }

    /** Whether no machine of these slots has a high load, with what the plan has put on them so far. */
    boolean hasRoom(Collection<Slot> slots) {
        return slots.stream().allMatch(slot -> load(slot.machine()) < highCpu);
    }

    /**
     * Gives a topology more executors: each on the least loaded machine that it runs on. If all of these have a high load, it gets a worker
     * on the least loaded machine with a free slot. If executors mostly wait, those that the operators have already will take less CPU
     * time, and only a high load that a machine reports makes a worker worth its own CPU time and memory.
     *
     * @param more how many executors each operator gets, by its index in the graph
     * @return the new placement
     */
    SortedMap<ExecutorId, Slot> grow(PlacedTopology topology, TopologyRates rates, Congestion congestion, int[] more) {
        PlacementDraft draft = new PlacementDraft(topology);
        NavigableSet<String> own = own(topology);
        if (executorsMostlyWait()) {
            relieve(topology, rates, congestion, more, own);
        }
        for (int operator = 0; operator < more.length; operator++) {
            work++;
            for (int i = 0; i < more[operator]; i++) {
                work++;
                String machine = own.stream().filter(each -> !isFull(each)).findFirst().orElseGet(() -> withNewWorker(own, draft));
                if (machine == null) {
                    break;
                }
                draft.add(topology.graph().operators().get(operator).id(), machine);
                add(own, machine, cores(machine, busyWith(congestion, operator, more)));
            }
        }
        return draft.build();
    }

    /**
     * Takes from the machines of a topology the CPU time that its executors no longer need when new ones share their work. Not from those
     * with a high load: there, other work that waits takes it at once.
     */
    private void relieve(PlacedTopology topology, TopologyRates rates, Congestion congestion, int[] more, NavigableSet<String> own) {
        topology.placement().forEach((executor, slot) -> {
            work++;
            Component component = topology.graph().componentOf(executor);
            int operator = topology.graph().indexOf(component.id());
            if (operator >= 0 && more[operator] > 0 && own.contains(slot.machine()) && load(slot.machine()) < highCpu) {
                add(own, slot.machine(), cores(slot.machine(), busyWith(congestion, operator, more) - busy(rates, component)));
            }
        });
    }

    /** The share of its time for which an executor of an operator is busy when there are more of them. */
    private static double busyWith(Congestion congestion, int operator, int[] more) {
        return Math.min(1, congestion.with(operator, congestion.executors[operator] + more[operator]));
    }

    /**
     * Moves executors of a topology to less loaded machines: those that are slower than their siblings or, if there are none, those on
     * machines that report a high load, the busiest first, until the load is no longer high. Each goes to the least loaded machine that the
     * topology runs on or, if another one is clearly less loaded, to a new worker there. It stays if that machine would not be clearly less
     * loaded than its own.
     *
     * @param slow the executors that are slower than their siblings: they leave their machines even if these are not busy
     * @return the new placement
     */
    SortedMap<ExecutorId, Slot> relocate(PlacedTopology topology, TopologyRates rates, List<ExecutorId> slow) {
        PlacementDraft draft = new PlacementDraft(topology);
        NavigableSet<String> own = own(topology);
        Set<String> avoided = new HashSet<>();
        slow.forEach(executor -> avoided.add(topology.placement().get(executor).machine()));
        List<ExecutorId> candidates = new ArrayList<>(slow.isEmpty() ? topology.placement().keySet() : slow);
        if (slow.isEmpty()) {
            candidates.sort(Comparator.<ExecutorId>comparingDouble(executor -> -load(topology.placement().get(executor).machine()))
                .thenComparing(executor -> -busy(rates, topology.graph().componentOf(executor)))
                .thenComparing(executor -> executor));
        }
        for (ExecutorId executor : candidates) {
            work++;
            String from = topology.placement().get(executor).machine();
            double cores = cores(from, busy(rates, topology.graph().componentOf(executor)));
            boolean isToLeave = cores > 0 && machines.containsKey(from) && (!slow.isEmpty() || isBusy(from));
            String to = isToLeave ? leastLoaded(own, from, avoided) : null;
            if (to != null && load(to) + cores / machines.get(to).cores() <= (slow.isEmpty() ? load(from) - WORTH_A_WORKER : highCpu)) {
                if (!own.contains(to)) {
                    open(to, draft);
                }
                draft.move(executor, to);
                add(own, from, -cores);
                add(own, to, cores);
            }
        }
        return draft.build();
    }

    /**
     * Takes executors from a topology, on the most loaded machines first.
     *
     * @param kept how many executors each operator keeps, by its index in the graph
     * @return the new placement
     */
    SortedMap<ExecutorId, Slot> shrink(PlacedTopology topology, int[] kept) {
        PlacementDraft draft = new PlacementDraft(topology);
        Map<String, List<ExecutorId>> byComponent = byComponent(topology);
        for (int operator = 0; operator < kept.length; operator++) {
            work++;
            List<ExecutorId> executors =
                new ArrayList<>(byComponent.getOrDefault(topology.graph().operators().get(operator).id(), List.of()));
            executors.sort(Comparator.<ExecutorId>comparingDouble(executor -> -load(topology.placement().get(executor).machine()))
                .thenComparing(executor -> executor));
            work += executors.size();
            executors.subList(0, Math.max(0, executors.size() - kept[operator])).forEach(draft::drop);
        }
        return draft.build();
    }

    /**
     * Brings a topology back to an earlier placement. If a slot of that placement can no longer be used, the topology only gets its earlier
     * numbers of executors.
     */
    SortedMap<ExecutorId, Slot> restore(PlacedTopology topology, SortedMap<ExecutorId, Slot> earlier) {
        Set<Slot> own = new HashSet<>(topology.placement().values());
        work += earlier.size();
        boolean usable = earlier.values().stream().allMatch(slot -> machines.containsKey(slot.machine())
            && (own.contains(slot) || (!used.contains(slot) && machines.get(slot.machine()).ports().contains(slot.port()))));
        if (usable) {
            used.addAll(earlier.values());
            return earlier;
        }
        SortedMap<String, Integer> counts = TopologyChange.counts(topology.graph(), earlier);
        PlacementDraft draft = new PlacementDraft(topology);
        Map<String, List<ExecutorId>> byComponent = byComponent(topology);
        List<String> hosts = topology.placement().values().stream().map(Slot::machine).distinct()
            .sorted(Comparator.<String>comparingDouble(this::load).thenComparing(id -> id)).toList();
        int next = 0;
        for (Map.Entry<String, List<ExecutorId>> component : byComponent.entrySet()) {
            int wanted = counts.getOrDefault(component.getKey(), component.getValue().size());
            work += component.getValue().size();
            component.getValue().stream().skip(wanted).forEach(draft::drop);
            for (int i = component.getValue().size(); i < wanted; i++) {
                draft.add(component.getKey(), hosts.get(next++ % hosts.size()));
            }
        }
        return draft.build();
    }

    /** Opens a slot of the least loaded machine for a worker if that is worth it; returns the machine for the next executor, or null. */
    private String withNewWorker(NavigableSet<String> own, PlacementDraft draft) {
        work++;
        String leastLoaded = own.isEmpty() ? null : own.first();
        String machine = open.isEmpty() ? null : open.first();
        // If the first one is one of its own, no other machine is less loaded than that.
        if (machine == null || own.contains(machine) || (leastLoaded != null && load(machine) > load(leastLoaded) - WORTH_A_WORKER)) {
            return leastLoaded;
        }
        open(machine, draft);
        return machine;
    }

    /** Whether a machine has no room for another executor. What executors that mostly wait need is not known well enough to add it up. */
    private boolean isFull(String machine) {
        double reportedLoad = reported.getOrDefault(machine, Double.NaN);
        boolean mostlyWait = reportedLoad * machines.get(machine).cores() < MOSTLY * busyOn.getOrDefault(machine, 0.0);
        return (mostlyWait ? reportedLoad : load(machine)) >= highCpu;
    }

    /** Whether a machine reports its load, and it is high with what the plan has put on it or taken from it so far. */
    private boolean isBusy(String machine) {
        return reported.containsKey(machine) && load(machine) >= highCpu;
    }

    private void open(String machine, PlacementDraft draft) {
        Slot slot = freeSlot(machines.get(machine));
        used.add(slot);
        draft.open(slot);
        if (!hasFreeSlot(machines.get(machine))) {
            open.remove(machine);
        }
    }

    /** The least loaded of a topology's machines or, if that is worth a worker, of those with a free slot; null if there is none. */
    private String leastLoaded(NavigableSet<String> own, String from, Set<String> avoided) {
        String ownBest = first(own, from, avoided);
        String other = first(open, from, avoided);
        return ownBest == null || (other != null && load(other) <= load(ownBest) - WORTH_A_WORKER) ? other : ownBest;
    }

    private String first(NavigableSet<String> ids, String from, Set<String> avoided) {
        for (String machine : ids) {
            work++;
            if (!machine.equals(from) && !avoided.contains(machine)) {
                return machine;
            }
        }
        return null;
    }

    /** The machines that a topology runs on, the least loaded first. */
    private NavigableSet<String> own(PlacedTopology topology) {
        NavigableSet<String> own = new TreeSet<>(Comparator.<String>comparingDouble(this::load).thenComparing(id -> id));
        topology.placement().values().stream().map(Slot::machine).filter(machines::containsKey).forEach(own::add);
        return own;
    }

    boolean hasFreeSlot(Machine machine) {
        work++;
        return freeSlot(machine) != null;
    }

    private Slot freeSlot(Machine machine) {
        return machine.ports().stream().map(port -> new Slot(machine.id(), port)).filter(slot -> !used.contains(slot)).findFirst()
            .orElse(null);
    }

    /** The load of a machine, with what the plan has put on it so far. */
    double load(String machine) {
        return load.getOrDefault(machine, 0.0);
    }

    /** Adds work to a machine that a topology uses from now on. */
    private void add(NavigableSet<String> own, String machine, double cores) {
        // Sets are sorted by load, which must not change while a machine is in them.
        own.remove(machine);
        boolean wasOpen = open.remove(machine);
        add(machine, cores);
        own.add(machine);
        if (wasOpen) {
            open.add(machine);
        }
    }

    /** Adds work to a machine. Nothing is known of a dead one. */
    private void add(String machine, double cores) {
        if (machines.containsKey(machine) && !Double.isNaN(cores)) {
            load.merge(machine, cores / machines.get(machine).cores(), Double::sum);
        }
    }

    /** The share of its time that an executor of a component is busy, NaN if unknown. */
    static double busy(TopologyRates rates, Component component) {
        return rates.operators().getOrDefault(component.id(), Rates.ZERO).utilisation();
    }

    private static Map<String, List<ExecutorId>> byComponent(PlacedTopology topology) {
        Map<String, List<ExecutorId>> byComponent = new TreeMap<>();
        topology.placement().keySet().forEach(executor ->
            byComponent.computeIfAbsent(topology.graph().componentOf(executor).id(), id -> new ArrayList<>()).add(executor));
        return byComponent;
    }
}
