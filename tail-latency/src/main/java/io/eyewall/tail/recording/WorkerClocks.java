package io.eyewall.tail.recording;

/**
 * The clocks of the other workers of a topology. Safe for use by any thread.
 */
@FunctionalInterface
public interface WorkerClocks {

    /** The clock of the worker that runs a task, as known now. */
    WorkerClock ofTask(int taskId);
}
