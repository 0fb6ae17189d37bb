package io.eyewall.client.seam;

import org.apache.storm.executor.Executor;

/**
 * The seam <em>executor-probe</em>: makes the probe that watches the tuples of one executor.
 */
@FunctionalInterface
public interface ExecutorProbes {

    /** Upstream's way: no probe. */
    ExecutorProbes UPSTREAM = executor -> null;

    /**
     * Makes the probe of one executor, on the thread that starts the worker.
     *
     * @param executor the executor, whose constructor is still running: its component, tasks and queue are set, its {@code Task}s are not
     * @return null for none
     */
    ExecutorProbe probe(Executor executor);
}
