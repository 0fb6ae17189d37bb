package io.eyewall.client.hot;

import io.eyewall.client.seam.WorkerChange;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;
import org.apache.storm.Constants;
import org.apache.storm.StormTimer;
import org.apache.storm.daemon.worker.WorkerConnections;
import org.apache.storm.daemon.worker.WorkerState;
import org.apache.storm.daemon.worker.WorkerTransfer;
import org.apache.storm.executor.Executor;
import org.apache.storm.executor.IRunningExecutor;
import org.apache.storm.executor.TupleInfo;
import org.apache.storm.executor.spout.SpoutExecutor;
import org.apache.storm.generated.StormBase;
import org.apache.storm.generated.TopologyStatus;
import org.apache.storm.spout.CheckpointSpout;
import org.apache.storm.spout.ISpout;
import org.apache.storm.utils.RotatingMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What one worker does at the seam worker-change: it lets its executors change. Puts together what that takes while the worker starts, on
 * the thread that starts it, and leaves all else to a thread of its own, which runs {@link WorkerMoves}.
 */
final class HotWorker implements WorkerChange, AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(HotWorker.class);

    private final Map<String, Object> topologyConf;
    private final LongSupplier clockNs;
    private final LocalExecutors local;
    private final Thread thread = new Thread(this::run, "hot-rebalance");

    /** All null until the worker has come that far. */
    private Board board;
    private HotContext context;
    private Forwarder forwarder;
    /** Written before the worker has other threads, but for those of ZooKeeper's. */
    private volatile WorkerMoves moves;

    /** For a worker of a topology with that configuration; {@code clockNs} is a clock in nanoseconds. */
    HotWorker(Map<String, Object> topologyConf, LongSupplier clockNs) {
        this.topologyConf = topologyConf;
        this.clockNs = clockNs;
        local = new LocalExecutors(clockNs, this::nudge);
        thread.setDaemon(true);
    }

    @Override
    public void starting(WorkerState worker, Set<List<Long>> executors) {
        WorkerPlace here = new WorkerPlace(WorkerConnections.node(worker), worker.getPort());
        boolean checkpoints = worker.getTopology().get_spouts().containsKey(CheckpointSpout.CHECKPOINT_COMPONENT_ID);
        board = new Board(worker.getStateStorage(), worker.getTopologyId(), topologyConf, here, !checkpoints, this::wake);
        boolean system = executors.remove(Constants.SYSTEM_EXECUTOR_ID); // Each worker has one.
        executors.retainAll(board.claim(executors));
        if (system) {
            executors.add(Constants.SYSTEM_EXECUTOR_ID);
        }
    }

    /** The worker has got what transfers its messages, and is still in its constructor. */
    void transferMade(WorkerState worker, WorkerTransfer transfer) {
        WorkerPlace here = new WorkerPlace(WorkerConnections.node(worker), worker.getPort());
        WorkerConnections connections = new WorkerConnections(worker, transfer);
        context = new HotContext(worker, here, board, connections, topologyConf, clockNs);
        forwarder = new Forwarder(worker, here, topologyConf, context::isReachable);
        connections.setLoopback(here.nodeInfo(), new Loopback(worker, topologyConf, forwarder::accept));
        WorkerParts parts = new WorkerParts(worker, connections,
            new DetourQueue(worker.getTopologyId(), worker.getPort(), topologyConf, forwarder::accept));
        Checkpoints checkpoints = context.checkpointTask()
            .map(task -> new Checkpoints(local.checkpointSpout(task, context.quiesceAtMostNs()), context::isBolt))
            .orElseGet(Checkpoints::none);
        moves = new WorkerMoves(context, parts, forwarder, local, checkpoints);
    }

    @Override
    public boolean isPossible() {
        return moves != null;
    }

    @Override
    public boolean refresh(WorkerState worker) {
        if (moves == null) {
            return false;
        }
        if (thread.isAlive()) {
            moves.wake();
        } else {
            moves.connect(worker.getLocalExecutors());
        }
        return true;
    }

    /** An executor is about to start: runs its loop so that it can leave. */
    Callable<?> loop(Executor executor, Callable<?> upstream) {
        return moves == null ? upstream : local.register(executor).loop(upstream);
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
        if (moves != null) {
            local.get(executor.getExecutorId()).keeps(messages);
        }
        return messages;
    }

    /** The tasks whose tuples go to this worker, another set whenever they have changed; for any thread. */
    Set<Integer> localTasks() {
        return moves.localTasks();
    }

    @Override
    public List<IRunningExecutor> flushed(List<IRunningExecutor> executors) {
        return moves == null ? executors : local.running();
    }

    @Override
    public void started(WorkerState worker, AtomicReference<List<IRunningExecutor>> executors) {
        if (moves == null) {
            return;
        }
        local.started(executors);
        try {
            context.setLeaving(false);
            context.setMovable(true);
        } catch (UncheckedIOException e) {
            LOG.warn("This worker restarts when its executors change: {}", e.getMessage(), e);
        }
        forwarder.start();
        thread.start();
    }

    @Override
    public TopologyStatus status(StormBase topology) {
        return moves != null && topology.get_status() == TopologyStatus.REBALANCING && topology.get_prev_status() != null
            ? topology.get_prev_status() : topology.get_status();
    }

    @Override
    public void scheduleTicks(Executor executor, StormTimer timer, int delaySecs, int everySecs, Runnable tick) {
        if (moves == null) {
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
        if (moves != null) {
            thread.interrupt();
            forwarder.close();
            board.close();
        }
    }

    private void wake() {
        if (moves != null) {
            moves.wake();
        }
    }

    private void nudge() {
        if (moves != null) {
            moves.nudge();
        }
    }

    private void run() {
        try {
            moves.run();
        } catch (RuntimeException | Error e) {
            LOG.error("Executors cannot be changed.", e);
            context.restart("its executors cannot be changed while it runs: " + e.getMessage());
        }
    }
}
