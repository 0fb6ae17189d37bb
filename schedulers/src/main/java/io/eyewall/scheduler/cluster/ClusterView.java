package io.eyewall.scheduler.cluster;

import io.eyewall.client.deadline.DeadlineConfiguration;
import io.eyewall.client.settings.tail.TailConfiguration;
import io.eyewall.elasticity.measure.ClusterSnapshot;
import io.eyewall.elasticity.model.ClusterState;
import io.eyewall.elasticity.model.ExecutorId;
import io.eyewall.elasticity.model.Machine;
import io.eyewall.elasticity.model.PlacedTopology;
import io.eyewall.elasticity.model.Slot;
import io.eyewall.elasticity.plan.MachineDemand;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.apache.storm.generated.Grouping;
import org.apache.storm.generated.StormTopology;
import org.apache.storm.scheduler.Cluster;
import org.apache.storm.scheduler.ExecutorDetails;
import org.apache.storm.scheduler.SchedulerAssignment;
import org.apache.storm.scheduler.SupervisorDetails;
import org.apache.storm.scheduler.Topologies;
import org.apache.storm.scheduler.TopologyDetails;
import org.apache.storm.scheduler.WorkerSlot;

/**
 * The cluster that Nimbus passed to its scheduler in one round, in the model of the planners. Immutable, so that other threads than
 * Nimbus's can use it.
 *
 * @param state the machines that are alive, with the slots that can be used, and the topologies that have an assignment
 * @param topologies what else is known of these topologies, by id
 * @param alive the ids of all topologies that are not killed, with and without an assignment
 * @param hosts the host of every machine, by machine id
 * @param names readable names of the machines
 */
public record ClusterView(ClusterState state, Map<String, Topology> topologies, Set<String> alive, Map<String, String> hosts,
        MachineNames names) {

    /** Storm counts CPU in hundredths of a core. */
    private static final double CPU_PER_CORE = 100;

    /** Copies the maps. */
    public ClusterView {
        topologies = Map.copyOf(topologies);
        alive = Set.copyOf(alive);
        hosts = Map.copyOf(hosts);
    }

    /**
     * A topology that has an assignment.
     *
     * @param id its id
     * @param name its name
     * @param conf its configuration, merged with the cluster's
     * @param workers its number of workers
     * @param requestedWorkers the number of workers that it asks for, which may be more
     * @param shuffled the bolts all of whose inputs are shuffle groupings
     * @param takesOrders whether it lets the scheduler switch techniques against the tail
     * @param hasTargets whether its spouts have different targets of deadlines, if it takes orders; false if it does not
     * @param obstacle the reason why planners cannot handle it; null if they can
     */
    public record Topology(String id, String name, Map<String, Object> conf, int workers, int requestedWorkers, Set<String> shuffled,
            boolean takesOrders, boolean hasTargets, String obstacle) {
    }

    /** The view of a cluster after its scheduler has run. */
    public static ClusterView of(Topologies topologies, Cluster cluster) {
        List<Machine> machines = new ArrayList<>();
        Map<String, String> hosts = new HashMap<>();
        for (SupervisorDetails supervisor : cluster.getSupervisors().values()) {
            if (supervisor.getHost() != null) {
                hosts.put(supervisor.getId(), supervisor.getHost());
            }
            // A blacklisted machine keeps the slots that are in use and offers no others.
            Set<Integer> ports = new TreeSet<>(cluster.getUsedPorts(supervisor));
            ports.addAll(cluster.getAssignablePorts(supervisor));
            if (!ports.isEmpty()) {
                machines.add(new Machine(supervisor.getId(), List.copyOf(ports), cores(supervisor)));
            }
        }
        List<PlacedTopology> placed = new ArrayList<>();
        Map<String, Topology> known = new HashMap<>();
        Set<String> alive = new HashSet<>();
        for (TopologyDetails topology : topologies) {
            alive.add(topology.getId());
            SchedulerAssignment assignment = cluster.getAssignmentById(topology.getId());
            if (assignment == null || assignment.getExecutorToSlot().isEmpty()) {
                continue;
            }
            String obstacle = null;
            try {
                placed.add(PlacedTopology.of(TopologyGraphs.of(topology), placement(topology.getId(), assignment)));
            } catch (IllegalArgumentException e) {
                obstacle = e.getMessage();
            }
            boolean takesOrders = takesOrders(topology);
            known.put(topology.getId(), new Topology(topology.getId(), topology.getName(), topology.getConf(),
                assignment.getSlots().size(), topology.getNumWorkers(), shuffled(topology.getTopology()), takesOrders,
                takesOrders && hasTargets(topology), obstacle));
        }
        return new ClusterView(new ClusterState(machines, placed), known, alive, hosts,
            new MachineNames(cluster.getSupervisors().values()));
    }

    /** A slot of Storm's as a slot of the planners' model. */
    public static Slot slot(WorkerSlot slot) {
        return new Slot(slot.getNodeId(), slot.getPort());
    }

    /** The topology with a name, if it has an assignment. */
    public Optional<Topology> named(String name) {
        return topologies.values().stream().filter(topology -> topology.name().equals(name)).findFirst();
    }

    /** The placement of a topology; empty if it has no assignment or if planners cannot handle it. */
    public Optional<PlacedTopology> placed(String topologyId) {
        return state.topology(topologyId);
    }

    /**
     * The number of machines that the cluster wants, for an autoscaler.
     *
     * @param more whether a topology is short of machines; one that has no slot is, too
     */
    public int wantedMachines(ClusterSnapshot snapshot, boolean more) {
        boolean isShort = more || !topologies.keySet().containsAll(alive);
        // What runs where is not known of a topology that planners cannot handle.
        boolean isKnown = topologies.values().stream().allMatch(topology -> topology.obstacle() == null);
        return isKnown ? MachineDemand.machines(snapshot, isShort) : state.machines().size() + (isShort ? 1 : 0);
    }

    /** The ids of the machines. */
    public Set<String> machines() {
        Set<String> ids = new TreeSet<>();
        state.machines().forEach(machine -> ids.add(machine.id()));
        return ids;
    }

    private static Map<ExecutorId, Slot> placement(String topologyId, SchedulerAssignment assignment) {
        Map<ExecutorId, Slot> placement = new HashMap<>();
        assignment.getExecutorToSlot().forEach((executor, slot) -> placement.put(executor(topologyId, executor), slot(slot)));
        return placement;
    }

    private static Set<String> shuffled(StormTopology topology) {
        return topology.get_bolts().entrySet().stream()
            .filter(bolt -> bolt.getValue().get_common().get_inputs().values().stream().allMatch(Grouping::is_set_shuffle))
            .map(Map.Entry::getKey)
            .collect(Collectors.toSet());
    }

    private static boolean takesOrders(TopologyDetails topology) {
        try {
            return new TailConfiguration(topology.getConf()).takesOrders();
        } catch (IllegalArgumentException e) {
            return false; // Its workers do not start with such a value.
        }
    }

    private static boolean hasTargets(TopologyDetails topology) {
        try {
            return DeadlineConfiguration.differ(topology.getTopology(), topology.getConf());
        } catch (IllegalArgumentException e) {
            return false; // Its workers do not start with such a value.
        }
    }

    private static ExecutorId executor(String topologyId, ExecutorDetails executor) {
        return new ExecutorId(topologyId, executor.getStartTask(), executor.getEndTask());
    }

    private static double cores(SupervisorDetails supervisor) {
        double cpu = supervisor.getTotalCpu();
        return cpu > 0 ? cpu / CPU_PER_CORE : Double.POSITIVE_INFINITY;
    }
}
