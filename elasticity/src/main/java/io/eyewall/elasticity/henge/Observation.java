package io.eyewall.elasticity.henge;

import io.eyewall.elasticity.measure.ClusterSnapshot;
import io.eyewall.elasticity.measure.TopologyRates;
import io.eyewall.elasticity.model.PlacedTopology;
import io.eyewall.elasticity.plan.CongestionConfiguration;
import io.eyewall.elasticity.slo.Juice;
import io.eyewall.elasticity.slo.Slo;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What is known of the cluster at one moment. Immutable.
 *
 * @param timeMs when, in milliseconds on a clock that all observations share
 * @param cluster the machines, the placements and the rates
 * @param statuses the SLO and the figures of every topology that has an SLO, by topology id; topologies without slots are ignored
 * @param cpuLoad the CPU load of every machine that reports it, by machine id: 1 if all its cores are busy
 */
public record Observation(long timeMs, ClusterSnapshot cluster, SortedMap<String, SloStatus> statuses, Map<String, Double> cpuLoad) {

    /** Copies the maps, without the topologies that have no slots. */
    public Observation {
        SortedMap<String, SloStatus> placed = new TreeMap<>();
        for (PlacedTopology topology : cluster.state().topologies()) {
            SloStatus status = statuses.get(topology.graph().id());
            if (status != null) {
                placed.put(topology.graph().id(), status);
            }
        }
        statuses = Collections.unmodifiableSortedMap(placed);
        cpuLoad = Map.copyOf(cpuLoad);
    }

    /** The topologies that have an SLO, by id. */
    SortedMap<String, PlacedTopology> topologies() {
        SortedMap<String, PlacedTopology> placed = new TreeMap<>();
        for (PlacedTopology topology : cluster.state().topologies()) {
            if (statuses.containsKey(topology.graph().id())) {
                placed.put(topology.graph().id(), topology);
            }
        }
        return placed;
    }

    /** How the topologies without an SLO do that have the rates of all executors, by topology id. */
    SortedMap<String, Standing> others() {
        SortedMap<String, Standing> others = new TreeMap<>();
        for (PlacedTopology topology : cluster.state().topologies()) {
            String id = topology.graph().id();
            if (!statuses.containsKey(id) && rates(id).unmeasuredExecutors() == 0) {
                others.put(id, new Standing(cluster.throughputPerSec(id), new Juice(topology.graph(), rates(id)).ofTopology().orElse(1)));
            }
        }
        return others;
    }

    /** The SLOs by topology id. */
    Map<String, Slo> slos() {
        Map<String, Slo> slos = new HashMap<>();
        statuses.forEach((id, status) -> slos.put(id, status.slo()));
        return slos;
    }

    /** The utilities of the topologies that have all figures of their SLO, and the rates of all executors. */
    SortedMap<String, Double> utilities() {
        SortedMap<String, Double> utilities = new TreeMap<>();
        statuses.forEach((id, status) -> {
            if (rates(id).unmeasuredExecutors() == 0) {
                status.slo().utility(status.values()).ifPresent(utility -> utilities.put(id, utility));
            }
        });
        return utilities;
    }

    /**
     * The input of every topology that has an SLO and the rates of all executors, in tuples per second. Topologies with a saturated
     * operator are left out: back-pressure may hold their spouts back, and then a step changes their input.
     */
    SortedMap<String, Double> inputs() {
        SortedMap<String, Double> inputs = new TreeMap<>();
        for (String id : statuses.keySet()) {
            TopologyRates rates = rates(id);
            boolean saturated = rates.operators().values().stream()
                .anyMatch(operator -> operator.utilisation() >= CongestionConfiguration.DEFAULT.saturation());
            if (rates.unmeasuredExecutors() == 0 && !saturated) {
                inputs.put(id, rates.topology().inputPerSec());
            }
        }
        return inputs;
    }

    TopologyRates rates(String topologyId) {
        return cluster.rates().get(topologyId);
    }
}
