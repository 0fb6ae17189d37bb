package io.eyewall.elasticity.plan;

import io.eyewall.elasticity.measure.ClusterSnapshot;
import io.eyewall.elasticity.measure.Rates;
import io.eyewall.elasticity.measure.TopologyRates;
import io.eyewall.elasticity.model.Component;
import io.eyewall.elasticity.model.ExecutorId;
import io.eyewall.elasticity.model.Machine;
import io.eyewall.elasticity.model.PlacedTopology;
import io.eyewall.elasticity.model.Slot;
import io.eyewall.elasticity.model.TopologyGraph;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * A plan in the making: what all planners need to know of the request, checked, and what they have decided so far. For one thread.
 */
final class PlanDraft {

    final TopologyGraph graph;
    /** As measured; projections work on their own. */
    final OperatorLoads measured;
    final PlacementDraft placement;
    final List<String> notes = new ArrayList<>();
    /** The machines that the topology is on now. */
    final SortedSet<String> hosts;

    private final ClusterSnapshot snapshot;
    private final ScalingGoal request;
    private final PlacedTopology topology;
    private final ThroughputModel model;
    private final Map<String, int[]> countsBefore;
    private final List<String> machines = new ArrayList<>();
    private final List<ScalingPlan.Choice> choices = new ArrayList<>();

    /**
     * Starts a plan.
     *
     * @throws ScalingRefusedException if the topology is unknown, not wholly placed on live machines, not measured, or has no way from a
     *     source to a sink
     */
    PlanDraft(ClusterSnapshot snapshot, ScalingGoal request, CongestionConfiguration configuration) throws ScalingRefusedException {
        this.snapshot = snapshot;
        this.request = request;
        this.topology = snapshot.state().topologies().stream()
            .filter(one -> one.graph().id().equals(request.topologyId()))
            .findFirst()
            .orElseThrow(() -> new ScalingRefusedException("No topology " + request.topologyId()
                + " runs on this cluster: see storm list"));
        this.graph = topology.graph();
        checkShape();
        checkPlacement();
        TopologyRates rates = snapshot.rates().get(graph.id());
        this.measured = new OperatorLoads(topology, rates, configuration);
        checkMeasured(rates);
        this.placement = new PlacementDraft(topology);
        this.hosts = new TreeSet<>(topology.placement().values().stream().map(Slot::machine).toList());
        this.model = new ThroughputModel(snapshot, measured);
        this.countsBefore = placement.countsByMachine();
    }

    boolean isOut() {
        return request.direction() == ScalingGoal.Direction.OUT;
    }

    int machinesRequested() {
        return request.machines();
    }

    /** How many executors the operators have per machine, on average: the thesis' N (section 2.2.2), at least 1. */
    int executorsPerMachine(int machineCount) {
        return (int) Math.max(1, Math.round((double) Arrays.stream(measured.executors).sum() / machineCount));
    }

    /** The number of an executor's operator in the graph, or -1 if it is one of Storm's own. */
    int operatorOf(ExecutorId executor) {
        return graph.indexOf(graph.componentOf(executor).id());
    }

    /** The loads as measured, to project on. */
    OperatorLoads projection(CongestionConfiguration configuration) {
        return new OperatorLoads(topology, snapshot.rates().get(graph.id()), configuration);
    }

    /** What every operator would get if none had a bound, tuples per second. */
    double[] demand() throws ScalingRefusedException {
        return model.demand();
    }

    /**
     * Whether an operator has tasks for one more executor.
     *
     * @param executors how many it has
     * @param exhausted gets the operator's name if it has not
     */
    boolean mayGrow(int operator, int executors, Set<String> exhausted) {
        Component component = graph.operators().get(operator);
        if (executors < component.taskCount()) {
            return true;
        }
        exhausted.add(component.id());
        return false;
    }

    /** Gives an operator one more executor on a machine. */
    void add(int operator, String machine, String reason, double score) {
        String component = graph.operators().get(operator).id();
        placement.add(component, machine);
        choose(component, reason + "one executor more, on " + machine, score);
    }

    /** Says which operators would have got more executors, had they had the tasks. */
    void noteExhausted(Set<String> exhausted) {
        for (String component : exhausted) {
            int tasks = graph.operators().get(graph.indexOf(component)).taskCount();
            notes.add(component + " cannot have more executors than its " + tasks + " task(s); submit it with more tasks to let it grow "
                + "(topology.elastic.tasks.factor, or setNumTasks where it says how many)");
        }
    }

    void choose(String target, String action, double score) {
        choices.add(new ScalingPlan.Choice(target, action, score));
    }

