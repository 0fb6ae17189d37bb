package io.eyewall.scheduler.rebalance;

import io.eyewall.client.engine.EngineConfiguration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
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
 * they were, as far as {@link KeptTasks} allows that. Nimbus passes such a topology without an assignment, although ZooKeeper has one.
 *
 * <p>Used by Nimbus's scheduling thread only.
 */
public final class TaskKeepingScheduler implements IScheduler {

    private static final Logger LOG = LoggerFactory.getLogger(TaskKeepingScheduler.class);

    private final IScheduler scheduler;
    /** Storm's default scheduler takes nodes by their free slots. Others, and subclasses, choose a node for what it is. */
    private final boolean anyNode;
    /** The slots of a topology's tasks before the rebalance. */
    private Function<String, Map<Integer, WorkerSlot>> before;
    /** Null until it is prepared, and if the constructor was given {@link #before}. */
    private StoredPlacements stored;

    /** Wraps a scheduler, which is not prepared yet. */
    public TaskKeepingScheduler(IScheduler scheduler) {
        this(scheduler, null);
    }

    /** Wraps a scheduler; {@code before} has the slots of a topology's tasks by the topology's id. */
    TaskKeepingScheduler(IScheduler scheduler, Function<String, Map<Integer, WorkerSlot>> before) {
        this.scheduler = scheduler;
        this.anyNode = scheduler.getClass() == DefaultScheduler.class || scheduler.getClass() == EvenScheduler.class;
        this.before = before;
    }

    @Override
    public void prepare(Map<String, Object> conf, StormMetricsRegistry metricsRegistry) {
        scheduler.prepare(conf, metricsRegistry);
        if (before == null) {
            stored = new StoredPlacements(conf);
            before = stored;
        }
    }

    @Override
    public void schedule(Topologies topologies, Cluster cluster) {
        List<TopologyDetails> unplaced = new ArrayList<>();
        for (TopologyDetails topology : topologies) {
            if (cluster.getAssignmentById(topology.getId()) == null && isHot(topology)) {
                unplaced.add(topology);
            }
        }
        if (unplaced.isEmpty()) {
            scheduler.schedule(topologies, cluster);
            return;
        }
        // Taken first, since schedulers may leave hosts blacklisted that they reserve for others.
        Set<WorkerSlot> free = new HashSet<>(cluster.getAvailableSlots());
        scheduler.schedule(topologies, cluster);
        free.removeAll(cluster.getUsedSlots());
        for (TopologyDetails topology : unplaced) {
            try {
                keepTasks(topology, free, cluster);
            } catch (RuntimeException e) {
                // An exception would end Nimbus's thread.
                LOG.warn("{} is placed as its scheduler chose. Tasks may move that could stay: {}", topology.getId(), e.getMessage(), e);
            }
        }
    }

    private void keepTasks(TopologyDetails topology, Set<WorkerSlot> free, Cluster cluster) {
        String id = topology.getId();
        SchedulerAssignment assignment = cluster.getAssignmentById(id);
        if (assignment == null || assignment.getExecutorToSlot().isEmpty()) {
            return; // There is no room for it now.
        }
        Map<Integer, WorkerSlot> slots = before.apply(id);
        if (slots.isEmpty()) {
            return; // It is new.
        }
        Map<WorkerSlot, Set<ExecutorDetails>> chosen = new HashMap<>();
        assignment.getSlotToExecutors().forEach((slot, executors) -> chosen.put(slot, Set.copyOf(executors)));
        Map<WorkerSlot, Set<ExecutorDetails>> placed = KeptTasks.of(slots, chosen, topology.getExecutorToComponent(), free, anyNode);
        if (!placed.equals(chosen)) {
            try {
                place(placed, id, cluster);
            } catch (RuntimeException e) {
                place(chosen, id, cluster);
                throw e;
            }
            free.addAll(chosen.keySet());
            free.removeAll(placed.keySet());
        }
        LOG.info("{} is placed anew: {} of {} tasks stay where they are.", id, KeptTasks.count(slots, placed), slots.size());
    }

    private static void place(Map<WorkerSlot, Set<ExecutorDetails>> placed, String topologyId, Cluster cluster) {
        cluster.unassign(topologyId);
        placed.forEach((slot, executors) -> cluster.assign(slot, topologyId, executors));
    }

    private static boolean isHot(TopologyDetails topology) {
        return "true".equals(String.valueOf(topology.getConf().get(EngineConfiguration.HOT_REBALANCE)));
    }

    @Override
    @SuppressWarnings("unchecked")
    public Map<String, Map<String, Double>> config() {
        return scheduler.config();
    }

    @Override
    public void cleanup() {
        scheduler.cleanup();
        if (stored != null) {
            stored.close();
        }
    }

    @Override
    public void nodeAssignmentSent(String node, boolean successful) {
        scheduler.nodeAssignmentSent(node, successful);
    }
}
