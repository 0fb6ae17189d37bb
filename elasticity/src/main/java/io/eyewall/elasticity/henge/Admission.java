package io.eyewall.elasticity.henge;

import io.eyewall.elasticity.measure.ClusterSnapshot;
import io.eyewall.elasticity.measure.TopologyRates;
import io.eyewall.elasticity.model.Machine;
import io.eyewall.elasticity.model.PlacedTopology;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Predicts whether a cluster can meet another SLO, by two things. One is what the search for the present topologies has found: another one
 * has no room if the search is over, topologies miss their SLO nevertheless, and the CPU load is high on all machines. The other is how
 * many cores are free. What the topology will cost is known only if it ran before. Pure.
 */
public final class Admission {

    private Admission() {
    }

    /**
     * Why the cluster has no room for another SLO, in words without a full stop; empty if it may have room. A machine that reports no load
     * may have room.
     */
    public static Optional<String> obstacle(HengeState state, Observation now, HengeConfiguration configuration) {
        List<Machine> machines = now.cluster().state().machines();
        List<String> missed = now.statuses().entrySet().stream()
            .filter(entry -> entry.getValue().isMissed()).map(Map.Entry::getKey).toList();
        boolean allBusy = machines.stream().allMatch(machine -> now.cpuLoad().getOrDefault(machine.id(), 0.0) >= configuration.highCpu());
        if (!state.converged() || missed.isEmpty() || machines.isEmpty() || !allBusy) {
            return Optional.empty();
        }
        return Optional.of("the CPU load is high on all machines (" + machines.size() + "), and nothing is left to try for what misses its"
            + " SLO already: " + String.join(", ", missed));
    }

    /**
     * The cores that new workers can use before the CPU load is high: those of machines with a free slot. Empty if the cores of such a
     * machine are not known. A machine that reports no load has that of its executors. Example: a machine of 4 cores with a load of 0.4 has
     * 2 cores left until 0.9.
     */
    public static OptionalDouble freeCores(Observation now, HengeConfiguration configuration) {
        ClusterDraft draft = new ClusterDraft(now, configuration.highCpu());
        double free = now.cluster().state().machines().stream().filter(draft::hasFreeSlot)
            .mapToDouble(machine -> machine.cores() * Math.max(0, configuration.highCpu() - draft.load(machine.id()))).sum();
        return Double.isFinite(free) ? OptionalDouble.of(free) : OptionalDouble.empty();
    }

    /** The cores that the bolts of each topology keep busy, by its id; without topologies whose executors are not all measured. */
    public static SortedMap<String, Double> busyCores(ClusterSnapshot snapshot) {
        SortedMap<String, Double> busy = new TreeMap<>();
        for (PlacedTopology topology : snapshot.state().topologies()) {
            String id = topology.graph().id();
            TopologyRates rates = snapshot.rates().get(id);
            if (rates.unmeasuredExecutors() == 0) {
                busy.put(id, topology.placement().keySet().stream()
                    .mapToDouble(executor -> ClusterDraft.busy(rates, topology.graph().componentOf(executor)))
                    .filter(cores -> !Double.isNaN(cores)).sum());
            }
        }
        return busy;
    }
}
