package io.eyewall.client.seam;

import java.util.Collection;
import java.util.List;
import org.apache.storm.executor.TupleInfo;
import org.apache.storm.tuple.AddressedTuple;
import org.apache.storm.tuple.Tuple;
import org.apache.storm.tuple.TupleImpl;

/**
 * Watches the tuples that pass through one executor. Called on the executor's own thread, several times per tuple: an implementation
 * neither allocates nor locks more than its purpose needs, and never throws.
 */
public interface ExecutorProbe {

    /** A spout is about to emit one message on a stream; a call of {@link #emitting} follows for each task it goes to. */
    void rootEmitting(String streamId, List<Object> values);

    /** A bolt is about to emit one tuple, anchored to {@code anchors}, which may be null or empty; {@link #emitting} follows. */
    void anchoring(Collection<Tuple> anchors);

    /** What {@link #rootEmitting} or {@link #anchoring} announced has been emitted. */
    void emitted();

    /**
     * A tuple is about to be handed to its receiver's queue.
     *
     * @param again whether it was offered before and the queue was full
     */
    void emitting(AddressedTuple tuple, boolean again);

    /** A bolt's task is about to execute a tuple, which may be a system tuple. */
    void executing(int taskId, TupleImpl tuple);

    /** A bolt's task has executed a tuple. */
    void executed(int taskId, TupleImpl tuple);

    /** A bolt acks a tuple. */
    void acking(Tuple tuple);

    /** A message of a spout task is complete: its tree of tuples is acked, or acking is off and it has been emitted. */
    void completed(TupleInfo message);

    /** A message of a spout task failed or timed out. */
    void failed(TupleInfo message);

    /** A probe that calls both in this order; one of them if the other is null, and null if both are. */
    static ExecutorProbe both(ExecutorProbe first, ExecutorProbe second) {
        if (first == null || second == null) {
            return first == null ? second : first;
        }
        return new BothExecutorProbes(first, second);
    }
}
