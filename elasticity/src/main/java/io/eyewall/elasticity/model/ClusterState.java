package io.eyewall.elasticity.model;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The state of a cluster at one moment: the machines with their slots and capacities, and the slot of every executor of every topology.
 * This is the module {@code GlobalState} of Xu's thesis, section 2.3.2, as an immutable value.
 *
 * @param machines the machines that are alive
 * @param topologies the topologies whose executors have slots
 */
public record ClusterState(List<Machine> machines, List<PlacedTopology> topologies) {

    /**
     * Checks that the parts are consistent. An executor may be on a machine that is not alive: Storm is about to place it again.
     *
     * @throws IllegalArgumentException if two machines or two topologies have the same id, or two topologies share a slot
     */
    public ClusterState {
        Set<String> machineIds = new HashSet<>();
        for (Machine machine : machines) {
            if (!machineIds.add(machine.id())) {
                throw new IllegalArgumentException("Two machines have the id " + machine.id());
            }
        }
        Map<Slot, String> users = new HashMap<>();
        Set<String> topologyIds = new HashSet<>();
        for (PlacedTopology topology : topologies) {
            if (!topologyIds.add(topology.graph().id())) {
                throw new IllegalArgumentException("Two topologies have the id " + topology.graph().id());
            }
            for (Slot slot : topology.placement().values()) {
                String other = users.put(slot, topology.graph().id());
                if (other != null && !other.equals(topology.graph().id())) {
                    throw new IllegalArgumentException("Slot " + slot + " is used by topologies " + other + " and "
                        + topology.graph().id());
                }
            }
        }
        machines = List.copyOf(machines);
        topologies = List.copyOf(topologies);
    }

    /** The topology with an id, if it has slots. */
    public Optional<PlacedTopology> topology(String id) {
        return topologies.stream().filter(topology -> topology.graph().id().equals(id)).findFirst();
    }
}
