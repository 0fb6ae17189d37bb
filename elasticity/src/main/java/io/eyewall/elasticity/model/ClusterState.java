package io.eyewall.elasticity.model;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What is where in a cluster: the machines with their slots and capacities, and every executor of every topology. The module
 * {@code GlobalState} in Xu's thesis, section 2.3.2, as an immutable value.
 *
 * @param machines the machines that are alive
 * @param topologies the topologies that are placed
 */
public record ClusterState(List<Machine> machines, List<PlacedTopology> topologies) {

    /**
     * Checks that the parts agree. An executor may be on a machine that is not alive: it is about to be placed anew.
     *
     * @throws IllegalArgumentException if two machines or topologies have the same id, or two topologies share a slot
     */
    public ClusterState {
        Set<String> machineIds = new HashSet<>();
        for (Machine machine : machines) {
            if (!machineIds.add(machine.id())) {
                throw new IllegalArgumentException("Two machines are called " + machine.id());
            }
        }
        Map<Slot, String> users = new HashMap<>();
        Set<String> topologyIds = new HashSet<>();
        for (PlacedTopology topology : topologies) {
            if (!topologyIds.add(topology.graph().id())) {
                throw new IllegalArgumentException("Two topologies are called " + topology.graph().id());
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
}
