package io.eyewall.elasticity.henge;

import io.eyewall.elasticity.measure.ClusterSnapshot;
import io.eyewall.elasticity.measure.Rates;
import io.eyewall.elasticity.measure.TopologyRates;
import io.eyewall.elasticity.model.PlacedTopology;
import io.eyewall.elasticity.plan.CongestionConfiguration;
import io.eyewall.elasticity.slo.Juice;
import io.eyewall.elasticity.slo.Slo;
import io.eyewall.elasticity.slo.SloMetric;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What is known of the cluster at one moment. Immutable.
 *
 * @param timeMs when, in milliseconds on a clock that all observations share
 * @param cluster the machines, the placements and the rates
 * @param statuses the SLO and the figures of every topology that has an SLO, by topology id; topologies without slots are ignored
 * @param cpuLoad the CPU load of every machine that reports it, by machine id: 1 if all its cores are busy
 * @param techniques the techniques of every topology in which some can be switched, by topology id
 */
public record Observation(long timeMs, ClusterSnapshot cluster, SortedMap<String, SloStatus> statuses, Map<String, Double> cpuLoad,
        Map<String, TechniqueStatus> techniques) {

    private static final double WORKING_OFF = 1.2;
    /** Up to this share of the highest possible utility there is hardly any utility to lose. */
    static final double LITTLE = 0.02;
    /** What does not depend on how long queues are, but on how fast they grow. */
    private static final Set<SloMetric> STEADY = Set.of(SloMetric.JUICE, SloMetric.THROUGHPUT_PER_SEC);

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
        techniques = Map.copyOf(techniques);
    }

    /** The techniques of a topology. */
    TechniqueStatus techniques(String topologyId) {
        return techniques.getOrDefault(topologyId, TechniqueStatus.NONE);
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

    /** The highest sum of utilities that topologies with an SLO could have. */
    double mostUtility(Set<String> topologyIds) {
        return topologyIds.stream().mapToDouble(id -> statuses.get(id).slo().maxUtility()).sum();
    }

    /** The part of these topologies' utilities that does not come from a latency; without those that have no such part. */
    SortedMap<String, Double> steady(Set<String> topologyIds) {
        SortedMap<String, Double> steady = new TreeMap<>();
        for (String id : topologyIds) {
            SloStatus status = statuses.get(id);
            if (!Set.of(SloMetric.LATENCY_MS).equals(status.slo().thresholds().keySet())) {
                status.slo().utility(status.values(), STEADY).ifPresent(utility -> steady.put(id, utility));
            }
        }
        return steady;
    }

    /**
     * The tuples that wait in each topology that has the rates of all executors and misses the latency of its SLO, by topology id.
     *
     * @param leastMs a backlog that leaves within this time is none, in milliseconds
     */
    SortedMap<String, Backlog> backlogs(double leastMs) {
        SortedMap<String, Backlog> backlogs = new TreeMap<>();
        topologies().forEach((id, topology) -> {
            if (rates(id).unmeasuredExecutors() == 0) {
                Backlog.of(this, topology, leastMs).ifPresent(backlog -> backlogs.put(id, backlog));
            }
        });
        return backlogs;
    }

    /**
     * The input of every topology that has an SLO and the rates of all executors, in tuples per second. Topologies with a saturated
     * operator are left out: back-pressure may hold their spouts back, and then a step changes their input.
     */
    SortedMap<String, Double> inputs() {
        return inputs(true);
    }

    /** The input of every other topology that has the rates of all executors, in tuples per second. It may be held back. */
    SortedMap<String, Double> otherInputs() {
        return inputs(false);
    }

    private SortedMap<String, Double> inputs(boolean withSloAndUnsaturated) {
        SortedMap<String, Double> inputs = new TreeMap<>();
        for (PlacedTopology topology : cluster.state().topologies()) {
            String id = topology.graph().id();
            if (rates(id).unmeasuredExecutors() == 0
                    && (statuses.containsKey(id) && saturatedOperators(id).isEmpty()) == withSloAndUnsaturated) {
                inputs.put(id, rates(id).topology().inputPerSec());
            }
        }
        return inputs;
    }

    /**
     * The throughput of every topology that has an SLO and a saturated operator, in tuples per second, by topology id. The queues of such a
     * topology grow or shrink whatever happens, and its latency with them.
     */
    SortedMap<String, Double> saturated() {
        SortedMap<String, Double> saturated = new TreeMap<>();
        for (String id : statuses.keySet()) {
            if (!saturatedOperators(id).isEmpty()) {
                saturated.put(id, cluster.throughputPerSec(id));
            }
        }
        return saturated;
    }

    /** Whether a topology works off its queues: each saturated operator, of which there is one, processes clearly more than it gets. */
    boolean isWorkingOff(String topologyId) {
        List<Rates> saturated = saturatedOperators(topologyId);
        return !saturated.isEmpty() && saturated.stream().allMatch(Observation::processesMoreThanItGets);
    }

    /**
     * Whether an operator of a topology processes clearly more than it gets. It need not be saturated: after a hot rebalance, what waited
     * is in the queues of the executors that it had before. Not a sign of queues by itself, since a custom grouping can copy tuples.
     */
    boolean isDraining(String topologyId) {
        return rates(topologyId).operators().values().stream().anyMatch(Observation::processesMoreThanItGets);
    }

    private static boolean processesMoreThanItGets(Rates operator) {
        return operator.executedPerSec() > WORKING_OFF * operator.inputPerSec() + operator.resolutionPerSec();
    }

    /** Whether no operator of a topology is saturated, except while it works off its queues. */
    boolean keepsUp(String topologyId) {
        return saturatedOperators(topologyId).isEmpty() || isWorkingOff(topologyId);
    }

    private List<Rates> saturatedOperators(String topologyId) {
        return rates(topologyId).operators().values().stream()
            .filter(operator -> operator.utilisation() >= CongestionConfiguration.DEFAULT.saturation()).toList();
    }

    TopologyRates rates(String topologyId) {
        return cluster.rates().get(topologyId);
    }
}
