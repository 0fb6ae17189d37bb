package io.eyewall.client.seam;

import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.storm.StormTimer;
import org.apache.storm.daemon.worker.WorkerState;
import org.apache.storm.executor.Executor;
import org.apache.storm.executor.IRunningExecutor;
import org.apache.storm.generated.StormBase;
import org.apache.storm.generated.TopologyStatus;

/**
 * The seam <em>worker-change</em>: changes the executors of a worker while it runs. Upstream's worker ends itself when they change, and its
 * Supervisor starts another.
 */
public interface WorkerChange {

    /** Upstream's way. */
    WorkerChange UPSTREAM = new WorkerChange() {
    };

    /**
     * The worker is about to make its queues. Called on the thread that starts the worker, whose constructor is still running.
     *
     * @param executors the executors that it is assigned; those that it must start later may be removed
     */
    default void starting(WorkerState worker, Set<List<Long>> executors) {
    }

    /**
     * The worker has started its executors.
     *
     * @param executors the executors that it runs; its timers read the reference
     */
    default void started(WorkerState worker, AtomicReference<List<IRunningExecutor>> executors) {
    }

    /** Whether the executors may change. If so, the worker prepares to send to other workers even if it has none to send to yet. */
    default boolean isPossible() {
        return false;
    }

    /**
     * Replaces upstream's check of the worker's assignment, which runs at start and then every few seconds on a timer. Upstream connects to
     * the workers that it needs, and ends the worker if its executors have changed.
     *
     * @return whether it was replaced; upstream's check runs if not
     */
    default boolean refresh(WorkerState worker) {
        return false;
    }

    /** The executors that a timer flushes; called once, before the worker has started. The list may change later. */
    default List<IRunningExecutor> flushed(List<IRunningExecutor> executors) {
        return executors;
    }

    /** The status from which a worker decides whether its spouts emit. */
    default TopologyStatus status(StormBase topology) {
        return topology.get_status();
    }

    /** Schedules the ticks of an executor, on the executor's thread. The tick runs on the timer's. */
    default void scheduleTicks(Executor executor, StormTimer timer, int delaySecs, int everySecs, Runnable tick) {
        timer.scheduleRecurring(delaySecs, everySecs, tick);
    }
}
