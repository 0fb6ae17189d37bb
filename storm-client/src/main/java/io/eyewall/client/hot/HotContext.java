package io.eyewall.client.hot;

import io.eyewall.client.seam.WorkerChange;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.apache.storm.Config;
import org.apache.storm.cluster.ClusterStateContext;
import org.apache.storm.cluster.ClusterUtils;
import org.apache.storm.cluster.DaemonType;
import org.apache.storm.cluster.IStormClusterState;
import org.apache.storm.daemon.worker.WorkerConnections;
import org.apache.storm.daemon.worker.WorkerState;
import org.apache.storm.generated.Assignment;
import org.apache.storm.generated.SupervisorInfo;
import org.apache.storm.spout.CheckpointSpout;
import org.apache.storm.utils.ConfigUtils;
import org.apache.storm.utils.ObjectReader;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What {@link WorkerMoves} needs of a worker and the cluster around it.
 */
final class HotContext {

    private static final Logger LOG = LoggerFactory.getLogger(HotContext.class);

    /** Bolts that execute longer than this, or whose receivers do not take their tuples for so long, make the worker restart. */
    private static final long LEAVE_AT_MOST_NS = TimeUnit.SECONDS.toNanos(30);
    private static final long HAND_OVER_AFTER_NS = TimeUnit.SECONDS.toNanos(1);
    /** For tuples that are in the network's buffers. */
    private static final long LINGER_NS = TimeUnit.SECONDS.toNanos(2);

    private final WorkerState worker;
    private final WorkerPlace here;
    private final Board board;
    private final WorkerConnections connections;
    private final IStormClusterState clusterState;
    private final LongSupplier clockNs;

    HotContext(WorkerState worker, WorkerPlace here, Board board, WorkerConnections connections, Map<String, Object> topologyConf,
            LongSupplier clockNs) {
        this.worker = worker;
        this.here = here;
        this.board = board;
        this.connections = connections;
        this.clockNs = clockNs;
        try {
            clusterState = ClusterUtils.mkStormClusterState(worker.getStateStorage(),
                new ClusterStateContext(DaemonType.WORKER, topologyConf));
        } catch (Exception e) {
            throw new IllegalStateException("The worker of " + worker.getTopologyId() + " cannot read the state of its cluster", e);
        }
    }

    String topologyId() {
        return worker.getTopologyId();
    }

    WorkerPlace here() {
        return here;
    }

    Board board() {
        return board;
    }

    WorkerConnections connections() {
        return connections;
    }

    long nowNs() {
        return clockNs.getAsLong();
    }

    /** Whether spouts emit; otherwise executors may wait for that before they do anything at all. */
    boolean isTopologyActive() {
        return worker.getIsTopologyActive().get();
    }

    /** The task that makes checkpoints, of a topology that has stateful bolts. */
    Optional<Integer> checkpointTask() {
        return worker.getComponentToSortedTasks().getOrDefault(CheckpointSpout.CHECKPOINT_COMPONENT_ID, List.of()).stream().findFirst();
    }

    /** Whether a task is one of a bolt. */
    boolean isBolt(int task) {
        String component = worker.getTaskToComponent().get(task);
        return component != null && worker.getTopology().get_bolts().containsKey(component);
    }

    boolean isReachable(WorkerPlace place) {
        return connections.isReachable(place.nodeInfo());
    }

    /** As Nimbus has left it in ZooKeeper; null if the topology has none. {@code changed} is called when there is another one. */
    Assignment readAssignment(Runnable changed) {
        return clusterState.remoteAssignmentInfo(topologyId(), changed);
    }

    /** The host of a supervisor; null if it is gone. */
    String readHost(String node) {
        SupervisorInfo supervisor = clusterState.supervisorInfo(node);
        return supervisor == null ? null : supervisor.get_hostname();
    }

    /** Until then every message has been acked, or failed, or has timed out. */
    long quiesceAtMostNs() {
        return TimeUnit.SECONDS.toNanos(
            ObjectReader.getInt(worker.getTopologyConf().get(Config.TOPOLOGY_MESSAGE_TIMEOUT_SECS)) + 1L);
    }

    /** For so long an executor that leaves executes what is in its queue; what is still there then is sent on. */
    long handOverAfterNs() {
        return HAND_OVER_AFTER_NS;
    }

    long leaveAtMostNs() {
        return Math.max(LEAVE_AT_MOST_NS, quiesceAtMostNs());
    }

    long lingerNs() {
        return LINGER_NS;
    }

    /** Tells the Supervisor whether the worker may go on with whatever it is assigned. */
    void setMovable(boolean movable) {
        mark(WorkerChange.movableMark(root()), movable);
    }

    /** Whether the Supervisor knows this worker: it clears away the directory of one that it has given up. */
    boolean isKnown() {
        return new File(root()).exists();
    }

    /** Tells the Supervisor whether the worker's executors go to others. */
    void setLeaving(boolean leaving) {
        mark(WorkerChange.leavingMark(root()), leaving);
    }

    /** Ends the worker, which its Supervisor starts again with what it is assigned, if that is anything. */
    void restart(String reason) {
        LOG.warn("This worker ends: {}.", reason);
        worker.getSuicideCallback().run();
    }

    private String root() {
        return ConfigUtils.workerRoot(worker.getConf(), worker.getWorkerId());
    }

    private static void mark(File file, boolean there) {
        try {
            if (there) {
                Files.writeString(file.toPath(), "");
            } else {
                Files.deleteIfExists(file.toPath());
            }
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot write " + file + ", by which the Supervisor knows what the worker does", e);
        }
    }
}
