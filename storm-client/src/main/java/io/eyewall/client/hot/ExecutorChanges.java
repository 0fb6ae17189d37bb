package io.eyewall.client.hot;

import io.eyewall.client.seam.WorkerChange;
import java.util.concurrent.Callable;
import org.apache.storm.executor.Executor;
import org.apache.storm.executor.TupleInfo;
import org.apache.storm.executor.spout.SpoutExecutor;
import org.apache.storm.utils.RotatingMap;

/**
 * The part of a worker that lets its executors change: {@link #INACTIVE inactive} before the worker has its transfer, {@link
 * ActiveExecutorChanges active} after that. Methods are called on the thread that starts the worker unless they name another thread.
 */
interface ExecutorChanges extends WorkerChange, AutoCloseable {

    /** Upstream's way in everything. */
    ExecutorChanges INACTIVE = new ExecutorChanges() {
    };

    /** The loop of an executor that is about to start. */
    default Callable<?> loop(Executor executor, Callable<?> upstream) {
        return upstream;
    }

    /** Notes the map in which a spout's executor keeps its messages, and returns it; on the executor's thread. */
    default RotatingMap<Long, TupleInfo> keeping(SpoutExecutor executor, RotatingMap<Long, TupleInfo> messages) {
        return messages;
    }

    /** What shuffles must know about tasks: another object whenever it has changed. For any thread. */
    default TaskPlacement placement() {
        return TaskPlacement.UNKNOWN;
    }

    /** Called when a marker has arrived behind the tuples that another worker has sent; for any thread. */
    default void markerArrived(Marker marker) {
        throw new IllegalStateException("A marker arrived before this worker could receive: " + marker);
    }

    /** Called when something has changed in ZooKeeper; for any thread. */
    default void wake() {
    }

    /** Called when the state of an executor has changed; for any thread. */
    default void nudge() {
    }

    /** Ends the changes; on the thread that shuts the worker down. */
    @Override
    default void close() {
    }
}
