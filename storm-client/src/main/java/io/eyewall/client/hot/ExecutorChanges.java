package io.eyewall.client.hot;

import io.eyewall.client.seam.WorkerChange;
import java.util.Set;
import java.util.concurrent.Callable;
import org.apache.storm.executor.Executor;
import org.apache.storm.executor.TupleInfo;
import org.apache.storm.executor.spout.SpoutExecutor;
import org.apache.storm.utils.RotatingMap;

/**
 * What a worker does so that its executors can change: {@link #INACTIVE nothing} before it has its transfer, {@link
 * ActiveExecutorChanges everything} after that. Each method says on which thread it is called where that is not the one that starts the
 * worker.
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

    /** The tasks whose tuples go to this worker: another set whenever they have changed. For any thread. */
    default Set<Integer> localTasks() {
        return Set.of();
    }

    /** A marker has arrived behind the tuples that another worker has sent; for any thread. */
    default void markerArrived(Marker marker) {
        throw new IllegalStateException("A marker arrived before this worker could receive: " + marker);
    }

    /** ZooKeeper has news; for any thread. */
    default void wake() {
    }

    /** An executor has news; for any thread. */
    default void nudge() {
    }

    /** Ends the changes; on the thread that shuts the worker down. */
    @Override
    default void close() {
    }
}
