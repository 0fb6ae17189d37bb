package io.eyewall.scheduler.scaling;

import io.eyewall.scheduler.cluster.ClusterView;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;

/**
 * The machines that have joined since a topology was placed and that it does not use yet. Those of the first round have not joined: Nimbus
 * may have started later than they. For one thread.
 */
final class JoinedMachines {

    private final Map<String, Set<String>> waiting = new HashMap<>();
    /** The machines of the last round; null before the first. */
    private Set<String> present;

    /** Looks at a round; only topologies that {@code wants} says yes to get machines. */
    void see(ClusterView view, Predicate<ClusterView.Topology> wants) {
        Set<String> now = view.machines();
        Set<String> joined = new TreeSet<>(now);
        joined.removeAll(present == null ? now : present);
        present = now;
        for (ClusterView.Topology topology : view.topologies().values()) {
            if (wants.test(topology)) {
                waiting.computeIfAbsent(topology.id(), id -> new TreeSet<>()).addAll(joined);
            }
        }
        waiting.keySet().retainAll(view.topologies().keySet());
        waiting.forEach((id, machines) -> {
            machines.retainAll(now);
            view.placed(id).ifPresent(topology -> topology.placement().values().forEach(slot -> machines.remove(slot.machine())));
        });
    }

    /** The machines that have joined for a topology. */
    Set<String> waitingFor(String topologyId) {
        return Set.copyOf(waiting.getOrDefault(topologyId, Set.of()));
    }

    /** Gives up on what has joined for a topology. */
    void dismiss(String topologyId) {
        waiting.remove(topologyId);
    }
}
