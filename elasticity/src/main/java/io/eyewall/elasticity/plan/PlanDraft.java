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
 * The draft of a plan: the checked input that all planners need, and what the planner has decided so far. Not thread-safe.
 */
final class PlanDraft {

    final TopologyGraph graph;
    /** The loads as measured; a projection has its own copy. */
    final OperatorLoads measured;
    final PlacementDraft placement;
    final List<String> notes = new ArrayList<>();
    /** The machines that the topology runs on now. */
    final SortedSet<String> hosts;

    private final ClusterSnapshot snapshot;
    private final ScalingGoal goal;
    private final PlacedTopology topology;
    private final ThroughputModel model;
    private final Map<String, int[]> countsBefore;
    private final List<String> machines = new ArrayList<>();
    private final List<ScalingPlan.Choice> choices = new ArrayList<>();

    /**
     * Starts a draft.
     *
     * @throws ScalingRefusedException if the topology is unknown, is not completely placed on live machines, is not measured, or has no
     *     source or no sink
     */
    PlanDraft(ClusterSnapshot snapshot, ScalingGoal goal, CongestionConfiguration configuration) throws ScalingRefusedException {
        this.snapshot = snapshot;
        this.goal = goal;
        this.topology = snapshot.state().topology(goal.topologyId()).orElseThrow(() ->
            new ScalingRefusedException("No topology " + goal.topologyId() + " runs on this cluster: see storm list"));
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

    /** Whether the topology is to grow. */
    boolean isScaleOut() {
        return goal.direction() == ScalingGoal.Direction.OUT;
    }

    /** How many machines are to be added or removed. */
    int machineCount() {
        return goal.machines();
    }

    /**
     * The average number of operators' executors per machine, at least 1: the number N of the thesis, section 2.2.2.
     *
     * @param onMachines the number of machines to divide by
     */
    int executorsPerMachine(int onMachines) {
        return (int) Math.max(1, Math.round((double) Arrays.stream(measured.executors).sum() / onMachines));
    }

    /** The index of an executor's operator in the graph, or -1 if the executor runs a system component. */
    int operatorOf(ExecutorId executor) {
        return graph.indexOf(graph.componentOf(executor).id());
    }

    /** A copy of the measured loads to project on. */
    OperatorLoads projection(CongestionConfiguration configuration) {
        return new OperatorLoads(topology, snapshot.rates().get(graph.id()), configuration);
    }

    /** The input of every operator if no operator were a bottleneck, in tuples per second. */
    double[] demand() throws ScalingRefusedException {
        return model.demand();
    }

    /**
     * Whether an operator has tasks for one more executor.
     *
     * @param executors how many executors it has
     * @param exhausted receives the operator's id if it has none left
     */
    boolean canGrow(int operator, int executors, Set<String> exhausted) {
        Component component = graph.operators().get(operator);
        if (executors < component.taskCount()) {
            return true;
        }
        exhausted.add(component.id());
        return false;
    }

    /** Adds one executor of an operator on a machine. */
    void add(int operator, String machine, String reason, double score) {
        String component = graph.operators().get(operator).id();
        placement.add(component, machine);
        choose(component, reason + "one executor more, on " + machine, score);
    }

    /** Notes the operators that could not get more executors because they have no more tasks. */
    void noteExhausted(Set<String> exhausted) {
        for (String component : exhausted) {
            int tasks = graph.operators().get(graph.indexOf(component)).taskCount();
            notes.add(component + " cannot have more executors than its " + tasks + " task(s); to let it grow, submit it with more tasks "
                + "(topology.elastic.tasks.factor, or setNumTasks if it sets their number itself)");
        }
    }

    /** Records a choice of the planner. */
    void choose(String target, String action, double score) {
        choices.add(new ScalingPlan.Choice(target, action, score));
    }

    /**
     * Chooses the machines to grow to, from those that have a free slot and no executor of the topology. Machines with the fewest executors
     * come first, then those with the most cores, then by id. Each opens as many free slots as the topology has workers per machine now.
     *
     * @throws ScalingRefusedException if there are too few such machines
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
        if (candidates.size() < goal.machines()) {
            String available = candidates.isEmpty() ? "no other machine has a free slot"
                : "only " + candidates.size() + " other machine(s) have a free slot " + candidates.stream().map(Machine::id).toList();
            throw new ScalingRefusedException("Topology " + graph.id() + " cannot grow by " + goal.machines() + " machine(s): " + available
                + "; add Supervisors or slots, or ask for fewer machines");
        }
        int workers = new HashSet<>(topology.placement().values()).size();
        int workersPerMachine = (int) Math.max(1, Math.round((double) workers / hosts.size()));
        for (Machine machine : candidates.subList(0, goal.machines())) {
            machines.add(machine.id());
            freeSlots(machine, used).stream().limit(workersPerMachine).forEach(placement::open);
        }
        return List.copyOf(machines);
    }

    /** Records that the topology leaves a machine. */
    void remove(String machine, double score) {
        machines.add(machine);
        choose(machine, "leave the machine", score);
    }

    /**
     * Completes the plan.
     *
     * @param strategy the strategy of the planner
     * @param scores the strategy's score of every operator, from the measured loads
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
            notes.add("back-pressure holds the sources back; the prediction assumes that they can emit more");
        }
        double predicted = model.predict(countsBefore, placement.countsByMachine());
        return new ScalingPlan(goal, strategy, machines, operators, choices, placed,
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
                ? "sink: every operator feeds another, so its throughput is not defined"
                : "source: every operator is fed by another") + "; scale its components one by one with storm rebalance");
        }
    }

    private void checkPlacement() throws ScalingRefusedException {
        Set<String> alive = new HashSet<>();
        snapshot.state().machines().forEach(machine -> alive.add(machine.id()));
        Map<String, Integer> placedTasks = new HashMap<>();
        for (Map.Entry<ExecutorId, Slot> entry : topology.placement().entrySet()) {
            if (!alive.contains(entry.getValue().machine())) {
                throw new ScalingRefusedException("Executor " + entry.getKey() + " is on machine " + entry.getValue().machine()
                    + ", which is not alive: try again when Storm has placed it again");
            }
            placedTasks.merge(graph.componentOf(entry.getKey()).id(), entry.getKey().taskCount(), Integer::sum);
        }
        for (Component component : graph.components()) {
            int placed = placedTasks.getOrDefault(component.id(), 0);
            if (placed != component.taskCount()) {
                throw new ScalingRefusedException("Topology " + graph.id() + ": only " + placed + " of the " + component.taskCount()
                    + " tasks of component " + component.id() + " have a slot: try again when all have one");
            }
        }
    }

    private void checkMeasured(TopologyRates rates) throws ScalingRefusedException {
        int executors = Arrays.stream(measured.executors).sum();
        if (rates.unmeasuredExecutors() >= executors) {
            throw new ScalingRefusedException("Topology " + graph.id() + " has not been measured yet: try again when its workers have "
                + "sent two heartbeats");
        }
        if (rates.unmeasuredExecutors() > 0) {
            notes.add(rates.unmeasuredExecutors() + " of " + executors + " executors have no recent measurement; the plan assumes that "
                + "they do what the others of their operators do");
        }
    }
}
