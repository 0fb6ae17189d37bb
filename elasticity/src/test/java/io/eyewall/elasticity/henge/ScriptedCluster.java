package io.eyewall.elasticity.henge;

import io.eyewall.elasticity.measure.ClusterSnapshot;
import io.eyewall.elasticity.measure.Rates;
import io.eyewall.elasticity.measure.TopologyRates;
import io.eyewall.elasticity.model.ClusterState;
import io.eyewall.elasticity.model.Component;
import io.eyewall.elasticity.model.ExecutorId;
import io.eyewall.elasticity.model.Link;
import io.eyewall.elasticity.model.Machine;
import io.eyewall.elasticity.model.PlacedTopology;
import io.eyewall.elasticity.model.Slot;
import io.eyewall.elasticity.slo.LatencyStatistic;
import io.eyewall.elasticity.slo.Slo;
import io.eyewall.elasticity.slo.SloMetric;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * A cluster whose figures a test sets, and a planner that looks at it. Every look is by a new planner, as after a restart of Nimbus:
 * nothing is remembered except the state. Latencies have a threshold of 10 ms. The machines m1 and m2 have two slots and four cores each.
 */
final class ScriptedCluster {

    static final Slot FIRST = new Slot("m1", 6700);
    static final Slot SECOND = new Slot("m2", 6700);

    final List<HengeEvent> events = new ArrayList<>();
    HengeState state = HengeState.START;
    /** By topology id; without a value the figure is missing. */
    final Map<String, Double> latencyMs = new HashMap<>();
    /** The topologies whose latency is from a look before. */
    final Set<String> held = new HashSet<>();
    /** By topology id; without a value the figure is missing. */
    final Map<String, Double> juice = new HashMap<>();
    /** By topology id and operator. */
    final Map<String, Map<String, Double>> busy = new HashMap<>();
    final Map<String, Double> cpuLoad = new HashMap<>();
    final Map<String, Double> inputPerSec = new HashMap<>();
    /** What a topology's operators process, by topology id; without a value their input. */
    final Map<String, Double> executedPerSec = new HashMap<>();
    final Map<String, Integer> unmeasured = new HashMap<>();
    /** The rates of single executors, of which no others are known. */
    final Map<ExecutorId, Rates> executorRates = new HashMap<>();
    /** Without a value a link has no tuples, and its receiver is not seen to fall behind. */
    final Map<Link, Double> linkLoads = new HashMap<>();
    final SortedMap<String, SimulatedTopology> topologies = new TreeMap<>();
    /** The topologies that let the scheduler switch techniques. */
    final Set<String> switchable = new HashSet<>();
    /** The techniques that can be switched there. */
    Set<Technique> possible = Set.of(Technique.BALANCING, Technique.TIMEOUT);
    /** What the workers use, by topology id; without a value none is on. */
    final Map<String, Set<Technique>> techniques = new HashMap<>();
    /** The percentile that the thresholds are for. */
    LatencyStatistic statistic = LatencyStatistic.MEAN;
    final List<Machine> machines = new ArrayList<>(List.of(new Machine("m1", List.of(6700, 6701), 4),
        new Machine("m2", List.of(6700, 6701), 4)));

    private final HengeConfiguration configuration;
    private long timeMs = 1_000_000;

    ScriptedCluster(Goal goal) {
        this(HengeConfiguration.DEFAULT.withGoal(goal));
    }

    ScriptedCluster(HengeConfiguration configuration) {
        this.configuration = configuration;
    }

    static Slo slo(double maxUtility) {
        return Slo.of(Map.of(SloMetric.LATENCY_MS, 10.0), LatencyStatistic.MEAN, maxUtility, "knee");
    }

    /** A topology spout -> bolt0 -> bolt1 -> output with two executors each, and an acker. */
    ScriptedCluster topology(String id, double maxUtility, double latency) {
        return topology(id, maxUtility, latency, 2);
    }

    ScriptedCluster topology(String id, double maxUtility, double latency, int executorsPerComponent) {
        Slot slot = new Slot("m" + (1 + topologies.size() % 2), 6700 + topologies.size() / 2);
        topologies.put(id, SimulatedTopology.linear(id, slo(maxUtility), 100, 1).withAcker().on(List.of(slot), executorsPerComponent));
        latencyMs.put(id, latency);
        busy.put(id, new HashMap<>(Map.of("bolt0", 0.1, "bolt1", 0.1, "output", 0.1)));
        inputPerSec.put(id, 100.0);
        return this;
    }

