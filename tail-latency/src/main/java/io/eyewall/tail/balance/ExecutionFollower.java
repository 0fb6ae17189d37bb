package io.eyewall.tail.balance;

import io.eyewall.client.seam.ExecutorProbe;
import io.eyewall.client.time.NanoClock;
import java.util.Collection;
import java.util.List;
import org.apache.storm.executor.TupleInfo;
import org.apache.storm.tuple.AddressedTuple;
import org.apache.storm.tuple.Tuple;
import org.apache.storm.tuple.TupleImpl;

/**
 * Notifies a {@link LatencySampler} when the executor has executed the tuple that the sampler follows. Used by the executor's thread.
 */
final class ExecutionFollower implements ExecutorProbe {

    private final LatencySampler sampler;
    private final NanoClock clock;

    /** Whether the followed tuple is being executed. */
    private boolean executing;
    private long insertedNs;
    private long beganNs;
    private long executed;

    ExecutionFollower(LatencySampler sampler, NanoClock clock) {
        this.sampler = sampler;
        this.clock = clock;
    }

    @Override
    public void executing(int taskId, TupleImpl tuple) {
        if (sampler.isFollowed(tuple)) {
            executing = true;
            insertedNs = sampler.insertedNs();
            beganNs = clock.nanoTime();
        }
    }

    @Override
    public void executed(int taskId, TupleImpl tuple) {
        executed++;
        if (executing) {
            executing = false;
            long nowNs = clock.nanoTime();
            sampler.executed(taskId, Math.max(1, nowNs - insertedNs), nowNs - beganNs, executed);
            executed = 0;
        }
    }

    @Override
    public void rootEmitting(String streamId, List<Object> values) {
        // It is about tuples that come in.
    }

    @Override
    public void anchoring(Collection<Tuple> anchors) {
        // It is about tuples that come in.
    }

    @Override
    public void emitted() {
        // It is about tuples that come in.
    }

    @Override
    public void emitting(AddressedTuple tuple, boolean again) {
        // It is about tuples that come in.
    }

    @Override
    public void acking(Tuple tuple) {
        // A task is done with a tuple when it has executed it.
    }

    @Override
    public void completed(TupleInfo message) {
        // It is about bolts.
    }

    @Override
    public void failed(TupleInfo message) {
        // It is about bolts.
    }
}
