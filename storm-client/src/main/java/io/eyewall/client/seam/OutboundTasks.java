package io.eyewall.client.seam;

import java.util.Set;
import org.apache.storm.daemon.worker.WorkerState;

/**
 * The seam <em>outbound-tasks</em>: finds the tasks to which the tasks of a worker send. The worker connects to their workers.
 */
@FunctionalInterface
public interface OutboundTasks {

    /** Upstream's way: to the subscribers of their components. */
    OutboundTasks UPSTREAM = (worker, tasks) -> tasks;

    /**
     * Returns the tasks. Called once, on the thread that starts the worker.
     *
     * @param worker the worker, whose constructor is still running: its topology and tasks are set, its executors are not
     * @param tasks the subscribers, which may be changed
     */
    Set<Integer> tasks(WorkerState worker, Set<Integer> tasks);
}
