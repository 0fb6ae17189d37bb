package io.eyewall.elasticity;

import java.util.Map;

/**
 * A cluster at one moment, as planners see it: what is where, and how fast everything goes. Immutable.
 *
 * @param state what is where
 * @param rates the rates of every topology, by id
 */
public record ClusterSnapshot(GlobalState state, Map<String, TopologyRates> rates) {

    /**
     * Checks that every topology has rates.
     *
     * @throws IllegalArgumentException if one has none
     */
    public ClusterSnapshot {
        for (PlacedTopology topology : state.topologies()) {
            if (!rates.containsKey(topology.graph().id())) {
                throw new IllegalArgumentException("No rates for topology " + topology.graph().id());
            }
        }
        rates = Map.copyOf(rates);
    }
}
