package io.eyewall.scheduler.balanced;

import io.eyewall.client.settings.tail.BalancingConfiguration;
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
 * Coordinates moves of stragglers: measures the cluster, lets the {@link StragglerPlanner} decide, and applies its moves.
 *
 * <p>Two threads use it. Nimbus's scheduling thread calls {@link #move}; the scheduler's own thread calls {@link #runRound} once per round.
 */
final class MoveCoordinator {

    private static final Logger LOG = LoggerFactory.getLogger(MoveCoordinator.class);

    private final ClusterMeter meter;
    private final LongSupplier clockMs;

    /** The next move by topology id. The scheduler's own thread adds moves, Nimbus's thread removes them. */
    private final Map<String, ExecutorMove> pending = new ConcurrentHashMap<>();

    // Used by the scheduler's own thread only.
    private final StragglerPlanner planner = new StragglerPlanner();
    private final Set<String> misconfigured = new HashSet<>();

    /**
     * A coordinator without moves.
     *
     * @param clockMs the time in milliseconds since 1970
     */
    MoveCoordinator(WorkerHeartbeats heartbeats, LongSupplier clockMs) {
        meter = new ClusterMeter(heartbeats);
        this.clockMs = clockMs;
    }

    /** Runs one round: reads heartbeats and decides. On the scheduler's own thread. */
    void runRound(ClusterView view) {
        long nowMs = clockMs.getAsLong();
        ClusterSnapshot snapshot = meter.measure(view, nowMs);
        planner.retain(view.topologies().keySet());
        misconfigured.retainAll(view.topologies().keySet());
        pending.keySet().retainAll(view.topologies().keySet());
        for (ClusterView.Topology topology : view.topologies().values()) {
            BalancingConfiguration configuration = configuration(topology);
            if (topology.obstacle() == null && configuration.isOn()) {
                planner.plan(snapshot, topology.id(), topology.shuffled(), configuration.moveFactor(), configuration.movePeriodMs(), nowMs)
                    .ifPresent(move -> {
                        LOG.info("Topology {}: {}", topology.name(), view.names().replaceIds(move.reason()));
                        meter.restartWindow(topology.id(), nowMs);
                        pending.put(topology.id(), move);
                    });
            }
        }
    }

    /** Applies the pending move of a topology, if it is still possible. On Nimbus's thread. */
    void move(TopologyDetails topology, Cluster cluster) {
        ExecutorMove move = pending.remove(topology.getId());
        SchedulerAssignment assignment = cluster.getAssignmentById(topology.getId());
        if (move == null || assignment == null) {
            return;
        }
        ExecutorDetails executor = new ExecutorDetails(move.executor().firstTask(), move.executor().lastTask());
        WorkerSlot from = slot(move.from());
        WorkerSlot to = slot(move.to());
        String obstacle = obstacle(topology, cluster, assignment, executor, from, to);
        if (obstacle != null) {
            LOG.info("Topology {}: executor {} does not move to {}: {}.", topology.getName(), executor, to, obstacle);
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
        LOG.info("Topology {}: executor {} moves from {} to {}.", topology.getName(), executor, from, to);
    }

    private static String obstacle(TopologyDetails topology, Cluster cluster, SchedulerAssignment assignment, ExecutorDetails executor,
            WorkerSlot from, WorkerSlot to) {
        if (!from.equals(assignment.getExecutorToSlot().get(executor))) {
            return "it is no longer in slot " + from;
        }
        if (!cluster.getUnassignedExecutors(topology).isEmpty()) {
            return "other executors of the topology have no slot";
        }
        SupervisorDetails supervisor = cluster.getSupervisorById(to.getNodeId());
        boolean usable = supervisor != null && cluster.getAssignablePorts(supervisor).contains(to.getPort());
        boolean usedByOthers = cluster.isSlotOccupied(to) && !assignment.isSlotOccupied(to);
        return usable && !usedByOthers ? null : "that slot can no longer be used";
    }

    /** The settings of a topology, or the defaults if its settings are invalid. */
    private BalancingConfiguration configuration(ClusterView.Topology topology) {
        try {
            return new BalancingConfiguration(topology.conf());
        } catch (IllegalArgumentException e) {
            if (misconfigured.add(topology.id())) {
                LOG.warn("Topology {} has no moves, since its settings are invalid: {}", topology.name(), e.getMessage());
            }
            return new BalancingConfiguration();
        }
    }

    private static WorkerSlot slot(Slot slot) {
        return new WorkerSlot(slot.machine(), slot.port());
    }
}
