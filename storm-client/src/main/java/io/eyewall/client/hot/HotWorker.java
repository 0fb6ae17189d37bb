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
import org.apache.storm.daemon.StormCommon;
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
 *
 * <p>A topology with stateful bolts is left to upstream: their state would have to be committed before they move.
 */
final class HotWorker implements WorkerChange, AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(HotWorker.class);

    private final Map<String, Object> topologyConf;
    private final LongSupplier clockNs;
    private final LocalExecutors local;
    private final Thread thread = new Thread(this::run, "hot-rebalance");

    /** Null for a topology that is left to upstream. */
    private Board board;
    private HotContext context;
    private Forwarder forwarder;
    /** Written before the worker has other threads; null for a topology that is left to upstream. */
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
        if (worker.getTopology().get_spouts().containsKey(CheckpointSpout.CHECKPOINT_COMPONENT_ID)) {
            LOG.info("This topology has stateful bolts: its workers restart when their executors change.");
            return;
        }
        WorkerPlace here = new WorkerPlace(WorkerConnections.node(worker), worker.getPort());
        board = new Board(worker.getStateStorage(), worker.getTopologyId(), topologyConf, here, this::wake);
        TopologyView view = new TopologyView(here, Map.of(), board.others());
        executors.removeIf(executor -> !executor.equals(Constants.SYSTEM_EXECUTOR_ID)
            && !view.mayStart(StormCommon.executorIdToTasks(executor)));
    }

    /** The worker has got what transfers its messages, and is still in its constructor. */
    void transferMade(WorkerState worker, WorkerTransfer transfer) {
        if (board == null) {
            return;
        }
        WorkerPlace here = new WorkerPlace(WorkerConnections.node(worker), worker.getPort());
        WorkerConnections connections = new WorkerConnections(worker, transfer);
        context = new HotContext(worker, here, board, connections, topologyConf, clockNs);
        forwarder = new Forwarder(worker, here, topologyConf, context::isReachable);
        connections.setLoopback(here.nodeInfo(), new Loopback(worker, topologyConf, forwarder::accept));
        WorkerParts parts = new WorkerParts(worker, connections,
            new DetourQueue(worker.getTopologyId(), worker.getPort(), topologyConf, forwarder::accept));
        moves = new WorkerMoves(context, parts, forwarder, local);
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

    /** The object of a spout task was made. */
    void spoutMade(int task, ISpout spout) {
        local.register(task, spout);
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
