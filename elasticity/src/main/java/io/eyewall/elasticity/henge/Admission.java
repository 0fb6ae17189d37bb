package io.eyewall.elasticity.henge;

import io.eyewall.elasticity.model.Machine;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Predicts whether a cluster can meet another SLO. Before a topology has run, nothing is known of what its tuples cost. So the prediction
 * rests on what the search for the present topologies has found: another one has no room if the search is over, topologies miss their SLO
 * nevertheless, and the CPU load is high on all machines. Pure.
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
}
