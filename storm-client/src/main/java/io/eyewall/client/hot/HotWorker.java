package io.eyewall.client.hot;

import io.eyewall.client.engine.BackPressureNotifier;
import io.eyewall.client.seam.WorkerChange;
import io.eyewall.client.time.NanoClock;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.apache.storm.Config;
import org.apache.storm.Constants;
import org.apache.storm.StormTimer;
import org.apache.storm.daemon.worker.WorkerConnections;
import org.apache.storm.daemon.worker.WorkerState;
import org.apache.storm.daemon.worker.WorkerTransfer;
import org.apache.storm.executor.Executor;
import org.apache.storm.executor.IRunningExecutor;
import org.apache.storm.executor.TupleInfo;
import org.apache.storm.executor.spout.SpoutExecutor;
import org.apache.storm.generated.Assignment;
import org.apache.storm.generated.StormBase;
import org.apache.storm.generated.TopologyStatus;
import org.apache.storm.spout.CheckpointSpout;
import org.apache.storm.spout.ISpout;
import org.apache.storm.utils.ObjectReader;
import org.apache.storm.utils.RotatingMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What one worker does at the seam worker-change: it lets its executors change. Puts together what that takes while the worker starts, on
 * the thread that starts it, and leaves all else to a thread of its own, which runs {@link RebalanceConductor}.
 */