    /**
     * The machines to grow to: those without executors of the topology that have a free slot; with the fewest executors of others first,
     * then the most cores, then by id. On each, as many slots are opened as the topology has per machine now, as far as there are.
     *
     * @throws ScalingRefusedException if there are fewer than requested
     */
    List<String> openNewMachines() throws ScalingRefusedException {
        Map<String, Integer> executors = new HashMap<>();
        Set<Slot> used = new HashSet<>();
        for (PlacedTopology one : snapshot.state().topologies()) {
            one.placement().values().forEach(slot -> executors.merge(slot.machine(), 1, Integer::sum));
            used.addAll(one.placement().values());
        }
        List<Machine> candidates = snapshot.state().machines().stream()
            .filter(machine -> !hosts.contains(machine.id()) && !freeSlots(machine, used).isEmpty())
            .sorted(Comparator.<Machine>comparingInt(machine -> executors.getOrDefault(machine.id(), 0))
                .thenComparing(Comparator.comparingDouble(Machine::cores).reversed())
                .thenComparing(Machine::id))
            .toList();
        if (candidates.size() < request.machines()) {
            String which = candidates.isEmpty() ? "" : " " + candidates.stream().map(Machine::id).toList();
            throw new ScalingRefusedException("Topology " + graph.id() + " cannot grow by " + request.machines() + " machine(s): "
                + candidates.size() + " without its executors have a free slot" + which + "; add supervisors or slots, or ask for less");
        }
        int workers = new HashSet<>(topology.placement().values()).size();
        int workersPerMachine = (int) Math.max(1, Math.round((double) workers / hosts.size()));
        for (Machine machine : candidates.subList(0, request.machines())) {
            machines.add(machine.id());
            freeSlots(machine, used).stream().limit(workersPerMachine).forEach(placement::open);
        }
        return List.copyOf(machines);
    }

    /** Removes a machine from the topology. */
    void leave(String machine, double score) {
        machines.add(machine);
        choose(machine, "leave the machine", score);
    }

    /**
     * The plan.
     *
     * @param strategy who made it
     * @param scores what the strategy makes of every operator as it was measured
     */
    ScalingPlan finish(ScalingStrategy strategy, double[] scores) throws ScalingRefusedException {
        boolean[] congested = measured.congested();
        SortedMap<ExecutorId, Slot> placed = placement.build();
        int[] executorsAfter = new PlacedTopology(graph, placed).executorCounts();
        List<ScalingPlan.OperatorScore> operators = new ArrayList<>();
        for (int i = 0; i < graph.size(); i++) {
            Component component = graph.operators().get(i);
            Rates rates = snapshot.rates().get(graph.id()).operators().getOrDefault(component.id(), Rates.ZERO);
            operators.add(new ScalingPlan.OperatorScore(component, rates, measured.executors[i], executorsAfter[i], congested[i],
                scores[i]));
        }
        if (measured.isThrottled()) {
            notes.add("the sources are held back by back-pressure; the prediction takes it that they can bring in more");
        }
        double predicted = model.predict(countsBefore, placement.countsByMachine());
        return new ScalingPlan(request, strategy, machines, operators, choices, placed,
            new ScalingPlan.Throughput(measured.throughputPerSec(), predicted), notes);
    }

    private static List<Slot> freeSlots(Machine machine, Set<Slot> used) {
        return machine.ports().stream().map(port -> new Slot(machine.id(), port)).filter(slot -> !used.contains(slot)).toList();
    }

    private void checkShape() throws ScalingRefusedException {
        boolean hasSource = false;
        boolean hasSink = false;
        for (int i = 0; i < graph.size(); i++) {
            hasSource |= graph.isSource(i);
            hasSink |= graph.isSink(i);
        }
        if (!hasSource || !hasSink) {
            throw new ScalingRefusedException("Topology " + graph.id() + " has no " + (hasSource
                ? "sink: every operator feeds another, so that its throughput is not defined"
                : "source: no operator is without a parent") + "; scale its components one by one with storm rebalance");
        }
    }

    private void checkPlacement() throws ScalingRefusedException {
        Set<String> alive = new HashSet<>();
        snapshot.state().machines().forEach(machine -> alive.add(machine.id()));
        Map<String, Integer> placedTasks = new HashMap<>();
        for (Map.Entry<ExecutorId, Slot> entry : topology.placement().entrySet()) {
            if (!alive.contains(entry.getValue().machine())) {
                throw new ScalingRefusedException("Executor " + entry.getKey() + " is on machine " + entry.getValue().machine()
                    + ", which is not alive: ask again when it is placed anew");
            }
            placedTasks.merge(graph.componentOf(entry.getKey()).id(), entry.getKey().taskCount(), Integer::sum);
        }
        for (Component component : graph.components()) {
            int placed = placedTasks.getOrDefault(component.id(), 0);
            if (placed != component.taskCount()) {
                throw new ScalingRefusedException("Of the " + component.taskCount() + " tasks of component " + component.id()
                    + " of topology " + graph.id() + ", " + placed + " are placed: ask again when all are");
            }
        }
    }

    private void checkMeasured(TopologyRates rates) throws ScalingRefusedException {
        int executors = Arrays.stream(measured.executors).sum();
        if (rates.unmeasuredExecutors() >= executors) {
            throw new ScalingRefusedException("Topology " + graph.id() + " has not been measured yet: ask again when its workers have "
                + "sent two heartbeats");
        }
        if (rates.unmeasuredExecutors() > 0) {
            notes.add(rates.unmeasuredExecutors() + " of " + executors + " executors have not been measured lately; they are taken to do "
                + "what the others of their operators do");
        }
    }
}
