package io.eyewall.scheduler.rebalance;

import io.eyewall.client.engine.EngineConfiguration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.apache.storm.metric.StormMetricsRegistry;
import org.apache.storm.scheduler.Cluster;
import org.apache.storm.scheduler.DefaultScheduler;
import org.apache.storm.scheduler.EvenScheduler;
import org.apache.storm.scheduler.ExecutorDetails;
import org.apache.storm.scheduler.IScheduler;
import org.apache.storm.scheduler.SchedulerAssignment;
import org.apache.storm.scheduler.Topologies;
import org.apache.storm.scheduler.TopologyDetails;
import org.apache.storm.scheduler.WorkerSlot;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Wraps a scheduler: when it has placed a topology that is rebalanced, and whose workers keep running, tasks go back to the slots in which
 * they were, as far as its choice of nodes and numbers of executors allows that. A topology that is rebalanced is one without an assignment
 * that had one in the round before. A Nimbus that has just become the leader learns of assignments in its first round.
 *
 * <p>Used by Nimbus's scheduling thread only.
 */
public final class TaskKeepingScheduler implements IScheduler {

    private static final Logger LOG = LoggerFactory.getLogger(TaskKeepingScheduler.class);

    private final IScheduler scheduler;
    /** To Storm's default scheduler, all slots and all executors of a component are alike. Others choose a node for its resources. */
    private final boolean anyNode;
    /** The slots of the tasks of each topology in the last round. */
    private final Map<String, Map<Integer, WorkerSlot>> last = new HashMap<>();

    /** Wraps a scheduler, which is not prepared yet. */
    public TaskKeepingScheduler(IScheduler scheduler) {
        this.scheduler = scheduler;
        this.anyNode = scheduler instanceof DefaultScheduler || scheduler instanceof EvenScheduler;
    }

    @Override
    public void prepare(Map<String, Object> conf, StormMetricsRegistry metricsRegistry) {
        scheduler.prepare(conf, metricsRegistry);
    }

    @Override
    public void schedule(Topologies topologies, Cluster cluster) {
        Set<String> rebalanced = new HashSet<>(last.keySet());
        rebalanced.removeIf(id -> cluster.getAssignmentById(id) != null || !isHot(topologies.getById(id)));
        scheduler.schedule(topologies, cluster);
        for (String id : rebalanced) {
            try {
                keepTasks(topologies.getById(id), cluster);
            } catch (RuntimeException e) {
                // An exception would end Nimbus's thread. Executors without a slot get one in the next round.
                LOG.warn("Rebalance of {}: tasks may move that could stay: {}", id, e.getMessage(), e);
            }
        }
        last.clear();
        cluster.getAssignments().forEach((id, assignment) -> last.put(id, slots(assignment)));
    }

    private void keepTasks(TopologyDetails topology, Cluster cluster) {
        SchedulerAssignment assignment = cluster.getAssignmentById(topology.getId());
        if (assignment == null || assignment.getExecutorToSlot().isEmpty()) {
            return; // There is no room for it now.
        }
        Map<Integer, WorkerSlot> before = last.get(topology.getId());
        Map<WorkerSlot, Set<ExecutorDetails>> chosen = new HashMap<>();
        assignment.getSlotToExecutors().forEach((slot, executors) -> chosen.put(slot, Set.copyOf(executors)));
        Map<WorkerSlot, Set<ExecutorDetails>> placed = KeptTasks.of(before, chosen, topology.getExecutorToComponent(),
            Set.copyOf(cluster.getAvailableSlots()), anyNode);
        if (!placed.equals(chosen)) {
            cluster.freeSlots(chosen.keySet());
            placed.forEach((slot, executors) -> cluster.assign(slot, topology.getId(), executors));
        }
        LOG.info("Rebalance of {}: {} of {} tasks stay where they are.", topology.getId(), KeptTasks.count(before, placed), before.size());
    }

    /** False if the topology is no longer there. */
    private static boolean isHot(TopologyDetails topology) {
        return topology != null && "true".equals(String.valueOf(topology.getConf().get(EngineConfiguration.HOT_REBALANCE)));
    }

    private static Map<Integer, WorkerSlot> slots(SchedulerAssignment assignment) {
        Map<Integer, WorkerSlot> slots = new HashMap<>();
        assignment.getExecutorToSlot().forEach((executor, slot) -> KeptTasks.tasks(executor).forEach(task -> slots.put(task, slot)));
        return slots;
    }

    @Override
    @SuppressWarnings("unchecked")
    public Map<String, Map<String, Double>> config() {
        return scheduler.config();
    }

    @Override
    public void cleanup() {
        scheduler.cleanup();
    }

    @Override
    public void nodeAssignmentSent(String node, boolean successful) {
        scheduler.nodeAssignmentSent(node, successful);
    }
}