    /** A topology without an SLO, whose sink processes 100 tuples per second. */
    ScriptedCluster other(String id) {
        topology(id, 1, 0);
        topologies.put(id, SimulatedTopology.linear(id, null, 100, 1).on(List.copyOf(topologies.get(id).placed.placement().values()), 2));
        return this;
    }

    /** Applies the plan, and looks until its step is judged. */
    void applyAndAwaitEvent(HengePlan plan, HengeEvent.Kind kind) {
        apply(plan);
        for (int i = 0; lastEvent().kind() != kind; i++) {
            if (i > 50) {
                throw new AssertionError("not " + kind + ": " + events);
            }
            look(30_000);
        }
    }

    ScriptedCluster busy(String id, String operator, double share) {
        busy.get(id).put(operator, share);
        return this;
    }

    /** All machines have a high CPU load, so that topologies are helped one by one. */
    ScriptedCluster withoutRoom() {
        machines.forEach(machine -> cpuLoad.put(machine.id(), 0.95));
        return this;
    }

    /** Looks once; a plan is not applied. */
    HengeStep look(long afterMs) {
        timeMs += afterMs;
        HengeStep step = new HengePlanner(configuration).step(state, observation());
        state = step.state();
        events.addAll(step.events());
        return step;
    }

    /** Looks until there is a plan; fails if the search ends first. */
    HengePlan awaitPlan() {
        for (int i = 0; i < 50; i++) {
            HengeStep step = look(30_000);
            if (step.plan().isPresent()) {
                return step.plan().get();
            }
            if (state.converged()) {
                break;
            }
        }
        throw new AssertionError("no plan: " + events);
    }

    /** Looks until the search ends; fails if there is a plan. */
    HengeEvent awaitEnd() {
        for (int i = 0; i < 50; i++) {
            HengeStep step = look(30_000);
            if (step.plan().isPresent()) {
                throw new AssertionError("planned: " + step.plan().get());
            }
            if (state.converged()) {
                return lastEvent();
            }
        }
        throw new AssertionError("not converged: " + events);
    }

    /** Why there is no room for another SLO, by what the last look left. */
    Optional<String> obstacle() {
        return Admission.obstacle(state, observation(), configuration);
    }

    OptionalDouble freeCores() {
        return Admission.freeCores(observation(), configuration);
    }

    SortedMap<String, Double> busyCores() {
        return Admission.busyCores(observation().cluster());
    }

    void apply(HengePlan plan) {
        plan.changes().forEach((id, change) -> {
            topologies.get(id).place(change.placement());
            techniques.put(id, change.techniques());
        });
    }

    HengeEvent lastEvent() {
        return events.get(events.size() - 1);
    }

    boolean has(HengeEvent.Kind kind, String text) {
        return events.stream().anyMatch(event -> event.kind() == kind && event.text().contains(text));
    }

    int executors(String id, String component) {
        return TopologyChange.counts(topologies.get(id).graph, topologies.get(id).placed.placement()).get(component);
    }

    private Observation observation() {
        List<PlacedTopology> placed = topologies.values().stream().map(topology -> topology.placed).toList();
        Map<String, TopologyRates> rates = new HashMap<>();
        SortedMap<String, SloStatus> statuses = new TreeMap<>();
        topologies.forEach((id, topology) -> {
            double input = inputPerSec.get(id);
            double executed = executedPerSec.getOrDefault(id, input);
            Map<String, Rates> operators = topology.graph.operators().stream().collect(Collectors.toMap(Component::id,
                operator -> new Rates(input, executed, executed, busy.get(id).getOrDefault(operator.id(), Double.NaN), 0)));
            rates.put(id, new TopologyRates(new Rates(input, 0, 0, Double.NaN, 0), operators, executorRates, linkLoads, Map.of(),
                unmeasured.getOrDefault(id, 0)));
            if (topology.slo != null) {
                Map<SloMetric, Double> values = new HashMap<>();
                values.computeIfAbsent(SloMetric.LATENCY_MS, metric -> latencyMs.get(id));
                values.computeIfAbsent(SloMetric.JUICE, metric -> juice.get(id));
                Slo slo = Slo.of(topology.slo.thresholds(), statistic, topology.slo.maxUtility(), "knee");
                statuses.put(id, new SloStatus(slo, values, !held.contains(id)));
            }
        });
        return new Observation(timeMs, new ClusterSnapshot(new ClusterState(machines, placed), rates), statuses, cpuLoad,
            switchable.stream().collect(Collectors.toMap(id -> id, id -> new TechniqueStatus(possible, Set.of("bolt1"),
                Optional.of(techniques.getOrDefault(id, Set.of()))))));
    }
}
