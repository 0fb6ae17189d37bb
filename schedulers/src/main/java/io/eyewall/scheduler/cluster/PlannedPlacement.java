package io.eyewall.scheduler.cluster;

import io.eyewall.elasticity.model.ExecutorId;
import io.eyewall.elasticity.model.Slot;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.storm.scheduler.Cluster;
import org.apache.storm.scheduler.ExecutorDetails;
import org.apache.storm.scheduler.SupervisorDetails;
import org.apache.storm.scheduler.TopologyDetails;
import org.apache.storm.scheduler.WorkerSlot;

/**
 * A placement of a topology's executors that waits for the rebalance which applies it. Immutable.
 *
 * @param placement the slot of every executor
 * @param workers the number of workers that the topology asks for in that rebalance
 * @param before the slots that the topology had when the plan was made
 * @param names readable names of the machines
 * @param preparedMs when the plan was made, in milliseconds since 1970
 */
public record PlannedPlacement(Map<ExecutorId, Slot> placement, int workers, Set<Slot> before, MachineNames names, long preparedMs) {

    /** How long a plan waits for its rebalance, in milliseconds. */
    public static final long LIFETIME_MS = 60_000;

    /** Copies the maps. */
    public PlannedPlacement {
        placement = Map.copyOf(placement);
        before = Set.copyOf(before);
    }

    /** Whether it has waited for too long at a time, in milliseconds since 1970. */
    public boolean isOld(long nowMs) {
        return nowMs - preparedMs > LIFETIME_MS;
    }

    /**
     * Assigns the executors of the topology, which has no assignment, to the slots of the plan: all of them or none.
     *
     * @return the reason why the plan cannot be applied, and then nothing has changed; empty if it is applied
     */
    public Optional<String> place(TopologyDetails topology, Cluster cluster) {
        Map<WorkerSlot, Collection<ExecutorDetails>> bySlot = new HashMap<>();
        Set<ExecutorDetails> executors = new HashSet<>();
        placement.forEach((executor, slot) -> {
            ExecutorDetails details = new ExecutorDetails(executor.firstTask(), executor.lastTask());
            executors.add(details);
            bySlot.computeIfAbsent(new WorkerSlot(slot.machine(), slot.port()), key -> new ArrayList<>()).add(details);
        });
        if (!executors.equals(topology.getExecutors()) || workers != topology.getNumWorkers()) {
            return Optional.of("the rebalance has other numbers of executors or workers than the plan");
        }
        for (WorkerSlot slot : bySlot.keySet()) {
            Optional<String> obstacle = obstacle(slot, cluster);
            if (obstacle.isPresent()) {
                return obstacle;
            }
        }
        try {
            bySlot.forEach((slot, on) -> cluster.assign(slot, topology.getId(), on));
            return Optional.empty();
        } catch (RuntimeException e) {
            cluster.unassign(topology.getId());
            return Optional.of("Storm refuses the plan: " + e.getMessage());
        }
    }

    private Optional<String> obstacle(WorkerSlot slot, Cluster cluster) {
        String machine = names.nameOf(slot.getNodeId());
        SupervisorDetails supervisor = cluster.getSupervisorById(slot.getNodeId());
        if (supervisor == null) {
            return Optional.of("machine " + machine + " has left the cluster since the plan was made");
        }
        boolean kept = before.contains(ClusterView.slot(slot));
        if (!(kept ? supervisor.getAllPorts() : cluster.getAssignablePorts(supervisor)).contains(slot.getPort())) {
            return Optional.of("slot " + machine + ":" + slot.getPort() + " can no longer be used");
        }
        if (cluster.isSlotOccupied(slot)) {
            return Optional.of("slot " + machine + ":" + slot.getPort() + " is now used by another topology");
        }
        return Optional.empty();
    }
}
