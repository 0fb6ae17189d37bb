package io.eyewall.client.hot;

import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.apache.storm.StormTimer;
import org.apache.storm.daemon.worker.WorkerState;
import org.apache.storm.executor.Executor;
import org.apache.storm.executor.IRunningExecutor;
import org.apache.storm.executor.TupleInfo;
import org.apache.storm.executor.spout.SpoutExecutor;
import org.apache.storm.generated.StormBase;
import org.apache.storm.generated.TopologyStatus;
import org.apache.storm.utils.RotatingMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Executors that change, on a thread of their own, which runs {@link RebalanceConductor}. */
final class ActiveExecutorChanges implements ExecutorChanges {

    private static final Logger LOG = LoggerFactory.getLogger(ActiveExecutorChanges.class);

    private final StormWorkerEnvironment environment;
    private final AnnouncementBoard board;
    private final StormWorkerQueues queues;
    private final Forwarder forwarder;
    private final LocalExecutors local;
    private final RebalanceConductor conductor;
    private final Thread thread = new Thread(this::run, "hot-rebalance");

    /** Starts nothing yet: the conductor's thread starts when the worker {@linkplain #started has started}. */
    ActiveExecutorChanges(StormWorkerEnvironment environment, AnnouncementBoard board, StormPeerConnections peers, StormWorkerQueues queues,
            Forwarder forwarder, LocalExecutors local, Checkpoints checkpoints) {
        this.environment = environment;
        this.board = board;
        this.queues = queues;
        this.forwarder = forwarder;
        this.local = local;
        conductor = new RebalanceConductor(environment, board, peers, queues, forwarder, local, checkpoints,
            () -> LockSupport.unpark(thread));
        thread.setDaemon(true);
    }

    @Override
    public boolean isPossible() {
        return true;
    }

    @Override
    public boolean refresh(WorkerState worker) {
        if (thread.isAlive()) {
            conductor.wake();
        } else {
            queues.trackAllTasks();
            conductor.connect(worker.getLocalExecutors());
        }
        return true;
    }

    @Override
    public Callable<?> loop(Executor executor, Callable<?> upstream) {
        return local.register(new StormExecutorAccess(executor)).loop(upstream);
    }

    @Override
    public RotatingMap<Long, TupleInfo> keeping(SpoutExecutor executor, RotatingMap<Long, TupleInfo> messages) {
        local.get(executor.getExecutorId()).keeps(messages);
        return messages;
    }

    @Override
    public TaskPlacement placement() {
        return conductor.placement();
    }

    @Override
    public List<IRunningExecutor> flushed(List<IRunningExecutor> executors) {
        return local.running();
    }

    @Override
    public void started(WorkerState worker, AtomicReference<List<IRunningExecutor>> executors) {
        local.started(executors);
        forwarder.start();
        thread.start();
    }

    @Override
    public TopologyStatus status(StormBase topology) {
        return topology.get_status() == TopologyStatus.REBALANCING && topology.get_prev_status() != null
            ? topology.get_prev_status() : topology.get_status();
    }

    @Override
    public void scheduleTicks(Executor executor, StormTimer timer, int delaySecs, int everySecs, Runnable tick) {
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
    public void markerArrived(Marker marker) {
        conductor.markerArrived(marker);
    }

    /** A fence came out of the queue of outgoing tuples; for the thread that empties it. */
    void fencePassed() {
        conductor.fencePassed();
    }

    @Override
    public void wake() {
        conductor.wake();
    }

    @Override
    public void nudge() {
        conductor.nudge();
    }

    @Override
    public void close() {
        thread.interrupt();
        forwarder.close();
        board.close();
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
