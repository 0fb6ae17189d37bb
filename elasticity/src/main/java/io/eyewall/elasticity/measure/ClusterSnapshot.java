package io.eyewall.elasticity.measure;

import io.eyewall.elasticity.model.ClusterState;
import io.eyewall.elasticity.model.PlacedTopology;
import io.eyewall.elasticity.model.TopologyGraph;
import java.util.Map;

/**
 * A cluster at one moment, as planners see it: what is where, and how fast everything goes. Immutable.
 *
 * @param state what is where
 * @param rates the rates of every topology, by id
 */
public record ClusterSnapshot(ClusterState state, Map<String, TopologyRates> rates) {

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

    /**
     * The throughput of a topology, tuples per second: what its sinks process, together (Xu's thesis, section 2.2.1).
     *
     * @throws IllegalArgumentException if the topology is not in the snapshot
     */
    public double throughputPerSec(String topologyId) {
        TopologyGraph graph = state.topologies().stream()
            .map(PlacedTopology::graph)
            .filter(one -> one.id().equals(topologyId))
            .findFirst()
            .orElseThrow(() -> new IllegalArgumentException("No topology " + topologyId + " in the snapshot"));
        double sum = 0;
        for (int operator = 0; operator < graph.size(); operator++) {
            if (graph.isSink(operator)) {
                sum += rates.get(topologyId).operators().getOrDefault(graph.operators().get(operator).id(), Rates.ZERO).executedPerSec();
            }
        }
        return sum;
    }
}
