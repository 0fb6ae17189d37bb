package io.eyewall.client.stream.instance;

import org.apache.storm.task.WorkerTopologyContext;

/**
 * The port by which Storm's metrics name the worker that they come from. All instances of a slot have the slot's port, and each of them has
 * gauges of the task -1, such as the size of its heap. With that port, a reporter that sends to one place would keep the figures of one
 * instance. So an instance has a port of its own there: the one by which other instances know its first task. Woven code calls this; for
 * any thread.
 */
public final class MetricPort {

    /** Null in a process that is no instance. Written before the worker starts. */
    private static volatile Integer own;

    private MetricPort() {
    }

    /** Gives this process a port of its own in metrics, or none if it is null. */
    static void set(Integer port) {
        own = port;
    }

    /** The port in metrics of the worker that has that port. */
    public static Integer of(Integer workerPort) {
        Integer port = own;
        return port == null ? workerPort : port;
    }

    /** In place of {@code WorkerTopologyContext.getThisWorkerPort()}. */
    public static Integer ofWorker(WorkerTopologyContext context) {
        return of(context.getThisWorkerPort());
    }

    /** The arguments of a method whose last one is a worker's port, with the port in metrics. */
    public static Object[] last(Object... arguments) {
        Object[] changed = arguments.clone();
        changed[changed.length - 1] = of((Integer) changed[changed.length - 1]);
        return changed;
    }
}
