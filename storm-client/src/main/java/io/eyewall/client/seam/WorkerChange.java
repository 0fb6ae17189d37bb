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
 * The seam <em>worker-change</em>: what a worker does when the executors that it is to run change while it runs. Upstream's worker ends
 * itself, and its Supervisor starts another.
 */
public interface WorkerChange {

    /** Upstream's way. */
    WorkerChange UPSTREAM = new WorkerChange() {
    };

    /**
     * The worker is about to make its queues. Called on the thread that starts the worker, whose constructor is still running.
     *
     * @param executors what it is assigned, from which those may be removed that it is to start later
     */
    default void starting(WorkerState worker, Set<List<Long>> executors) {
    }

    /**
     * The worker has started its executors.
     *
     * @param executors those that it runs, which its timers look into
     */
    default void started(WorkerState worker, AtomicReference<List<IRunningExecutor>> executors) {
    }

    /** Whether the executors may change: the worker is then ready for tasks in other workers, though there may be none yet. */
    default boolean isPossible() {
        return false;
    }

    /**
     * In the place of upstream's look at the worker's assignment, once at start and then every few seconds on a timer: upstream connects to
     * the workers that it needs, and ends the worker if its executors have changed.
     *
     * @return whether that was done, so that upstream does not
     */
    default boolean refresh(WorkerState worker) {
        return false;
    }

    /** The list of executors that a timer tells to flush what they gather; asked once, before the worker has started. */
    default List<IRunningExecutor> flushed(List<IRunningExecutor> executors) {
        return executors;
    }

    /** The status by which a worker decides whether its spouts emit. */
    default TopologyStatus status(StormBase topology) {
        return topology.get_status();
    }

    /** Schedules the ticks of an executor, on the executor's thread. The tick runs on the timer's. */
    default void scheduleTicks(Executor executor, StormTimer timer, int delaySecs, int everySecs, Runnable tick) {
        timer.scheduleRecurring(delaySecs, everySecs, tick);
    }
}
