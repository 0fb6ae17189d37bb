package io.eyewall.client.seam;

import java.util.Collection;
import java.util.List;
import org.apache.storm.executor.TupleInfo;
import org.apache.storm.tuple.AddressedTuple;
import org.apache.storm.tuple.Tuple;
import org.apache.storm.tuple.TupleImpl;

/** Two probes of the same executor: each gets every call, in order. */
record BothExecutorProbes(ExecutorProbe first, ExecutorProbe second) implements ExecutorProbe {

    @Override
    public void rootEmitting(String streamId, List<Object> values) {
        first.rootEmitting(streamId, values);
        second.rootEmitting(streamId, values);
    }

    @Override
    public void anchoring(Collection<Tuple> anchors) {
        first.anchoring(anchors);
        second.anchoring(anchors);
    }

    @Override
    public void emitted() {
        first.emitted();
        second.emitted();
    }

    @Override
    public void emitting(AddressedTuple tuple, boolean again) {
        first.emitting(tuple, again);
        second.emitting(tuple, again);
    }

    @Override
    public void executing(int taskId, TupleImpl tuple) {
        first.executing(taskId, tuple);
        second.executing(taskId, tuple);
    }

    @Override
    public void executed(int taskId, TupleImpl tuple) {
        first.executed(taskId, tuple);
        second.executed(taskId, tuple);
    }

    @Override
    public void acking(Tuple tuple) {
        first.acking(tuple);
        second.acking(tuple);
    }

    @Override
    public void completed(TupleInfo message) {
        first.completed(message);
        second.completed(message);
    }

    @Override
    public void failed(TupleInfo message) {
        first.failed(message);
        second.failed(message);
    }
}
