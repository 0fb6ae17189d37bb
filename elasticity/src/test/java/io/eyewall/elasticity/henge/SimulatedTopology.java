package io.eyewall.elasticity.henge;

import io.eyewall.elasticity.model.Component;
import io.eyewall.elasticity.model.ExecutorId;
import io.eyewall.elasticity.model.Link;
import io.eyewall.elasticity.model.PlacedTopology;
import io.eyewall.elasticity.model.Slot;
import io.eyewall.elasticity.model.TopologyGraph;
import io.eyewall.elasticity.slo.Slo;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.IntUnaryOperator;

/** A topology of the simulation. Its shape and its work never change; its input rate and its placement do. */
final class SimulatedTopology {

    static final int TASKS = 32;

    final TopologyGraph graph;
    /** Null if it has none. */
    final Slo slo;
    /** Seconds of work per tuple, by the operator's index in the graph; 0 for a spout. */
    final double[] workSecs;
    /** Tuples emitted on each stream per tuple executed, by the operator's index in the graph. */
    final double[] selectivity;
    double inputPerSec;
    /** How many times as long its latency is while the adaptive timeout is off. */
    double tail = 1;
    /** The techniques that are on. */
    Set<Technique> techniques = Set.of();
    PlacedTopology placed;
    /** The operator's index and the machine of each executor. */
    int[] operators;
    String[] machines;

    private SimulatedTopology(TopologyGraph graph, Slo slo, Map<String, double[]> work, double inputPerSec) {
        this.graph = graph;
        this.slo = slo;
        this.inputPerSec = inputPerSec;
        this.workSecs = new double[graph.size()];
        this.selectivity = new double[graph.size()];
        for (int i = 0; i < graph.size(); i++) {
            double[] values = work.get(graph.operators().get(i).id());
            workSecs[i] = values[0] / 1_000;
            selectivity[i] = values[1];
        }
    }

    /** The Page Load topology: a chain whose filter keeps 80 %. Milliseconds of work per tuple, one for each bolt. */
    static SimulatedTopology pageLoad(String id, Slo slo, double inputPerSec, double... workMs) {
        return chain(id, slo, inputPerSec, List.of("spout", "transform", "filter", "join", "filter2", "aggregate", "output"), workMs);
    }

    /** The Linear topology. */
    static SimulatedTopology linear(String id, Slo slo, double inputPerSec, double... workMs) {
        return chain(id, slo, inputPerSec, List.of("spout", "bolt0", "bolt1", "output"), workMs);
    }

    /** The same with an acker, which is no operator. */
    SimulatedTopology withAcker() {
        int task = 1 + graph.size() * TASKS;
        List<Component> components = new ArrayList<>(graph.components());
        components.add(new Component("__acker", task, task));
        Map<String, double[]> work = new HashMap<>();
        for (int i = 0; i < graph.size(); i++) {
            work.put(graph.operators().get(i).id(), new double[] {workSecs[i] * 1_000, selectivity[i]});
        }
        return new SimulatedTopology(new TopologyGraph(graph.id(), components, graph.links()), slo, work, inputPerSec);
    }

    /** The Diamond topology: every branch gets all tuples. */
    static SimulatedTopology diamond(String id, Slo slo, double inputPerSec, double... workMs) {
        List<String> names = List.of("spout", "bolt1", "bolt2", "bolt3", "bolt4", "output");
        List<Link> links = new ArrayList<>();
        for (String branch : names.subList(1, 5)) {
            links.add(new Link("spout", "default", branch, 1));
            links.add(new Link(branch, "default", "output", 1));
        }
        return build(id, slo, inputPerSec, names, links, workMs);
    }

    private static SimulatedTopology chain(String id, Slo slo, double inputPerSec, List<String> names, double... workMs) {
        List<Link> links = new ArrayList<>();
        for (int i = 1; i < names.size(); i++) {
            links.add(new Link(names.get(i - 1), "default", names.get(i), 1));
        }
        return build(id, slo, inputPerSec, names, links, workMs);
    }

    private static SimulatedTopology build(String id, Slo slo, double inputPerSec, List<String> names, List<Link> links,
            double... workMs) {
        List<Component> components = new ArrayList<>();
        Map<String, double[]> work = new HashMap<>();
        for (int i = 0; i < names.size(); i++) {
            int first = 1 + i * TASKS;
            components.add(new Component(names.get(i), first, first + TASKS - 1));
            work.put(names.get(i), new double[] {i == 0 ? 0 : workMs[(i - 1) % workMs.length], names.get(i).equals("filter") ? 0.8 : 1});
        }
        return new SimulatedTopology(new TopologyGraph(id, components, links), slo, work, inputPerSec);
    }

    /** Places the topology: so many executors per component, over these slots in turn. */
    SimulatedTopology on(List<Slot> slots, int executorsPerComponent) {
        return on(slots, component -> executorsPerComponent);
    }

    /** Places the topology: so many executors for each component, by its index in the graph, over these slots in turn. */
    SimulatedTopology on(List<Slot> slots, IntUnaryOperator executors) {
        Map<ExecutorId, Slot> placement = new HashMap<>();
        int turn = 0;
        for (Component component : graph.components()) {
            int number = Math.min(component.taskCount(), executors.applyAsInt(graph.indexOf(component.id())));
            int size = component.taskCount() / number;
            int larger = component.taskCount() % number;
            int task = component.firstTask();
            for (int i = 0; i < number; i++) {
                int end = task + size + (i < larger ? 1 : 0);
                placement.put(new ExecutorId(graph.id(), task, end - 1), slots.get(turn++ % slots.size()));
                task = end;
            }
        }
        return place(placement);
    }

    /** How many executors an operator needs to keep up with the input, by its index in the graph: the cores that its work takes. */
    double load(int operator) {
        double[] rates = new double[graph.size()];
        for (int i = 0; i <= operator; i++) {
            rates[i] = graph.isSource(i) ? inputPerSec : 0;
            for (int parent : graph.parents(i)) {
                rates[i] += rates[parent] * selectivity[parent];
            }
        }
        return rates[operator] * workSecs[operator];
    }

    SimulatedTopology place(Map<ExecutorId, Slot> placement) {
        placed = PlacedTopology.of(graph, placement);
        operators = placed.placement().keySet().stream().mapToInt(executor -> graph.indexOf(graph.componentOf(executor).id())).toArray();
        machines = placed.placement().values().stream().map(Slot::machine).toArray(String[]::new);
        return this;
    }
}