final class HotWorker implements WorkerChange, AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(HotWorker.class);

    private final Map<String, Object> topologyConf;
    private final NanoClock clock;
    private final BackPressureNotifier notifier;
    private final LocalExecutors local;
    private final Thread thread = new Thread(this::run, "hot-rebalance");

    /** All null until the worker has come that far. */
    private AnnouncementBoard board;
    private StormWorkerEnvironment environment;
    private StormPeerConnections peers;
    private StormWorkerQueues queues;
    private Forwarder forwarder;
    /** Written before the worker has other threads, but for those of ZooKeeper's. */
    private volatile RebalanceConductor conductor;

    /**
     * For a worker of a topology with that configuration.
     *
     * @param clock measures how long steps of a change take
     * @param notifier tells the workers that send to this one when there is space
     */
    HotWorker(Map<String, Object> topologyConf, NanoClock clock, BackPressureNotifier notifier) {
        this.topologyConf = topologyConf;
        this.clock = clock;
        this.notifier = notifier;
        local = new LocalExecutors(new MovableExecutor.Services(clock, this::nudge, HotWorker::startCloser,
            tuple -> forwarder.acceptOwn(tuple)));
        thread.setDaemon(true);
    }

    @Override
    public void starting(WorkerState worker, Set<List<Long>> executors) {
        WorkerPlace here = new WorkerPlace(WorkerConnections.node(worker), worker.getPort());
        boolean checkpoints = worker.getTopology().get_spouts().containsKey(CheckpointSpout.CHECKPOINT_COMPONENT_ID);
        board = new AnnouncementBoard(worker.getStateStorage(), worker.getTopologyId(), topologyConf, here, !checkpoints, this::wake);
        boolean system = executors.remove(Constants.SYSTEM_EXECUTOR_ID); // Each worker has one.
        environment = new StormWorkerEnvironment(worker, here, topologyConf, clock);
        executors.retainAll(board.claim(executors, this::readAssigned));
        environment.setMovable(executors); // Before the first heartbeat, behind which the Supervisor looks for it.
        if (system) {
            executors.add(Constants.SYSTEM_EXECUTOR_ID);
        }
    }

    private Set<List<Long>> readAssigned() {
        Assignment assignment = environment.readAssignment(this::wake);
        return assignment == null ? Set.of() : environment.here().executors(assignment);
    }

    /** The worker has got what transfers its messages, and is still in its constructor. */
    void transferMade(WorkerState worker, WorkerTransfer transfer) {
        WorkerPlace here = environment.here();
        forwarder = new Forwarder(here, new StormTupleTransfer(worker, topologyConf), place -> peers.isReachable(place),
            ObjectReader.getInt(topologyConf.get(Config.TOPOLOGY_EXECUTOR_RECEIVE_BUFFER_SIZE)), notifier::requestReport);
        WorkerConnections connections = new WorkerConnections(worker, transfer, forwarder.full());
        peers = new StormPeerConnections(worker, connections, here, topologyConf);
        queues = new StormWorkerQueues(worker, connections, new DetourQueue(worker.getTopologyId(), worker.getPort(), topologyConf,
            forwarder, marker -> conductor.markerArrived(marker)));
        Checkpoints checkpoints = environment.checkpointTask()
            .map(task -> new Checkpoints(local.checkpointSpout(task, environment.quiesceAtMostNs()), environment::isBolt))
            .orElseGet(Checkpoints::none);
        RebalanceConductor made = new RebalanceConductor(environment, board, peers, queues, forwarder, local, checkpoints,
            () -> LockSupport.unpark(thread));
        connections.setLoopback(here.nodeInfo(), new Loopback(worker, topologyConf, forwarder::acceptOwn, made::fencePassed));
        conductor = made;
    }

    @Override
    public boolean isPossible() {
        return conductor != null;
    }

    @Override
    public boolean refresh(WorkerState worker) {
        if (conductor == null) {
            return false;
        }
        if (thread.isAlive()) {
            conductor.wake();
        } else {
            queues.trackAllTasks();
            conductor.connect(worker.getLocalExecutors());
        }
        return true;
    }

    /** An executor is about to start: runs its loop so that it can leave. */
    Callable<?> loop(Executor executor, Callable<?> upstream) {
        return conductor == null ? upstream : local.register(new StormExecutorAccess(executor)).loop(upstream);
    }

    /** What a task runs was made, as upstream makes it and as features have decorated it. */
    void taskObjectMade(int task, Object object, Object decorated) {
        if (object instanceof CheckpointSpout spout) {
            local.register(task, spout);
        } else if (decorated instanceof ISpout spout) {
            local.register(task, spout);
        } else if (MovableState.isOf(object)) {
            local.register(task, MovableState.of(object));
        }
    }

    /** A spout's executor keeps its messages there. */
    RotatingMap<Long, TupleInfo> keeping(SpoutExecutor executor, RotatingMap<Long, TupleInfo> messages) {
        if (conductor != null) {
            local.get(executor.getExecutorId()).keeps(messages);
        }
        return messages;
    }

    /** The tasks whose tuples go to this worker, another set whenever they have changed; for any thread. */
    Set<Integer> localTasks() {
        return conductor.localTasks();
    }

    @Override
    public List<IRunningExecutor> flushed(List<IRunningExecutor> executors) {
        return conductor == null ? executors : local.running();
    }

    @Override
    public void started(WorkerState worker, AtomicReference<List<IRunningExecutor>> executors) {
        if (conductor == null) {
            return;
        }
        local.started(executors);
        forwarder.start();
        thread.start();
    }

    @Override
    public TopologyStatus status(StormBase topology) {
        return conductor != null && topology.get_status() == TopologyStatus.REBALANCING && topology.get_prev_status() != null
            ? topology.get_prev_status() : topology.get_status();
    }

    @Override
    public void scheduleTicks(Executor executor, StormTimer timer, int delaySecs, int everySecs, Runnable tick) {
        if (conductor == null) {
            WorkerChange.super.scheduleTicks(executor, timer, delaySecs, everySecs, tick);
            return;
        }
        MovableExecutor movable = local.get(executor.getExecutorId());
        timer.schedule(delaySecs, new Runnable() {
            @Override
            public void run() {
                if (movable.hasTicks()) {
                    tick.run();
                    timer.schedule(everySecs, this, false, 0);
                }
            }
        });
    }

    @Override
    public void close() {
        if (conductor != null) {
            thread.interrupt();
            forwarder.close();
            board.close();
        }
    }

    private static void startCloser(Runnable closing) {
        Thread closer = new Thread(closing, "hot-rebalance-closer");
        closer.setDaemon(true);
        closer.start();
    }

    private void wake() {
        if (conductor != null) {
            conductor.wake();
        }
    }

    private void nudge() {
        if (conductor != null) {
            conductor.nudge();
        }
    }

    private void run() {
        try {
            while (!Thread.currentThread().isInterrupted()) {
                LockSupport.parkNanos(conductor.doWork());
            }
        } catch (RuntimeException | Error e) {
            LOG.error("Executors cannot be changed.", e);
            environment.restart("its executors cannot be changed while it runs: " + e.getMessage());
        }
    }
}
