package io.eyewall.scheduler.scaling;

import io.eyewall.scheduler.cluster.ClusterView;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;

/**
 * For each topology, the machines that joined the cluster after its placement and that it does not use yet. The machines of the first round
 * do not count as joined, since they may have been there before Nimbus started. Not thread-safe.
 */
final class JoinedMachines {

    private final Map<String, Set<String>> waiting = new HashMap<>();
    /** The machines of the last round; null before the first. */
    private Set<String> present;

    /** Compares this round with the last; only topologies that {@code growsAutomatically} accepts get machines. */
    void observe(ClusterView view, Predicate<ClusterView.Topology> growsAutomatically) {
        Set<String> now = view.machines();
        Set<String> joined = new TreeSet<>(now);
        joined.removeAll(present == null ? now : present);
        present = now;
        for (ClusterView.Topology topology : view.topologies().values()) {
            if (growsAutomatically.test(topology)) {
                waiting.computeIfAbsent(topology.id(), id -> new TreeSet<>()).addAll(joined);
            }
        }
        waiting.keySet().retainAll(view.topologies().keySet());
        waiting.forEach((id, machines) -> {
            machines.retainAll(now);
            view.placed(id).ifPresent(topology -> topology.placement().values().forEach(slot -> machines.remove(slot.machine())));
        });
    }

    /** The joined machines that a topology can grow to. */
    Set<String> waitingFor(String topologyId) {
        return Set.copyOf(waiting.getOrDefault(topologyId, Set.of()));
    }

    /** Forgets the joined machines of a topology. */
    void dismiss(String topologyId) {
        waiting.remove(topologyId);
    }
}
