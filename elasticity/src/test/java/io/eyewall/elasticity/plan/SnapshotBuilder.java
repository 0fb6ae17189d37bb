package io.eyewall.elasticity.plan;

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
import io.eyewall.elasticity.model.TopologyGraph;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Builds a cluster with one topology. Its executors are distributed round robin over the workers of the hosts.
 */
final class SnapshotBuilder {

    private final String id;
    private final List<Component> components = new ArrayList<>();
    private final Map<String, Integer> executors = new LinkedHashMap<>();
    private final Map<String, Rates> rates = new HashMap<>();
    private final Map<Link, Double> linkLoads = new LinkedHashMap<>();
    private final List<Machine> machines = new ArrayList<>();
    private final List<Slot> workers = new ArrayList<>();
    private final Map<ExecutorId, Slot> fixed = new HashMap<>();
    private final List<PlacedTopology> others = new ArrayList<>();
    private final Map<String, TopologyRates> otherRates = new HashMap<>();
    private int unmeasured;
    private int nextTask = 1;

    SnapshotBuilder(String id) {
        this.id = id;
    }

    /** Exact rates of an operator whose utilisation is unknown. */
    static Rates rates(double inputPerSec, double executedPerSec, double emittedPerSec) {
        return rates(inputPerSec, executedPerSec, emittedPerSec, Double.NaN);
    }

    /** Exact rates. */
    static Rates rates(double inputPerSec, double executedPerSec, double emittedPerSec, double busy) {
        return new Rates(inputPerSec, executedPerSec, emittedPerSec, busy, 0);
    }

    SnapshotBuilder operator(String name, int executorCount, int tasks, Rates operatorRates) {
        components.add(new Component(name, nextTask, nextTask + tasks - 1));
        nextTask += tasks;
        executors.put(name, executorCount);
        rates.put(name, operatorRates);
        return this;
    }

    /** An operator with this input, processed rate and utilisation, and with more tasks than it can ever need. */
    SnapshotBuilder operator(String name, int executorCount, double inputPerSec, double executedPerSec, double busy) {
        return operator(name, executorCount, 64, rates(inputPerSec, executedPerSec, executedPerSec, busy));
    }

    SnapshotBuilder link(String from, String to, double perSec) {
        return link(new Link(from, "default", to, 1), perSec);
    }

    SnapshotBuilder link(Link link, double perSec) {
        linkLoads.put(link, perSec);
        return this;
    }

    /** Adds a machine with this many slots, each with a worker of the topology. */
    SnapshotBuilder host(String name, int workerCount, double cores) {
        machine(name, workerCount, cores);
        for (int port = 6700; port < 6700 + workerCount; port++) {
            workers.add(new Slot(name, port));
        }
        return this;
    }

    /** Adds a machine without workers of the topology. */
    SnapshotBuilder machine(String name, int slots, double cores) {
        List<Integer> ports = new ArrayList<>();
        for (int port = 6700; port < 6700 + slots; port++) {
            ports.add(port);
        }
        machines.add(new Machine(name, ports, cores));
        return this;
    }

    /** Puts an executor into a certain slot. */
    SnapshotBuilder place(int firstTask, int lastTask, Slot slot) {
        fixed.put(new ExecutorId(id, firstTask, lastTask), slot);
        return this;
    }

    SnapshotBuilder other(PlacedTopology topology, TopologyRates topologyRates) {
        others.add(topology);
        otherRates.put(topology.graph().id(), topologyRates);
        return this;
    }

    SnapshotBuilder unmeasured(int executorCount) {
        unmeasured = executorCount;
        return this;
    }

    PlacedTopology topology() {
        TopologyGraph graph = new TopologyGraph(id, components, List.copyOf(linkLoads.keySet()));
        Map<ExecutorId, Slot> placement = new HashMap<>();
        int turn = 0;
        for (Component component : components) {
            int count = executors.get(component.id());
            int size = component.taskCount() / count;
            int larger = component.taskCount() % count;
            int task = component.firstTask();
            for (int i = 0; i < count; i++) {
                int end = task + size + (i < larger ? 1 : 0);
                ExecutorId executor = new ExecutorId(id, task, end - 1);
                placement.put(executor, fixed.containsKey(executor) ? fixed.get(executor) : workers.get(turn++ % workers.size()));
                task = end;
            }
        }
        return PlacedTopology.of(graph, placement);
    }

    TopologyRates topologyRates() {
        return new TopologyRates(Rates.ZERO, rates, Map.of(), linkLoads, Map.of(), unmeasured);
    }

    ClusterSnapshot build() {
        List<PlacedTopology> topologies = new ArrayList<>(others);
        topologies.add(topology());
        Map<String, TopologyRates> allRates = new HashMap<>(otherRates);
        allRates.put(id, topologyRates());
        return new ClusterSnapshot(new ClusterState(machines, topologies), allRates);
    }

    /** The measured loads of the topology. */
    OperatorLoads loads(CongestionConfiguration configuration) {
        return new OperatorLoads(topology(), topologyRates(), configuration);
    }

    ScalingGoal goal(ScalingGoal.Direction direction, int machineCount) {
        return new ScalingGoal(id, direction, machineCount);
    }
}
