package io.eyewall.client.hot;

import io.eyewall.client.engine.BackPressureNotifier;
import io.eyewall.client.seam.WorkerChange;
import io.eyewall.client.time.NanoClock;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.storm.Config;
import org.apache.storm.Constants;
import org.apache.storm.StormTimer;
import org.apache.storm.daemon.worker.WorkerConnections;
import org.apache.storm.daemon.worker.WorkerState;
import org.apache.storm.daemon.worker.WorkerTransfer;
import org.apache.storm.executor.Executor;
import org.apache.storm.executor.IRunningExecutor;
import org.apache.storm.generated.StormBase;
import org.apache.storm.generated.TopologyStatus;
import org.apache.storm.spout.CheckpointSpout;
import org.apache.storm.spout.ISpout;
import org.apache.storm.utils.ObjectReader;

/**
 * One worker at the seam worker-change: lets its executors change. While the worker starts, this class puts together the parts that are
 * needed, on the thread that starts the worker. {@link ExecutorChanges} does the rest.
 */
final class HotWorker implements WorkerChange, AutoCloseable {

    private final Map<String, Object> topologyConf;
    private final NanoClock clock;
    private final BackPressureNotifier notifier;
    private final LocalExecutors local;

    /** Null until the start of the worker has made them. */
    private AnnouncementBoard board;
    private StormWorkerEnvironment environment;
    private StormPeerConnections peers;
    private Forwarder forwarder;
    /** Active once the worker has its transfer. Written before the worker has other threads, except those of ZooKeeper's client. */
    private volatile ExecutorChanges changes = ExecutorChanges.INACTIVE;

    /**
     * For a worker of a topology with that configuration.
     *
     * @param clock measures how long steps of a change take
     * @param notifier reports to the workers that send to this one when there is space
     */
    HotWorker(Map<String, Object> topologyConf, NanoClock clock, BackPressureNotifier notifier) {
        this.topologyConf = topologyConf;
        this.clock = clock;
        this.notifier = notifier;
        local = new LocalExecutors(new MovableExecutor.Services(clock, this::nudge, HotWorker::startCloser,
            tuple -> forwarder.acceptOwn(tuple)));
    }

    @Override
    public void starting(WorkerState worker, Set<List<Long>> executors) {
        WorkerPlace here = new WorkerPlace(WorkerConnections.node(worker), worker.getPort());
        boolean checkpoints = worker.getTopology().get_spouts().containsKey(CheckpointSpout.CHECKPOINT_COMPONENT_ID);
        board = new AnnouncementBoard(worker.getStateStorage(), worker.getTopologyId(), topologyConf, here, !checkpoints, this::wake);
        boolean system = executors.remove(Constants.SYSTEM_EXECUTOR_ID); // Each worker has one.
        environment = new StormWorkerEnvironment(worker, here, topologyConf, clock);
        executors.retainAll(board.claim(executors, () -> environment.readAssigned(this::wake)));
        environment.setMovable(executors); // Before the first heartbeat, since the Supervisor looks for the mark after it.
        if (system) {
            executors.add(Constants.SYSTEM_EXECUTOR_ID);
        }
    }

    /** Called when the worker's transfer has been made; the worker's constructor is still running. */
    void transferMade(WorkerState worker, WorkerTransfer transfer) {
        WorkerPlace here = environment.here();
        forwarder = new Forwarder(here, new StormTupleTransfer(worker, topologyConf), place -> peers.isReachable(place),
            ObjectReader.getInt(topologyConf.get(Config.TOPOLOGY_EXECUTOR_RECEIVE_BUFFER_SIZE)), notifier::requestReport);
        WorkerConnections connections = new WorkerConnections(worker, transfer, forwarder.full());
        peers = new StormPeerConnections(worker, connections, here, topologyConf);
        StormWorkerQueues queues = new StormWorkerQueues(worker, connections, new DetourQueue(worker.getTopologyId(), worker.getPort(),
            topologyConf, forwarder, marker -> changes.markerArrived(marker)));
        Checkpoints checkpoints = environment.checkpointTask()
            .map(task -> new Checkpoints(local.checkpointSpout(task, environment.quiesceAtMostNs()), environment::isBolt))
            .orElseGet(Checkpoints::none);
        ActiveExecutorChanges active =
            new ActiveExecutorChanges(environment, board, peers, queues, forwarder, local, checkpoints);
        connections.setLoopback(here.nodeInfo(), new Loopback(worker, topologyConf, forwarder::acceptOwn, active::fencePassed));
        changes = active;
    }

    @Override
    public boolean isPossible() {
        return changes.isPossible();
    }

    @Override
    public boolean refresh(WorkerState worker) {
        return changes.refresh(worker);
    }

    /** Called when the object that a task runs has been made; {@code decorated} is the object as features have decorated it. */
    void taskObjectMade(int task, Object object, Object decorated) {
        if (object instanceof CheckpointSpout spout) {
            local.register(task, spout);
        } else if (decorated instanceof ISpout spout) {
            local.register(task, spout);
        } else if (MovableState.isOf(object)) {
            local.register(task, MovableState.of(object));
        }
    }

    /** The part that lets executors change, as of now. For any thread. */
    ExecutorChanges changes() {
        return changes;
    }

    @Override
    public List<IRunningExecutor> flushed(List<IRunningExecutor> executors) {
        return changes.flushed(executors);
    }

    @Override
    public void started(WorkerState worker, AtomicReference<List<IRunningExecutor>> executors) {
        changes.started(worker, executors);
    }

    @Override
    public TopologyStatus status(StormBase topology) {
        return changes.status(topology);
    }

    @Override
    public void scheduleTicks(Executor executor, StormTimer timer, int delaySecs, int everySecs, Runnable tick) {
        changes.scheduleTicks(executor, timer, delaySecs, everySecs, tick);
    }

    @Override
    public void close() {
        changes.close();
    }

    private static void startCloser(Runnable closing) {
        Thread closer = new Thread(closing, "hot-rebalance-closer");
        closer.setDaemon(true);
        closer.start();
    }

    private void wake() {
        changes.wake();
    }

    private void nudge() {
        changes.nudge();
    }
}
