package io.eyewall.client.hot;

import io.eyewall.client.seam.MovableMark;
import io.eyewall.client.time.NanoClock;
import java.io.File;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.apache.storm.Config;
import org.apache.storm.cluster.ClusterStateContext;
import org.apache.storm.cluster.ClusterUtils;
import org.apache.storm.cluster.DaemonType;
import org.apache.storm.cluster.IStormClusterState;
import org.apache.storm.daemon.worker.WorkerState;
import org.apache.storm.generated.Assignment;
import org.apache.storm.generated.SupervisorInfo;
import org.apache.storm.spout.CheckpointSpout;
import org.apache.storm.utils.ConfigUtils;
import org.apache.storm.utils.ObjectReader;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A worker process, its ZooKeeper and the directory that it shares with its Supervisor. */
final class StormWorkerEnvironment implements WorkerEnvironment {

    private static final Logger LOG = LoggerFactory.getLogger(StormWorkerEnvironment.class);

    private static final long LOOK_AT_MOST_MS = 10_000;
    private static final int RETURN_AT_MOST_SECS = 30;
    private static final long NEVER_NS = TimeUnit.DAYS.toNanos(10_000);
    /** How often a worker reads ZooKeeper in the time for which its mark counts as {@linkplain MovableMark#isFresh fresh}. */
    private static final int LOOKS = 4;

    private final WorkerState worker;
    private final WorkerPlace here;
    private final IStormClusterState clusterState;
    private final MovableMark mark;
    private final long lookEveryMs;
    private final NanoClock clock;

    /** The environment of that worker. */
    StormWorkerEnvironment(WorkerState worker, WorkerPlace here, Map<String, Object> topologyConf, NanoClock clock) {
        this.worker = worker;
        this.here = here;
        this.clock = clock;
        mark = new MovableMark(root());
        lookEveryMs = Math.min(LOOK_AT_MOST_MS, MovableMark.freshForMs(worker.getConf()) / LOOKS);
        try {
            clusterState = ClusterUtils.mkStormClusterState(worker.getStateStorage(),
                new ClusterStateContext(DaemonType.WORKER, topologyConf));
        } catch (Exception e) {
            throw new IllegalStateException("The worker of " + worker.getTopologyId() + " cannot read the state of its cluster", e);
        }
    }

    @Override
    public String topologyId() {
        return worker.getTopologyId();
    }

    @Override
    public WorkerPlace here() {
        return here;
    }

    @Override
    public long nowNs() {
        return clock.nanoTime();
    }

    @Override
    public long newDeparture() {
        return ThreadLocalRandom.current().nextLong(1, Long.MAX_VALUE);
    }

    @Override
    public boolean isActive() {
        return worker.getIsTopologyActive().get() && worker.getIsWorkerActive().getCount() == 0;
    }

    @Override
    public Optional<Integer> checkpointTask() {
        return worker.getComponentToSortedTasks().getOrDefault(CheckpointSpout.CHECKPOINT_COMPONENT_ID, List.of()).stream().findFirst();
    }

    @Override
    public boolean isBolt(int task) {
        String component = worker.getTaskToComponent().get(task);
        return component != null && worker.getTopology().get_bolts().containsKey(component);
    }

    @Override
    public Assignment readAssignment(Runnable changed) {
        return clusterState.remoteAssignmentInfo(topologyId(), changed);
    }

    @Override
    public String readHost(String node) {
        SupervisorInfo supervisor = clusterState.supervisorInfo(node);
        return supervisor == null ? null : supervisor.get_hostname();
    }

    @Override
    public long quiesceAtMostNs() {
        // Storm looks once in each timeout: a message fails by the end of the second one.
        return ObjectReader.getBoolean(worker.getTopologyConf().get(Config.TOPOLOGY_ENABLE_MESSAGE_TIMEOUTS), true)
            ? TimeUnit.SECONDS.toNanos(2L * messageTimeoutSecs() + 1) : NEVER_NS;
    }

    @Override
    public long returnAtMostNs() {
        return TimeUnit.SECONDS.toNanos(Math.max(RETURN_AT_MOST_SECS, messageTimeoutSecs() + 1));
    }

    @Override
    public long lookEveryNs() {
        return TimeUnit.MILLISECONDS.toNanos(lookEveryMs);
    }

    @Override
    public void setMovable(Set<List<Long>> executors) {
        try {
            mark.set(executors, clock.nanoTime());
        } catch (UncheckedIOException e) {
            LOG.warn("This worker restarts when its executors change: {}", e.getMessage(), e);
        }
    }

    @Override
    public void clearMovable() {
        mark.clear();
    }

    @Override
    public boolean isKnown() {
        return new File(root()).exists();
    }

    @Override
    public void restart(String reason) {
        LOG.warn("This worker ends: {}.", reason);
        worker.getSuicideCallback().run();
    }

    private int messageTimeoutSecs() {
        return ObjectReader.getInt(worker.getTopologyConf().get(Config.TOPOLOGY_MESSAGE_TIMEOUT_SECS));
    }

    private String root() {
        return ConfigUtils.workerRoot(worker.getConf(), worker.getWorkerId());
    }
}
