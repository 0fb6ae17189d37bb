package io.eyewall.elasticity.measure;

import io.eyewall.elasticity.model.ClusterState;
import io.eyewall.elasticity.model.PlacedTopology;
import io.eyewall.elasticity.model.TopologyGraph;
import java.util.Map;

/**
 * What planners know of a cluster at one moment: its state and its rates. Immutable.
 *
 * @param state the machines, and the slots of all executors
 * @param rates the rates of every topology, by the topology's id
 */
public record ClusterSnapshot(ClusterState state, Map<String, TopologyRates> rates) {

    /**
     * Checks that every topology of the state has rates.
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
     * The throughput of a topology in tuples per second: the sum of what its sinks process (Xu's thesis, section 2.2.1).
     *
     * @throws IllegalArgumentException if the topology is not in the snapshot
     */
    public double throughputPerSec(String topologyId) {
        TopologyGraph graph = state.topology(topologyId)
            .orElseThrow(() -> new IllegalArgumentException("No topology " + topologyId + " in the snapshot"))
            .graph();
        double sum = 0;
        for (int operator = 0; operator < graph.size(); operator++) {
            if (graph.isSink(operator)) {
                sum += rates.get(topologyId).operators().getOrDefault(graph.operators().get(operator).id(), Rates.ZERO).executedPerSec();
            }
        }
        return sum;
    }
}
