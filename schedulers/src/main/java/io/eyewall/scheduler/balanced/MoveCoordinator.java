package io.eyewall.scheduler.balanced;

import io.eyewall.client.tail.BalancingConfiguration;
import io.eyewall.elasticity.measure.ClusterSnapshot;
import io.eyewall.elasticity.model.Slot;
import io.eyewall.elasticity.plan.ExecutorMove;
import io.eyewall.elasticity.plan.StragglerPlanner;
import io.eyewall.scheduler.cluster.ClusterMeter;
import io.eyewall.scheduler.cluster.ClusterView;
import io.eyewall.scheduler.cluster.WorkerHeartbeats;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import org.apache.storm.scheduler.Cluster;
import org.apache.storm.scheduler.ExecutorDetails;
import org.apache.storm.scheduler.SchedulerAssignment;
import org.apache.storm.scheduler.SupervisorDetails;
import org.apache.storm.scheduler.TopologyDetails;
import org.apache.storm.scheduler.WorkerSlot;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Measures, has moves decided, and makes them.
 *
 * <p>Two threads: Nimbus's, which schedules, calls {@link #move}; one of the scheduler's own calls {@link #work} once a round.
 */
final class MoveCoordinator {

    private static final Logger LOG = LoggerFactory.getLogger(MoveCoordinator.class);

    private final ClusterMeter meter;
    private final LongSupplier clockMs;

    /** By topology id. Filled by the scheduler's own thread, emptied by Nimbus's. */
    private final Map<String, ExecutorMove> decided = new ConcurrentHashMap<>();

    // For the scheduler's own thread.
    private final StragglerPlanner planner = new StragglerPlanner();
    private final Set<String> misconfigured = new HashSet<>();

    /**
     * A desk that knows nothing yet.
     *
     * @param clockMs the time in milliseconds since 1970
     */
    MoveCoordinator(WorkerHeartbeats heartbeats, LongSupplier clockMs) {
        meter = new ClusterMeter(heartbeats);
        this.clockMs = clockMs;
    }

    /** One round: reads heartbeats and decides. On the scheduler's own thread. */
    void work(ClusterView view) {
        long nowMs = clockMs.getAsLong();
        ClusterSnapshot snapshot = meter.measure(view, nowMs);
        planner.retain(view.topologies().keySet());
        misconfigured.retainAll(view.topologies().keySet());
        decided.keySet().retainAll(view.topologies().keySet());
        for (ClusterView.Topology topology : view.topologies().values()) {
            BalancingConfiguration configuration = configuration(topology);
            if (topology.obstacle() == null && configuration.isOn()) {
                planner.plan(snapshot, topology.id(), topology.shuffled(), configuration.moveFactor(), configuration.movePeriodMs(), nowMs)
                    .ifPresent(move -> {
                        LOG.info("Topology {}: {}", topology.name(), view.names().in(move.reason()));
                        meter.startAnew(topology.id(), nowMs);
                        decided.put(topology.id(), move);
                    });
            }
        }
    }

    /** Makes the move that was decided for a topology, if it still can be made. On Nimbus's thread. */
    void move(TopologyDetails topology, Cluster cluster) {
        ExecutorMove move = decided.remove(topology.getId());
        SchedulerAssignment assignment = cluster.getAssignmentById(topology.getId());
        if (move == null || assignment == null) {
            return;
        }
        ExecutorDetails executor = new ExecutorDetails(move.executor().firstTask(), move.executor().lastTask());
        WorkerSlot from = slot(move.from());
        WorkerSlot to = slot(move.to());
        String obstacle = obstacle(topology, cluster, assignment, executor, from, to);
        if (obstacle != null) {
            LOG.info("Topology {}: {} does not move to {}: {}.", topology.getName(), executor, to, obstacle);
            return;
        }
        Map<WorkerSlot, List<ExecutorDetails>> executors = new HashMap<>(Map.of(from, new ArrayList<>(), to, new ArrayList<>()));
        assignment.getExecutorToSlot().forEach((each, slot) -> {
            if (executors.containsKey(slot)) {
                executors.get(each.equals(executor) ? to : slot).add(each);
            }
        });
        executors.keySet().forEach(cluster::freeSlot);
        executors.forEach((slot, those) -> {
            if (!those.isEmpty()) {
                cluster.assign(slot, topology.getId(), those);
            }
        });
        LOG.info("Topology {}: {} moves from {} to {}.", topology.getName(), executor, from, to);
    }

    private static String obstacle(TopologyDetails topology, Cluster cluster, SchedulerAssignment assignment, ExecutorDetails executor,
            WorkerSlot from, WorkerSlot to) {
        if (!from.equals(assignment.getExecutorToSlot().get(executor))) {
            return "it is not on " + from + " any more";
        }
        if (!cluster.getUnassignedExecutors(topology).isEmpty()) {
            return "other executors have no place";
        }
        SupervisorDetails supervisor = cluster.getSupervisorById(to.getNodeId());
        boolean usable = supervisor != null && cluster.getAssignablePorts(supervisor).contains(to.getPort());
        boolean others = cluster.isSlotOccupied(to) && !assignment.isSlotOccupied(to);
        return usable && !others ? null : "that slot cannot be used any more";
    }

    /** The settings of a topology, or the defaults where they cannot be. */
    private BalancingConfiguration configuration(ClusterView.Topology topology) {
        try {
            return new BalancingConfiguration(topology.conf());
        } catch (IllegalArgumentException e) {
            if (misconfigured.add(topology.id())) {
                LOG.warn("Nothing of topology {} moves: {}", topology.name(), e.getMessage());
            }
            return new BalancingConfiguration();
        }
    }

    private static WorkerSlot slot(Slot slot) {
        return new WorkerSlot(slot.machine(), slot.port());
    }
}
