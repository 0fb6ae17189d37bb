package io.eyewall.scheduler.drain;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.apache.storm.scheduler.Cluster;
import org.apache.storm.scheduler.ExecutorDetails;
import org.apache.storm.scheduler.SchedulerAssignment;
import org.apache.storm.scheduler.SupervisorDetails;
import org.apache.storm.scheduler.WorkerSlot;

/**
 * Where the workers of Supervisors that are to be emptied can go: each to a free slot, or else into the worker of its topology that has the
 * fewest executors.
 * Immutable.
 *
 * @param moves the moves, each of which takes for granted that those before it are done
 * @param stuck each worker that can go nowhere, and why
 */
record Evacuation(List<Move> moves, List<String> stuck) {

    private static final Comparator<WorkerSlot> BY_NAME = Comparator.comparing(WorkerSlot::getNodeId).thenComparing(WorkerSlot::getPort);

    /**
     * The move of all executors that a topology has in a slot.
     *
     * @param topologyId the topology's id
     * @param from a slot of such a Supervisor
     * @param to a free slot, or one of the topology's own
     */
    record Move(String topologyId, WorkerSlot from, WorkerSlot to) {

        private void apply(Cluster cluster) {
            List<ExecutorDetails> executors = new ArrayList<>();
            cluster.getAssignmentById(topologyId).getSlotToExecutors().forEach((slot, those) -> {
                if (slot.equals(from) || slot.equals(to)) {
                    executors.addAll(those);
                }
            });
            cluster.freeSlots(List.of(from, to));
            cluster.assign(to, topologyId, executors);
        }
    }

    /** Plans for Supervisors whose slots, like those of all others that are to be emptied, the cluster no longer offers. */
    static Evacuation of(Set<String> supervisors, Cluster cluster) {
        Set<WorkerSlot> free = new LinkedHashSet<>(cluster.getAvailableSlots().stream().sorted(BY_NAME).toList());
        List<Move> moves = new ArrayList<>();
        List<String> stuck = new ArrayList<>();
        for (String topologyId : new TreeSet<>(cluster.getAssignments().keySet())) {
            Map<WorkerSlot, Integer> executors = new HashMap<>();
            SchedulerAssignment assignment = cluster.getAssignmentById(topologyId);
            assignment.getSlotToExecutors().forEach((slot, those) -> executors.put(slot, those.size()));
            for (WorkerSlot from : assignment.getSlots().stream().filter(slot -> supervisors.contains(slot.getNodeId()))
                    .sorted(BY_NAME).toList()) {
                int moving = executors.remove(from);
                Optional<WorkerSlot> to = target(executors, free, cluster);
                to.ifPresentOrElse(slot -> {
                    free.remove(slot);
                    executors.merge(slot, moving, Integer::sum);
                    moves.add(new Move(topologyId, from, slot));
                }, () -> stuck.add(topologyId + " on port " + from.getPort()));
            }
        }
        return new Evacuation(List.copyOf(moves), List.copyOf(stuck));
    }

    /** Moves all executors that can move. */
    void apply(Cluster cluster) {
        moves.forEach(move -> move.apply(cluster));
    }

    /** A free slot where the topology has the fewest workers and the most slots are free, or else one of its own. */
    private static Optional<WorkerSlot> target(Map<WorkerSlot, Integer> executors, Set<WorkerSlot> free, Cluster cluster) {
        Comparator<WorkerSlot> byWorkers = Comparator.comparing(slot -> on(slot, executors.keySet()));
        Comparator<WorkerSlot> byFree = Comparator.comparing(slot -> -on(slot, free));
        Optional<WorkerSlot> found = free.stream().min(byWorkers.thenComparing(byFree).thenComparing(BY_NAME));
        return found.isPresent() ? found : executors.keySet().stream().filter(slot -> isOffered(slot, cluster))
            .min(Comparator.<WorkerSlot, Integer>comparing(executors::get).thenComparing(BY_NAME));
    }

    private static long on(WorkerSlot slot, Set<WorkerSlot> slots) {
        return slots.stream().filter(other -> other.getNodeId().equals(slot.getNodeId())).count();
    }

    private static boolean isOffered(WorkerSlot slot, Cluster cluster) {
        SupervisorDetails supervisor = cluster.getSupervisorById(slot.getNodeId());
        return supervisor != null && cluster.getAssignablePorts(supervisor).contains(slot.getPort());
    }
}
