package io.eyewall.core.seam;

import io.eyewall.client.seam.ExecutorProbe;
import io.eyewall.client.seam.QueueProbe;
import java.util.Collection;
import java.util.List;
import org.apache.storm.executor.TupleInfo;
import org.apache.storm.tuple.AddressedTuple;
import org.apache.storm.tuple.Tuple;
import org.apache.storm.tuple.TupleImpl;

/** Counts the events that it watches, by name. */
record CountingProbe(String watched) implements ExecutorProbe, QueueProbe {

    @Override
    public void rootEmitting(String streamId, List<Object> values) {
        count("root emitting");
    }

    @Override
    public void anchoring(Collection<Tuple> anchors) {
        count("anchoring");
    }

    @Override
    public void emitted() {
        count("emitted");
    }

    @Override
    public void emitting(AddressedTuple tuple, boolean again) {
        count("emitting");
    }

    @Override
    public void executing(int taskId, TupleImpl tuple) {
        count("executing");
    }

    @Override
    public void executed(int taskId, TupleImpl tuple) {
        count("executed");
    }

    @Override
    public void acking(Tuple tuple) {
        count("acking");
    }

    @Override
    public void completed(TupleInfo message) {
        count("completed");
    }

    @Override
    public void failed(TupleInfo message) {
        count("failed");
    }

    @Override
    public void inserting(Object element) {
        count("inserting");
    }

    @Override
    public void overflowing(Object element) {
        count("overflowing");
    }

    @Override
    public void taken(Object element) {
        count("taken");
    }

    private void count(String event) {
        CountingFeature.count(watched + ": " + event);
    }
}
