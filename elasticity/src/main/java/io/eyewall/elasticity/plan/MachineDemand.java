package io.eyewall.elasticity.plan;

import io.eyewall.elasticity.measure.ClusterSnapshot;
import io.eyewall.elasticity.measure.TopologyRates;
import io.eyewall.elasticity.model.Machine;
import io.eyewall.elasticity.model.PlacedTopology;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** How many machines a cluster needs: those in use, one more, or one fewer. An autoscaler goes step by step. */
public final class MachineDemand {

    /** One machine fewer is enough if the executors then keep this share of the cores busy at most. */
    static final double TARGET_UTILISATION = 0.6;

    private MachineDemand() {
    }

    /** Whether an operator of a topology is congested. A topology whose executors are not all measured is not. */
    public static boolean isCongested(ClusterSnapshot snapshot, String topologyId, CongestionConfiguration configuration) {
        TopologyRates rates = snapshot.rates().get(topologyId);
        return rates != null && rates.unmeasuredExecutors() == 0 && snapshot.state().topology(topologyId)
            .filter(topology -> OperatorLoads.anyIs(new OperatorLoads(topology, rates, configuration).congested())).isPresent();
    }

    /**
     * The number of machines that are wanted. An example: executors on four machines of two cores are busy for 3.5 cores together. Three
     * machines have six cores, of which 3.6 may be busy: three are wanted. With 3.7 busy cores, four are.
     *
     * @param more whether something is short of machines
     */
    public static int machines(ClusterSnapshot snapshot, boolean more) {
        Set<String> used = new HashSet<>();
        snapshot.state().topologies().forEach(topology -> topology.placement().values().forEach(slot -> used.add(slot.machine())));
        if (more) {
            return used.size() + 1;
        }
        return used.size() > 1 && isOneTooMany(snapshot, used) ? used.size() - 1 : used.size();
    }

    /** Whether the other machines have cores enough without the largest one. Never while something is not measured. */
    private static boolean isOneTooMany(ClusterSnapshot snapshot, Set<String> used) {
        List<Machine> machines = snapshot.state().machines().stream().filter(machine -> used.contains(machine.id())).toList();
        double cores = machines.stream().mapToDouble(Machine::cores).sum() - machines.stream().mapToDouble(Machine::cores).max().orElse(0);
        return machines.size() == used.size() && Double.isFinite(cores) && busyCores(snapshot) <= TARGET_UTILISATION * cores;
    }

    /** How many cores all executors keep busy; one whose busy time is unknown, such as a spout's, counts as one. NaN if not measured. */
    private static double busyCores(ClusterSnapshot snapshot) {
        double busy = 0;
        for (PlacedTopology topology : snapshot.state().topologies()) {
            TopologyRates rates = snapshot.rates().get(topology.graph().id());
            if (rates.unmeasuredExecutors() > 0) {
                return Double.NaN;
            }
            OperatorLoads loads = new OperatorLoads(topology, rates, CongestionConfiguration.DEFAULT);
            for (int operator = 0; operator < loads.executors.length; operator++) {
                busy += loads.executors[operator] * (Double.isNaN(loads.utilisation[operator]) ? 1 : loads.utilisation[operator]);
            }
        }
        return busy;
    }
}
